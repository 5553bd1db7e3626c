import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Message of an operator that exits, as it has lost its Lease and its work does not end. */
const STUCK = /the work was broken off and does not end/;
/** An operator that exits more often than this has another reason than a busy machine. */
const MAX_RESTARTS = 3;

/** The environment of an operator that can be asked for its CPU time and memory. */
export const REPORTS_USAGE = { NODE_OPTIONS: `--require ${join(__dirname, 'report-usage.cjs')}` };

/**
 * A running operator: the bundle that the image runs, as a process of its own. One that ends itself to be started again, which with the short Leases of tests a
 * machine with too much to do is enough for, is started again a few times, as the kubelet would do.
 */
export class OperatorProcess {
  /** Every line of its log, as JSON. */
  public readonly log: any[] = [];
  private child: ChildProcess;
  private readonly start: () => ChildProcess;
  private readonly waiting = new Set<() => void>();
  /** Where the lines of the present process begin. */
  private begin = 0;
  private restarts = 0;
  private isStopped = false;
  private hasEnded = false;
  private usageReports = 0;

  /**
   * @param environment more variables than those of the tests
   * @param around makes the command line from that of the program, such as to limit its memory.
   * @default - as it is
   */
  constructor(flags: readonly string[], environment: Record<string, string> = {}, around: (argv: readonly string[]) => readonly string[] = (argv) => argv) {
    // Words such as `webhook start` precede all flags.
    const words = flags.slice(0, flags.findIndex((flag) => flag.startsWith('--')));
    const given = flags.slice(words.length);
    // The console has no metrics, and serves its health at its own address.
    const addresses = words[0] === 'console' ? [] : ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0'];
    const args = [join(__dirname, '../../runtime/operator.cjs'), ...words, ...addresses, ...given];
    const [program, ...rest] = around([process.execPath, ...args]);
    this.start = () => this.follow(spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } }));
    this.child = this.start();
  }

  /** The id of the present process. */
  get pid(): number {
    return this.child.pid!;
  }

  private follow(child: ChildProcess): ChildProcess {
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.log.push(line.startsWith('{') ? JSON.parse(line) : { msg: line });
        for (const wake of this.waiting) wake();
      });
    }
    // After all of its log.
    child.once('close', (code) => {
      if (code === 1 && !this.isStopped && this.restarts < MAX_RESTARTS && this.log.slice(this.begin).some(({ msg }) => STUCK.test(msg))) this.restart();
      else this.hasEnded = true;
      for (const wake of this.waiting) wake();
    });
    return child;
  }

  private restart(): void {
    this.restarts++;
    this.begin = this.log.length;
    console.info(`an operator ended itself and is started again: ${this.tail()}`);
    this.child = this.start();
  }

  /** Resolves with the first line of the log, past or to come, that fits. Lines before a restart are included. */
  logged(fits: (line: any) => boolean, seconds = 120): Promise<any> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const look = () => {
        const found = this.log.find(fits);
        if (found) done(() => resolve(found));
        else if (this.hasEnded) done(() => reject(new Error(`the operator ended with ${this.child.exitCode}: ${this.tail()}`)));
      };
      const timer = setTimeout(() => done(() => reject(new Error(`not in the log of the operator after ${seconds} s: ${this.tail()}`))), seconds * 1000);
      this.waiting.add(look);
      look();
    });
  }

  /** Resolves when the caches are filled and a controller is at work. */
  async ready(controller = 'spark-application'): Promise<this> {
    await this.logged((line) => line.msg === 'caches are filled, at work' && line.controller === controller && this.isOfNow(line));
    return this;
  }

  /** The ports that it serves on. */
  async ports(): Promise<{ health: number; metrics: number }> {
    return (await this.logged((line) => line.msg === 'serving health and metrics' && this.isOfNow(line))).ports;
  }

  /** Returns the port of its admission webhook once it has a certificate: a Service leads to no Pod before. */
  async webhookPort(): Promise<number> {
    const { port } = await this.logged((line) => line.msg === 'serving the admission webhook' && this.isOfNow(line));
    await this.logged((line) => line.msg === 'the webhook has another certificate' && this.isOfNow(line));
    return port;
  }

  /** Returns the CPU time and, after a garbage collection, the resident memory of a process that was started with `REPORTS_USAGE`. */
  async usage(): Promise<{ readonly cpuMilliseconds: number; readonly memoryBytes: number }> {
    const report = ++this.usageReports;
    this.child.kill('SIGUSR2');
    const { cpu, rss } = await this.logged((line) => line.msg === 'usage' && line.report === report);
    return { cpuMilliseconds: cpu / 1_000, memoryBytes: rss };
  }

  /** Whether the present process has written a line. */
  private isOfNow(line: any): boolean {
    return this.log.includes(line, this.begin);
  }

  /** Ends it: with SIGTERM as the kubelet does, with SIGKILL as a crash does. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.isStopped = true;
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode;
  }

  /** Freezes it, as a node does that has no time for it. `stop('SIGKILL')` still ends it. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** Lets it continue. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** The most memory that the present process has had, in bytes. */
  peakMemory(): number {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))![1]) * 1024;
  }

  private tail(): string {
    return this.log.slice(-15).map((line) => JSON.stringify(line)).join('\n');
  }
}
