import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { issuePem, newAuthority } from '../../local-cluster/cluster/certificates.ts';
import type { Progress } from '../../local-cluster/index.ts';
import { spreadOf, type Figures } from '../figures.ts';
import { freePort, kubeconfig, synthesize, withFlags } from '../installation.ts';
import { cpuOf, memoryOf } from '../machine.ts';
import { sendReviews, type Reviewed, type Target } from '../webhook/load.ts';
import { APPLICATION_OF_PODS, reviewKinds, type ReviewKind } from '../webhook/reviews.ts';

/** Seconds of load before the measurement: code is not compiled before. */
const WARM_UP = { webhook: 10, bare: 2 } as const;
/** Seconds of the same load on the bare server. */
const BARE = 10;
/** Reviews a second of the bare server beside the webhook: enough for a percentile, and hardly any work. */
const BESIDE = 50;
/** Milliseconds that the sender can be late before the latencies are doubtful. */
const MAX_DELAY = 10;

export interface WebhookTask {
  /** Reviews a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly checkout: string;
}

/** A process with a server. */
interface Running extends Target {
  readonly child: ChildProcess;
}

/** The webhook as its Deployment starts it, on the loopback interface, and a bare server before and beside it. */
export async function webhook(
  { rate, seconds, checkout }: WebhookTask, progress: Progress,
): Promise<{ readonly figures: Figures['webhook']; readonly doubts: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhook-'));
  const processes: ChildProcess[] = [];
  const api = await startApi();
  try {
    const kinds = reviewKinds();
    const ca = writeCertificate(folder);
    const bare = await startBare(folder, ca, processes);
    const [bareLoad, bareCpu] = await progress.step(`reviews for a bare server for ${BARE} s`, async () => {
      await sendReviews(bare, kinds.map(anyAnswer), rate, WARM_UP.bare);
      return measure(bare, kinds.map(anyAnswer), rate, Math.min(BARE, seconds));
    });
    const server = await startWebhook(checkout, folder, ca, api, processes);
    await progress.step(`warm-up of ${WARM_UP.webhook} s`, () => sendReviews(server, kinds, rate, WARM_UP.webhook));
    const [[load, cpu], beside] = await progress.step(`${rate} reviews a second for ${seconds} s`, () => Promise.all([
      measure(server, kinds, rate, seconds), sendReviews(bare, kinds.map(anyAnswer), BESIDE, seconds),
    ]));
    return {
      figures: {
        rate, seconds, latency: spreadOf(load.latencies), failures: load.failures, cpu: cpu / load.sent, bareCpu: bareCpu / bareLoad.sent,
        besideP99: spreadOf(beside.latencies).p99, memory: memoryOf(server.child.pid!, 'peak')!,
      },
      doubts: load.delay > MAX_DELAY ? [`the sender was up to ${load.delay.toFixed(0)} ms late itself, which shows as latency`] : [],
    };
  } finally {
    await Promise.all(processes.map(end));
    api.closeAllConnections();
    api.close();
    rmSync(folder, { recursive: true });
  }
}

/** Sends reviews, and returns the CPU time of the server, too. */
async function measure(server: Running, kinds: readonly ReviewKind[], rate: number, seconds: number): Promise<readonly [Reviewed, number]> {
  const before = cpuOf(server.child.pid!)!;
  const load = await sendReviews(server, kinds, rate, seconds);
  return [load, cpuOf(server.child.pid!)! - before];
}

function anyAnswer(kind: ReviewKind): ReviewKind {
  return { ...kind, isRight: () => true };
}

/** Writes `tls.crt` and `tls.key` of a server on this machine, and returns the certificate of the CA. */
function writeCertificate(folder: string): string {
  const authority = newAuthority('bench');
  const { certificate, key } = issuePem(authority, { commonName: 'webhook' }, ['localhost']);
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  return authority.certificate.toString();
}

async function startBare(folder: string, ca: string, processes: ChildProcess[]): Promise<Running> {
  const args = [join(import.meta.dirname, '../webhook/bare-server.ts'), join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  processes.push(child);
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended(child, 'the bare server')]);
  return { port: Number(line), ca, child };
}

/** Starts the command of the Deployment that the constructs synthesize for the webhook. */
async function startWebhook(checkout: string, folder: string, ca: string, api: Server, processes: ChildProcess[]): Promise<Running> {
  const deployments = synthesize(checkout, { jobNamespaces: [APPLICATION_OF_PODS.metadata.namespace], webhook: { deployment: {} } })
    .filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec.containers[0]);
  const { command, args } = deployments.find(({ name }) => name === 'webhook');
  const port = await freePort();
  const verbs = args.filter((arg: string) => !arg.startsWith('--'));
  // Its certificate is in a folder here, and only the API server of the benchmark is there.
  const flags = withFlags(args.filter((arg: string) => /^--(?!webhook-(secret|service|certificate|.*-name))/.test(arg)), {
    'kubeconfig': kubeconfig(folder, { ca }, `http://127.0.0.1:${(api.address() as AddressInfo).port}`),
    'webhook-cert-dir': folder, 'webhook-port': port, 'metrics-bind-address': '0', 'health-probe-bind-address': '0',
  });
  const child = spawn(process.execPath, [...command.slice(1, -1), join(checkout, 'runtime/operator.cjs'), ...verbs, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (/"level":"(warn|error)/.test(line)) console.error(line);
  });
  await Promise.race([accepts(port), ended(child, 'the webhook')]);
  return { port, ca, child };
}

/** Resolves when a port accepts connections. */
async function accepts(port: number): Promise<void> {
  for (;; await sleep(50)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(() => true, () => false);
    socket.destroy();
    if (isOpen) return;
  }
}

function ended(child: ChildProcess, name: string): Promise<never> {
  return once(child, 'exit').then(([code, signal]): never => { throw new Error(`${name} ended with ${signal ?? code}`); });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Starts an API server with one application. */
async function startApi(): Promise<Server> {
  const { namespace, name } = APPLICATION_OF_PODS.metadata;
  const answer = JSON.stringify(APPLICATION_OF_PODS);
  const server = createServer((request, response) => {
    const exists = request.url === `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications/${name}`;
    response.writeHead(exists ? 200 : 404, { 'content-type': 'application/json' });
    response.end(exists ? answer : JSON.stringify({ kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
