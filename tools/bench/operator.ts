import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './children.ts';
import { cpuOf, total, type CpuTime } from './machine.ts';
import { readMetrics, type Scraped } from './operator-metrics.ts';

/** What is loaded into the operator to make a profile. */
const PROFILE_HOOK = fileURLToPath(new URL('profile-hook.cjs', import.meta.url));

const DOCKERFILE = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** Flags of Node that the image has, too. */
const NODE_FLAGS = /^ENTRYPOINT \["node", (.*), "\S+"\]$/m.exec(DOCKERFILE)![1]!.split(', ').map((flag) => JSON.parse(flag) as string);

/** Its variables. */
const ENVIRONMENT = Object.fromEntries([...DOCKERFILE.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!]));

/** What an operator is started with. */
export interface OperatorOptions {
  /** The bundle. */
  readonly file: string;
  readonly kubeconfig: string;
  /** The one with applications, or several with commas in between. */
  readonly namespace: string;
  /** Those of the Deployment; namespaces and addresses in there are replaced. */
  readonly flags: readonly string[];
  readonly workers: number;
  /** Where it puts a CPU profile, which a SIGUSR2 begins and the next one ends. @default - none is made */
  readonly profile?: string;
  /** Whether the profile begins with the process. @default false */
  readonly profileStart?: boolean;
  /** Told of each line of the log, once it is read. @default - nobody is told */
  readonly onLog?: (entry: LogEntry) => void;
}

/** A line of the log. */
export interface LogEntry {
  readonly level: string;
  /** RFC 3339. */
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: any;
}

/** A running operator: the file that the image runs, as a process of its own, and what its log says of the submissions. */
export class Operator {
  /** When each application became SUBMITTED, in milliseconds since the epoch, by the operator's own log. */
  readonly submitted: number[] = [];
  /** Milliseconds of each time that it collected all garbage at once. */
  readonly collections: number[] = [];
  private readonly child: ChildProcess;
  private readonly lastLines: string[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly grave: string[] = [];
  private readonly onLog: OperatorOptions['onLog'];
  private readonly namespaces: number;
  private ports?: { readonly metrics: number };
  private readonly synced: number[] = [];

  constructor({ file, kubeconfig, namespace, flags, workers, profile, profileStart = false, onLog }: OperatorOptions) {
    this.onLog = onLog;
    this.namespaces = namespace.split(',').length;
    const own = {
      'namespaces': namespace, 'metrics-bind-address': '127.0.0.1:0', 'health-probe-bind-address': '127.0.0.1:0', 'controller-threads': workers, kubeconfig,
    };
    const kept = flags.filter((flag) => !Object.keys(own).includes(flag.slice(2).split('=', 1)[0]!));
    const args = [...kept, ...Object.entries(own).map(([flag, value]) => `--${flag}=${value}`)];
    const hook = profile === undefined ? [] : ['--require', PROFILE_HOOK];
    const env = { ...process.env, ...ENVIRONMENT, ...(profile !== undefined && { BENCH_PROFILE: profile }), ...(profileStart && { BENCH_PROFILE_START: '1' }) };
    this.child = spawn(process.execPath, [...NODE_FLAGS, ...hook, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [this.child.stdout!, this.child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.read(line));
    endWithUs(this.child);
    this.child.once('exit', () => this.wake());
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Warnings and errors in the log. */
  get complaints(): readonly string[] {
    return this.grave;
  }

  /** CPU time since the start. */
  cpu(): CpuTime {
    const cpu = cpuOf(this.pid);
    if (!cpu) throw new Error(this.describe('the operator is gone'));
    return cpu;
  }

  /** Resolves when the caches are filled. @returns when that was, in milliseconds since the epoch */
  async ready(): Promise<number> {
    await this.until(() => this.synced.length >= this.namespaces, 60, 'does not get to work');
    return Math.max(...this.synced);
  }

  /** Resolves when so many applications are SUBMITTED. */
  async hasSubmitted(count: number, seconds: number): Promise<void> {
    await this.until(() => this.submitted.length >= count, seconds, () => `has submitted ${this.submitted.length} applications instead of ${count}`);
  }

  /** Resolves when the process has nothing to do any more: what it writes behind the status, such as events, is part of the work. */
  async idle(seconds = 20): Promise<void> {
    const end = performance.now() + seconds * 1000;
    for (let before = total(this.cpu()), calm = 0; calm < 3 && performance.now() < end;) {
      await sleep(200);
      const now = total(this.cpu());
      calm = now - before <= 10 ? calm + 1 : 0;
      before = now;
    }
  }

  /** What it tells Prometheus. */
  async metrics(): Promise<Scraped> {
    return readMetrics(await (await fetch(`http://127.0.0.1:${this.ports!.metrics}/metrics`)).text());
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGCONT');
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await exit;
    clearTimeout(killer);
  }

  private read(line: string): void {
    this.lastLines.push(line.slice(0, 500));
    if (this.lastLines.length > 10) this.lastLines.shift();
    if (!line.startsWith('{')) return;
    const entry: LogEntry = JSON.parse(line);
    const { level, time, msg, state, ports, controller, milliseconds } = entry;
    if (state === 'SUBMITTED') this.submitted.push(Date.parse(time));
    else if (msg === 'caches are filled, at work' && controller === 'spark-application') this.synced.push(Date.parse(time));
    else if (msg === 'serving health and metrics') this.ports = ports;
    else if (msg === 'gave back memory that a burst had needed, in MiB') this.collections.push(milliseconds);
    else if (level !== 'info' && level !== 'debug' && this.grave.length < 20) this.grave.push(line.slice(0, 500));
    this.onLog?.(entry);
    this.wake();
  }

  private wake(): void {
    for (const look of this.waiting) look();
  }

  private until(holds: () => boolean, seconds: number, problem: string | (() => string)): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const fail = (why: string) => done(() => reject(new Error(this.describe(`the operator ${why}`))));
      const text = () => (typeof problem === 'string' ? problem : problem());
      const look = () => {
        if (holds()) done(resolve);
        else if (this.child.exitCode !== null || this.child.signalCode !== null) fail(`ended and ${text()}`);
      };
      const timer = setTimeout(() => fail(`${text()} after ${seconds} s`), seconds * 1000);
      this.waiting.add(look);
      look();
    });
  }

  private describe(problem: string): string {
    return [`${problem}; its log ends with`, ...this.lastLines.map((line) => `  ${line}`)].join('\n');
  }
}
