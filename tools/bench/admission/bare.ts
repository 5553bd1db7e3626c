import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cpuOf, difference } from '../machine.ts';
import { writeCertificate } from './certificate.ts';
import { sendLoad, type Target } from './load.ts';
import type { BareFigures } from './measurements.ts';
import type { ReviewKind } from './reviews.ts';

/** A server that answers reviews without a thought, in a process of its own. */
export class BareServer implements Target {
  readonly port: number;
  readonly ca: string;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(port: number, ca: string, child: ChildProcess, folder: string) {
    this.port = port;
    this.ca = ca;
    this.child = child;
    this.folder = folder;
  }

  static async start(): Promise<BareServer> {
    const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
    const ca = writeCertificate(folder);
    const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), join(folder, 'tls.crt'), join(folder, 'tls.key')], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [line] = await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit').then(([code]): never => { throw new Error(`the bare server ended with ${code}`); }),
      ]);
      return new BareServer(Number(line), ca, child, folder);
    } catch (error) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  /** What it takes to answer so many reviews. */
  async measure(kinds: readonly ReviewKind[], rate: number, seconds: number): Promise<BareFigures> {
    const before = cpuOf(this.child.pid!)!;
    const load = await sendLoad(this, kinds.map(lenient), rate, seconds);
    return { ...load, cpu: difference(cpuOf(this.child.pid!)!, before) };
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGKILL')) await ended;
    rmSync(this.folder, { recursive: true });
  }
}

/** Whatever it answers is right. */
function lenient(kind: ReviewKind): ReviewKind {
  return { ...kind, isRight: () => true };
}
