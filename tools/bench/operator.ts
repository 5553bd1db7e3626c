import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls } from './figures.ts';
import { freePort, withFlags } from './installation.ts';
import { cpuOf } from './machine.ts';

export interface OperatorOptions {
  /** The bundle. */
  readonly file: string;
  readonly kubeconfig: string;
  readonly namespaces: readonly string[];
  /** Flags of the Deployment; namespaces and addresses are replaced. */
  readonly flags: readonly string[];
  /** Flags and variables of Node. */
  readonly node: { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** Counters of the operator since its start. */
export interface Metrics {
  /** Calls by HTTP method, such as `POST pods`, without watches and calls for Leases. */
  readonly calls: Calls;
  /** Bytes that it read. */
  readonly received: number;
  /** Objects that wait in its queues. */
  readonly queue: number;
}

/** Metrics of a process that was just started. */
export const NO_METRICS: Metrics = { calls: {}, received: 0, queue: 0 };

/** HTTP methods of verbs that have another name. */
const METHODS: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/** The operator as a process. */
export class Operator {
  /** Warnings and errors in its log. */
  readonly complaints: string[] = [];
  private readonly child: ChildProcess;
  private readonly ports: { readonly metrics: number; readonly health: number };
  private readonly lastLines: string[] = [];

  private constructor(child: ChildProcess, ports: Operator['ports']) {
    this.child = child;
    this.ports = ports;
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.read(line));
  }

  /** Starts the process, and does not wait for it. */
  static async spawn({ file, kubeconfig, namespaces, flags, node }: OperatorOptions): Promise<Operator> {
    const ports = { metrics: await freePort(), health: await freePort() };
    const args = withFlags(flags, {
      'namespaces': namespaces.join(','), 'metrics-bind-address': `127.0.0.1:${ports.metrics}`,
      'health-probe-bind-address': `127.0.0.1:${ports.health}`, kubeconfig,
    });
    const options = { stdio: ['ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[], env: { ...process.env, ...node.env } };
    return new Operator(spawn(process.execPath, [...node.flags, file, ...args], options), ports);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Returns its CPU time since the start in milliseconds. @throws Error when it is gone */
  cpu(): number {
    const cpu = this.hasEnded ? undefined : cpuOf(this.pid);
    if (cpu === undefined) throw new Error(this.describe('the operator ended'));
    return cpu;
  }

  /** Resolves when /readyz answers 200: its caches are filled. */
  async ready(seconds = 60): Promise<void> {
    for (const end = performance.now() + seconds * 1000; ; await sleep(50)) {
      this.cpu();
      const answer = await fetch(`http://127.0.0.1:${this.ports.health}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      const text = answer ? await answer.text() : 'no answer';
      if (performance.now() > end) throw new Error(this.describe(`the operator is not ready after ${seconds} s: ${text}`));
    }
  }

  /** Resolves when it used no more CPU time for a moment: it writes events after the status. */
  async idle(seconds = 20): Promise<void> {
    const end = performance.now() + seconds * 1000;
    for (let before = this.cpu(), calm = 0; calm < 3 && performance.now() < end;) {
      await sleep(200);
      const now = this.cpu();
      calm = now - before <= 10 ? calm + 1 : 0;
      before = now;
    }
  }

  async metrics(): Promise<Metrics> {
    return parseMetrics(await (await fetch(`http://127.0.0.1:${this.ports.metrics}/metrics`)).text());
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGCONT');
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await exit;
    clearTimeout(killer);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private read(line: string): void {
    this.lastLines.push(line.slice(0, 500));
    if (this.lastLines.length > 10) this.lastLines.shift();
    if (!line.startsWith('{')) return;
    const { level } = JSON.parse(line);
    if (level !== 'info' && level !== 'debug' && this.complaints.length < 20) this.complaints.push(line.slice(0, 500));
  }

  private describe(problem: string): string {
    return [`${problem}; its log ends with`, ...this.lastLines.map((line) => `  ${line}`)].join('\n');
  }
}

/** Reads the metrics of the operator in the text format of Prometheus. */
export function parseMetrics(text: string): Metrics {
  const calls: Record<string, number> = {};
  let [received, queue] = [0, 0];
  for (const [, name, labels = '', value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const label = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(labels)?.[1] ?? '';
    const [verb, resource] = [label('verb'), label('resource')];
    if (name === 'workqueue_depth') queue += Number(value);
    if (name === 'spark_operator_kubernetes_received_bytes_total') received += Number(value);
    if (name === 'spark_operator_kubernetes_requests_total' && verb !== 'watch' && resource !== 'leases') {
      const call = `${METHODS[verb] ?? verb.toUpperCase()} ${resource}`;
      calls[call] = (calls[call] ?? 0) + Number(value);
    }
  }
  return { calls, received, queue };
}

/** Returns the calls between two readings. */
export function callsBetween(before: Calls, after: Calls): Calls {
  const differences = Object.entries(after).map(([call, count]) => [call, count - (before[call] ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, count]) => count > 0));
}
