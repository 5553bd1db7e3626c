import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as connectTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bucketOf, type Bucket } from '../../src/sparkctl/upload/s3/request';

/** Of the one user that it knows. */
export const KEYS = { accessKeyId: 'AKTESTTESTTEST', secretAccessKey: 'a+s3cr3t/of=tests' } as const;

/** A real server of S3's API. */
export class S3Server {
  private readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, private readonly folder: string, public readonly endpoint: string) {
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.log.push(line));
  }

  /**
   * @param program the server
   * @param host the address on which it listens
   */
  static async start(program: string | undefined, host = '127.0.0.1'): Promise<S3Server> {
    if (!program) throw new Error('there is no S3 server: run `npm run test:api` or `npm run test:e2e`');
    const folder = mkdtempSync(join(tmpdir(), 's3-'));
    for (const name of ['objects', 'metadata']) mkdirSync(join(folder, name));
    const port = await freePort();
    const child = spawn(program, ['--port', `${host}:${port}`, '--region', 'us-east-1', '--quiet', 'posix', '--sidecar', join(folder, 'metadata'), join(folder, 'objects')], {
      stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: KEYS.accessKeyId, ROOT_SECRET_KEY: KEYS.secretAccessKey },
    });
    const server = new S3Server(child, folder, `http://${host}:${port}`);
    const end = Date.now() + 20_000;
    while (!await fetch(server.endpoint).then(() => true, () => false)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`the S3 server does not start: ${server.log.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return server;
  }

  /** A bucket, with the rights of its owner. */
  bucket(name: string): Bucket {
    return bucketOf(name, { ...KEYS, region: 'us-east-1', endpoint: this.endpoint });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exit;
    }
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns a port that is free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A way to a server that breaks, or gets stuck. */
export class BrokenLine {
  public readonly endpoint: string;
  /** Connections that were begun. */
  public connections = 0;

  private constructor(private readonly server: Server, private readonly sockets: Set<Socket>) {
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param happens decides what happens to a connection (1 is the first) after so many bytes to the server, on all together; undefined: it continues */
  static async to(endpoint: string, happens: (bytes: number, connection: number) => 'cut' | 'stuck' | undefined): Promise<BrokenLine> {
    const { hostname, port } = new URL(endpoint);
    const sockets = new Set<Socket>();
    let bytes = 0;
    const server = createServer((near) => {
      const connection = ++line.connections;
      const far = connectTcp(Number(port), hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      far.pipe(near);
      near.on('data', (chunk) => {
        bytes += chunk.length;
        const event = happens(bytes, connection);
        if (event === 'cut') near.destroy();
        else if (event === 'stuck') near.pause();
        else far.write(chunk);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new BrokenLine(server, sockets);
    return line;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
