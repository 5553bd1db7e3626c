import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { get } from 'node:https';
import { API_PORT } from '../../../tools/local-cluster/cluster/addresses';

/**
 * Whether a command is that of the test cluster's own API server. Tests that run at the same time start others, some with prefixes of their own in etcd: each has another port.
 */
export function isFirstApiServer([program, ...flags]: readonly string[]): boolean {
  return program?.endsWith('/kube-apiserver') === true && flags.includes(`--secure-port=${API_PORT}`);
}

/**
 * The command of a second one, which pods and controllers do not find.
 *
 * @param first the command of the first one
 * @param prefix where in etcd its objects are. @default - those of the first one
 */
export function secondCommand(first: readonly string[], port: number, prefix?: string): string[] {
  const same = first.filter((flag) => !/^--(secure-port|bind-address|audit-)/.test(flag));
  return [...same, `--secure-port=${port}`, '--bind-address=127.0.0.1', '--endpoint-reconciler-type=none', ...(prefix === undefined ? [] : [`--etcd-prefix=${prefix}`])];
}

/**
 * A second API server of the test cluster, on the same etcd: killing it disturbs no other test. With a prefix of its own in etcd it has none of the
 * first one's objects.
 */
export class SecondApiServer {
  private child?: ChildProcess;

  private constructor(private readonly command: readonly string[], private readonly port: number, private readonly prefix?: string) {}

  /**
   * Finds out how the first one was started.
   *
   * @param prefix where in etcd its objects are. @default - those of the first one
   */
  static find(port: number, prefix?: string): SecondApiServer {
    const network = readlinkSync('/proc/self/ns/net');
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
        if (isFirstApiServer(command) && readlinkSync(`/proc/${pid}/ns/net`) === network) return new SecondApiServer(command, port, prefix);
      } catch {
        // A process that has ended by now.
      }
    }
    throw new Error('the API server of the test cluster does not run in this network');
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /**
   * Starts it, and waits until it serves.
   *
   * @throws an error with what it has printed last, if it ends, or does not serve within two minutes
   */
  async start(): Promise<void> {
    const [program, ...flags] = secondCommand(this.command, this.port, this.prefix);
    const child = this.child = spawn(program!, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => { printed = (printed + text).slice(-2_000); });
    const failure = new Promise<never>((_, reject) => child.once('exit', (code) => reject(new Error(`the second API server ended with ${code}: ${printed}`))).once('error', reject));
    failure.catch(() => {});
    const deadline = Date.now() + 120_000;
    while (!await Promise.race([this.isReady(), failure])) {
      if (Date.now() > deadline) throw new Error(`the second API server does not serve: ${printed}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Kills it. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  private isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const request = get(`${this.url}/readyz`, { rejectUnauthorized: false, timeout: 5_000 }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      request.once('error', () => resolve(false)).once('timeout', () => request.destroy());
    });
  }
}
