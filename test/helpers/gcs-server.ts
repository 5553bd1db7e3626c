import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from './s3-server';

/** A real server of Google Cloud Storage's API, which asks for no credentials. */
export class GcsServer {
  private readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, public readonly endpoint: string) {
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.log.push(line));
  }

  /**
   * @param program the server
   * @param externalUrl the URL by which clients reach it, given its own; uploads continue there
   * @param host the address on which it listens
   */
  static async start(program: string | undefined, externalUrl: (endpoint: string) => string | Promise<string> = (endpoint) => endpoint, host = '127.0.0.1'): Promise<GcsServer> {
    if (!program) throw new Error('there is no server of Google Cloud Storage: run `npm run test:api` or `npm run test:e2e`');
    const port = await freePort();
    const endpoint = `http://${host}:${port}`;
    const child = spawn(program, [
      '-scheme', 'http', '-host', host, '-port', `${port}`, '-backend', 'memory', '-external-url', await externalUrl(endpoint),
    ], { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
    const server = new GcsServer(child, endpoint);
    const end = Date.now() + 20_000;
    while (!await fetch(`${endpoint}/_internal/healthcheck`).then(({ ok }) => ok, () => false)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`the server of Google Cloud Storage does not start: ${server.log.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return server;
  }

  async createBucket(name: string): Promise<void> {
    const { status } = await fetch(`${this.endpoint}/storage/v1/b?project=test`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name }) });
    if (status !== 200) throw new Error(`the bucket ${name} was not created: ${status}`);
  }

  /** Content of an object; undefined if there is none. */
  async read(bucket: string, name: string): Promise<Buffer | undefined> {
    const answer = await fetch(`${this.endpoint}/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}?alt=media`);
    return answer.status === 404 ? undefined : Buffer.from(await answer.arrayBuffer());
  }

  /** Names of all objects. */
  async names(bucket: string): Promise<string[]> {
    const { items = [] } = await (await fetch(`${this.endpoint}/storage/v1/b/${bucket}/o`)).json() as { readonly items?: readonly { readonly name: string }[] };
    return items.map(({ name }) => name);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exit;
    }
  }
}
