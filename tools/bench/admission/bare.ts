import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createAuthority, issue } from '../../local-cluster/cluster/x509.ts';
import { sendLoad } from './load.ts';
import { cpuOf, difference } from '../machine.ts';
import type { BareFigures } from './measurements.ts';
import type { ReviewKind } from './reviews.ts';

/** Sends the same reviews to a server that answers them without a thought. */
export async function sendToBareServer(kinds: readonly ReviewKind[], rate: number, warmUp: number, seconds: number): Promise<BareFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
  const [certificateFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const authority = createAuthority('bench');
  const { certificate, key } = issue(authority, { commonName: 'webhook' }, ['localhost']);
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), certificateFile, keyFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const port = Number(await Promise.race([
      once(createInterface({ input: child.stdout }), 'line').then(([line]) => line as string), ended.then(([code]) => { throw new Error(`the bare server ended with ${code}`); }),
    ]));
    // Whatever it answers is right.
    const lenient = kinds.map((kind) => ({ ...kind, isRight: () => true }));
    await sendLoad({ port, ca: authority.certificate }, lenient, rate, warmUp);
    const before = cpuOf(child.pid!)!;
    const load = await sendLoad({ port, ca: authority.certificate }, lenient, rate, seconds);
    return { ...load, cpu: difference(cpuOf(child.pid!)!, before) };
  } finally {
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    rmSync(folder, { recursive: true });
  }
}
