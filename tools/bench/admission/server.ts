import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../cluster-run.ts';
import { writeCertificate } from './certificate.ts';
import { APPLICATION_OF_PODS } from './reviews.ts';

/** How the Deployment of the webhook starts Node. */
const NODE_FLAGS = /^const SERVE_COMMAND = \['node', (.*), '\S+'\];$/m.exec(readFileSync(join(root, 'src/constructs/_operator-deployment.ts'), 'utf8'))![1]!.split(', ').map((flag) => flag.slice(1, -1));

/** The webhook as its Deployment runs it, in a process of its own, and what it needs: a certificate, and an API server with one application. */
export class WebhookServer {
  readonly port: number;
  readonly ca: string;
  private readonly child: ChildProcess;
  private readonly api: Server;
  private readonly folder: string;

  private constructor(port: number, ca: string, child: ChildProcess, api: Server, folder: string) {
    this.port = port;
    this.ca = ca;
    this.child = child;
    this.api = api;
    this.folder = folder;
  }

  static async start(): Promise<WebhookServer> {
    const folder = mkdtempSync(join(tmpdir(), 'bench-admission-'));
    const ca = writeCertificate(folder);
    const api = await startApi();
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify({
      'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'bench', 'contexts': [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
      'clusters': [{ name: 'bench', cluster: { server: `http://127.0.0.1:${(api.address() as AddressInfo).port}` } }], 'users': [{ name: 'bench', user: {} }],
    }));
    const child = spawn(process.execPath, [
      ...NODE_FLAGS, join(root, 'runtime/operator.cjs'), 'webhook', 'start', `--kubeconfig=${kubeconfig}`, `--webhook-cert-dir=${folder}`, '--webhook-port=0', '--namespaces=jobs',
      '--metrics-bind-address=0', '--health-probe-bind-address=0',
    ], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      return new WebhookServer(await portIn(child), ca, child, api, folder);
    } catch (error) {
      api.close();
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  get pid(): number {
    return this.child.pid!;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGKILL')) await ended;
    this.api.closeAllConnections();
    this.api.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** The port, as the log tells; later lines are errors, and go to stderr. */
function portIn(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the webhook ended with ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { level, msg, port } = JSON.parse(line);
      if (level === 'error' || level === 'warn') console.error(line);
      if (msg === 'serving the admission webhook') resolve(port);
    });
  });
}

async function startApi(): Promise<Server> {
  const { namespace, name } = APPLICATION_OF_PODS.metadata;
  const answer = JSON.stringify(APPLICATION_OF_PODS);
  const server = createServer((request, response) => {
    const isThere = request.url === `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/sparkapplications/${name}`;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isThere ? answer : JSON.stringify({ kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
