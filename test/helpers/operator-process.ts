import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A running operator: the bundle that the image runs, as a process of its own. */
export class OperatorProcess {
  /** Every line of its log, as JSON. */
  public readonly log: any[] = [];
  private readonly child: ChildProcess;
  private readonly waiting = new Set<() => void>();

  /** @param environment variables besides those of the tests */
  constructor(flags: readonly string[], environment: Record<string, string> = {}) {
    // Words such as `webhook start` stand before all flags.
    const words = flags.slice(0, flags.findIndex((flag) => flag.startsWith('--')));
    const given = flags.slice(words.length);
    // The console has no metrics, and tells its health where it is served.
    const addresses = words[0] === 'console' ? [] : ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0'];
    this.child = spawn(process.execPath, [join(__dirname, '../../runtime/operator.cjs'), ...words, ...addresses, ...given], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.log.push(line.startsWith('{') ? JSON.parse(line) : { msg: line });
        for (const wake of this.waiting) wake();
      });
    }
    this.child.once('exit', () => {
      for (const wake of this.waiting) wake();
    });
  }

  /** Resolves with the first line of the log, past or to come, that fits. */
  logged(fits: (line: any) => boolean, seconds = 20): Promise<any> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const look = () => {
        const found = this.log.find(fits);
        if (found) done(() => resolve(found));
        else if (this.child.exitCode !== null) done(() => reject(new Error(`the operator ended with ${this.child.exitCode}: ${this.tail()}`)));
      };
      const timer = setTimeout(() => done(() => reject(new Error(`not in the log of the operator after ${seconds} s: ${this.tail()}`))), seconds * 1000);
      this.waiting.add(look);
      look();
    });
  }

  /** Resolves when the caches are filled and a controller is at work. */
  async ready(controller = 'spark-application'): Promise<this> {
    await this.logged((line) => line.msg === 'caches are filled, at work' && line.controller === controller);
    return this;
  }

  /** The ports that it serves on. */
  async ports(): Promise<{ health: number; metrics: number }> {
    return (await this.logged((line) => line.msg === 'serving health and metrics')).ports;
  }

  /** Ends it: with SIGTERM as the kubelet does, with SIGKILL as a crash does. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode;
  }

  /** Lets it stand still, as a node does that has no time for it. `stop('SIGKILL')` ends it all the same. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** Lets it go on. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  private tail(): string {
    return this.log.slice(-15).map((line) => JSON.stringify(line)).join('\n');
  }
}
