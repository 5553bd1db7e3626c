import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.ts';
import type { Scenario } from './figures.ts';
import { install, kubeconfig, nodeFlags, type Installation } from './installation.ts';
import { Operator } from './operator.ts';
import { Watch, type WatchOptions } from './watch.ts';

/** The subject of a measurement. */
export interface Task {
  readonly scenario: Scenario;
  readonly quick: boolean;
  /** Folder of a compiled checkout of this repository. */
  readonly checkout: string;
  /** Folder for CPU profiles of the operator. @default - none are written */
  readonly cpuProf?: string;
  /** Folder of the jars of Spark, for `submission`. */
  readonly jars?: string;
  /** Path of kwok, for `population`. */
  readonly kwok?: string;
}

/** Processors that other programs, or the hypervisor, can take before figures are doubtful. */
const [MAX_OTHERS, MAX_STOLEN] = [0.15, 0.05];

/** Dependencies of a scenario in a cluster: the API server, operators, watches and the list of doubts. */
export class Context {
  readonly task: Task;
  readonly installation: Installation;
  readonly admin: ApiClient;
  /** For temporary files. */
  readonly folder = mkdtempSync(join(tmpdir(), 'bench-'));
  private readonly noted = new Set<string>();
  private readonly operators: Operator[] = [];
  private readonly watches: Watch[] = [];
  private problem: Error | undefined;

  constructor(task: Task, namespaces: readonly string[]) {
    this.task = task;
    this.progress('installing the operator');
    this.installation = install(task.checkout, namespaces);
    this.admin = new ApiClient(this.installation.admin, 16);
  }

  /** Reasons why the figures might be wrong. */
  get doubts(): readonly string[] {
    const cuts = this.watches.reduce((sum, watch) => sum + watch.cuts, 0);
    const complaints = this.operators.flatMap((operator) => operator.complaints);
    return [
      ...this.noted,
      ...(cuts > 0 ? [`the API server cut off a watch of the benchmark ${cuts} times, so that it saw changes later`] : []),
      ...(complaints.length > 0 ? [`the operator logged ${complaints.length} warnings and errors, first: ${complaints[0]}`] : []),
    ];
  }

  readonly progress = (text: string): void => console.error(`… ${text}`);

  doubt(text: string): void {
    this.noted.add(text);
  }

  /** Notes a doubt if other programs were busy. */
  doubtLoad(phase: string, { others, stolen }: { readonly others: number; readonly stolen: number }): void {
    if (others > MAX_OTHERS) this.doubt(`other processes kept ${others.toFixed(2)} processors busy (${phase})`);
    if (stolen > MAX_STOLEN) this.doubt(`the hypervisor kept ${stolen.toFixed(2)} processors for others (${phase})`);
  }

  /** Starts an operator, and does not wait for it. @param server default: the API server */
  async spawnOperator(namespaces: readonly string[], server?: string): Promise<Operator> {
    const { installation: { serviceAccount, flags }, task: { checkout, cpuProf }, folder } = this;
    const node = nodeFlags(checkout);
    const profile = cpuProf === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${cpuProf}`];
    const operator = await Operator.spawn({
      file: join(checkout, 'runtime/operator.cjs'),
      kubeconfig: kubeconfig(folder, serviceAccount, server ?? `https://${serviceAccount.host}:${serviceAccount.port}`),
      namespaces, flags, node: { ...node, flags: [...node.flags, ...profile] },
    });
    this.operators.push(operator);
    return operator;
  }

  /** Starts an operator, and resolves when its caches are filled. */
  async startOperator(namespaces: readonly string[], server?: string): Promise<Operator> {
    const operator = await this.spawnOperator(namespaces, server);
    await operator.ready();
    return operator;
  }

  /** Watches a collection until the end of the scenario. */
  async watch(options: Pick<WatchOptions, 'path' | 'labelSelector' | 'onChange'>): Promise<void> {
    this.watches.push(await Watch.open({ ...options, admin: this.admin, access: this.installation.admin, onEnd: this.fail }));
  }

  /** Keeps the error of work that nothing awaits yet, for `until`. The first one is the cause. */
  readonly fail = (error: Error): void => {
    this.problem ??= error;
  };

  /**
   * Waits until something holds.
   *
   * @param operator it has to be alive
   * @throws Error after `seconds`, with the state that `describe` returns, or when something failed meanwhile
   */
  async until(operator: Operator, holds: () => boolean, seconds: number, describe: () => string): Promise<void> {
    for (const end = performance.now() + seconds * 1000; !holds(); await sleep(50)) {
      if (this.problem) throw this.problem;
      operator.cpu();
      if (performance.now() > end) throw new Error([`after ${seconds} s: ${describe()}`, ...this.doubts].join('\n'));
    }
    if (this.problem) throw this.problem;
  }

  async close(): Promise<void> {
    for (const watch of this.watches) watch.close();
    await Promise.all(this.operators.map((operator) => operator.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
