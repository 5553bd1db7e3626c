import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { get } from 'node:https';

/**
 * A second API server of the test cluster, on the same etcd: it can be killed without anybody else's noticing. With a prefix of its own in etcd it has nothing of the
 * first one's.
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
        if (command[0]?.endsWith('/kube-apiserver') && readlinkSync(`/proc/${pid}/ns/net`) === network) return new SecondApiServer(command, port, prefix);
      } catch {
        // A process that has ended by now.
      }
    }
    throw new Error('the API server of the test cluster does not run in this network');
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Starts it, and waits until it serves. */
  async start(): Promise<void> {
    const [program, ...flags] = this.command;
    const others = flags.filter((flag) => !/^--(secure-port|bind-address|audit-)/.test(flag));
    // It is not to be found by others.
    const child = this.child = spawn(program!, [...others, `--secure-port=${this.port}`, '--bind-address=127.0.0.1', '--endpoint-reconciler-type=none', ...(this.prefix === undefined ? [] : [`--etcd-prefix=${this.prefix}`])], { stdio: 'ignore' });
    const failure = new Promise<never>((_, reject) => child.once('exit', (code) => reject(new Error(`the second API server ended with ${code}`))).once('error', reject));
    failure.catch(() => {});
    while (!await Promise.race([this.isReady(), failure])) await new Promise((resolve) => setTimeout(resolve, 200));
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
