import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../local-cluster/errors.ts';
import { ApiClient, inParallel, type ApiAccess } from '../api-client.ts';
import { application as benchApplication, applicationName, APPLICATIONS_PATH } from '../application.ts';
import { Drivers, LATE_LABEL, type Pace } from './drivers.ts';
import { ExecutorLag } from './executor-lag.ts';
import { Kubelets } from './kubelets.ts';
import type { Size } from './measurements.ts';
import type { SimulatedNodes } from './nodes.ts';
import { Scheduler } from './scheduler.ts';
import type { Timeline } from './timeline.ts';
import { Watch, type Change } from './watch.ts';

/** Where the applications are: as many namespaces as a cluster of this size may have, as the cluster's own controllers look at all Services of a namespace for each pod of it. */
export const NAMESPACES = Array.from({ length: 10 }, (_, index) => `bench-team-${index}`);

const APPLICATIONS = `${APPLICATIONS_PATH.replace(/\/namespaces$/, '')}/sparkapplications`;
const PODS = '/api/v1/pods';

/** Applications that are created at the same time: enough for the API server to be busy. */
const CREATORS = 8;
/** How often people are told how far it is, in milliseconds. */
const TELL_INTERVAL = 30_000;
/** Calls of all drivers that are under way at the same time. */
const DRIVER_CALLS = 16;
/** The same of all kubelets and the scheduler. */
const KUBELET_CALLS = 16;

export interface StageOptions {
  readonly access: ApiAccess;
  readonly nodes: SimulatedNodes;
  /** Throws when the operator is gone. */
  readonly check: () => void;
  /** What the operator complained about. */
  readonly complaints: () => readonly string[];
  /** Tells people how far it is. */
  readonly progress: (text: string) => void;
}

const APPLICATION_LABEL = 'sparkoperator.k8s.io/app-name';

/** Applications on their way from creation to their end, with somebody who plays their drivers and somebody who looks on. */
export class Stage {
  readonly drivers: Drivers;
  readonly executorLag = new ExecutorLag();
  /** Those that are finished. */
  finished = 0;
  private readonly options: StageOptions;
  private readonly creator: ApiClient;
  private readonly actor: ApiClient;
  private readonly kubelet: ApiClient;
  private readonly kubelets: Kubelets;
  private readonly scheduler: Scheduler;
  /** Drivers whose kubelet has seen them. */
  private readonly seen = new Set<string>();
  private readonly timelines = new Set<Timeline>();
  private readonly completed = new Set<string>();
  private created = 0;
  private problem: Error | undefined;
  private watches: readonly Watch[] = [];

  constructor(options: StageOptions) {
    this.options = options;
    const { access, nodes } = options;
    this.creator = new ApiClient(access, CREATORS);
    this.actor = new ApiClient(access, DRIVER_CALLS);
    this.kubelet = new ApiClient(access, KUBELET_CALLS);
    this.kubelets = new Kubelets({
      client: this.kubelet, onProblem: this.fail, onRunning: ({ metadata: { labels } }) => labels?.['spark-role'] === 'driver' && this.driverIs('Running', labels[APPLICATION_LABEL]!),
    });
    this.scheduler = new Scheduler({ client: this.kubelet, nodes: nodes.count, onProblem: this.fail });
    this.drivers = new Drivers({ client: this.actor, nodes: nodes.count, kubelets: this.kubelets, onProblem: this.fail, onEnded: (driver) => this.driverIs('Succeeded', driver.application) });
  }

  /** Begins to look on. */
  async open(): Promise<void> {
    const { creator: admin, options: { access } } = this;
    const onEnd = (error: Error) => this.fail(error);
    this.watches = await Promise.all([
      Watch.open({ admin, access, path: APPLICATIONS, onEnd, onChange: (change) => this.seeApplication(change) }),
      Watch.open({ admin, access, path: PODS, labelSelector: 'spark-role=driver', onEnd, onChange: (change) => this.seeDriver(change) }),
      Watch.open({ admin, access, path: PODS, labelSelector: LATE_LABEL, onEnd, onChange: (change) => this.seeExecutor(change) }),
    ]);
  }

  /** Names for applications that are still to be created. */
  newNames(count: number): string[] {
    return Array.from({ length: count }, () => applicationName(this.created++));
  }

  /** Has what is seen of applications noted, and told from time to time, until it is told to stop. */
  follow(timeline: Timeline): () => void {
    this.timelines.add(timeline);
    const timer = setInterval(() => this.options.progress(`  ${timeline.progress}`), TELL_INTERVAL).unref();
    return () => {
      clearInterval(timer);
      this.timelines.delete(timeline);
    };
  }

  /** Creates an application. */
  async create(name: string, executors: number): Promise<void> {
    const namespace = namespaceOf(name);
    await this.creator.json('POST', `${APPLICATIONS_PATH}/${namespace}/sparkapplications`, application(namespace, name, executors));
    // Its watch may be late.
    const at = performance.now();
    for (const timeline of this.timelines) timeline.answered(name, at);
  }

  /** Creates applications as fast as the API server takes them. */
  async createAll(names: readonly string[], pace: Pace): Promise<void> {
    this.drivers.pace = pace;
    await inParallel(names, CREATORS, async (name) => this.create(name, pace.executors));
  }

  /**
   * Waits until something holds.
   *
   * @throws ToolError with what the applications came to instead, when it does not within `seconds`, or cannot any more
   */
  async until(timeline: Timeline, holds: () => boolean, seconds: number): Promise<void> {
    for (const began = performance.now(); !holds(); await sleep(50)) {
      this.check();
      if (performance.now() - began > seconds * 1000) throw new ToolError(`after ${seconds} s ${await this.describe(timeline)}`);
    }
  }

  /** @throws Error if something is gone that is needed */
  check(): void {
    if (this.problem) throw this.problem;
    this.options.nodes.check();
    this.options.check();
  }

  /** @throws ToolError unless all applications are COMPLETED */
  async checkCompleted(timeline: Timeline): Promise<void> {
    if (timeline.problem) throw new ToolError(await this.describe(timeline));
  }

  /** What there is at this moment. */
  size(applications: number, finished = this.finished): Size {
    const { running, ended } = this.drivers;
    const pods = [...running.values()].reduce((sum, { executors }) => sum + 1 + executors.size, ended);
    return { applications, pods, finished };
  }

  /** How often the API server has cut off what looks on. */
  get cuts(): number {
    return this.watches.reduce((sum, { cuts }) => sum + cuts, 0);
  }

  close(): void {
    for (const watch of this.watches) watch.close();
    for (const client of [this.creator, this.actor, this.kubelet]) client.close();
  }

  private seeApplication({ type, object: { metadata: { name }, status }, at }: Change): void {
    if (type === 'DELETED') return;
    const { state = '', errorMessage } = status?.applicationState ?? {};
    const states = status?.executorState ?? {};
    const executors = { running: 0, completed: 0 };
    for (const executor in states) {
      if (states[executor] === 'RUNNING') executors.running++;
      else if (states[executor] === 'COMPLETED') executors.completed++;
    }
    for (const timeline of this.timelines) timeline.application(name, { state, message: errorMessage, executors }, at);
    this.executorLag.seeStatus(name, states, at);
    if (state !== 'COMPLETED' || this.completed.has(name)) return;
    this.completed.add(name);
    this.finished++;
  }

  private seeDriver({ type, object, at }: Change): void {
    if (type === 'DELETED') return;
    const { metadata: { uid, labels }, spec: { nodeName } } = object;
    for (const timeline of this.timelines) timeline.driver(labels[APPLICATION_LABEL], object.status.phase, at);
    this.scheduler.see(object);
    if (nodeName !== undefined && !this.seen.has(uid)) {
      this.seen.add(uid);
      this.kubelets.run(object);
    }
    this.drivers.see(object);
  }

  /** The API server has answered so. The watch may be late, and lags would be too short. */
  private driverIs(phase: string, name: string): void {
    const at = performance.now();
    for (const timeline of this.timelines) timeline.driver(name, phase, at);
  }

  private seeExecutor({ type, object, at }: Change): void {
    if (type === 'DELETED' || object.status.phase !== 'Running') return;
    this.executorLag.runs(object.metadata.labels[APPLICATION_LABEL], object.metadata.name, at);
  }

  /** Something went wrong that is under way, and that nobody waits for yet: `check` tells. The first one is the cause. */
  readonly fail = (error: Error): void => {
    this.problem ??= error;
  };

  /** What the applications came to, for an error; with what the drivers do, as they are the ones that others move. */
  private async describe(timeline: Timeline): Promise<string> {
    const { items } = await this.creator.json('GET', `${PODS}?labelSelector=${encodeURIComponent('spark-role=driver')}`);
    const counts = new Map<string, number>();
    for (const { status } of items) counts.set(status.phase, (counts.get(status.phase) ?? 0) + 1);
    return [
      timeline.problem,
      `drivers: ${[...counts].map(([phase, count]) => `${phase}: ${count}`).join(', ') || 'none'}`,
      ...this.options.complaints().slice(0, 3).map((line) => `the operator: ${line}`),
      this.options.nodes.logTail(),
    ].join('\n');
  }
}

/** Applications are spread over the namespaces. */
export function namespaceOf(name: string): string {
  return NAMESPACES[Number(/\d+$/.exec(name)![0]) % NAMESPACES.length]!;
}

/** An application whose driver waits for a scheduler. */
function application(namespace: string, name: string, executors: number): object {
  const { spec, ...rest } = benchApplication(namespace, name) as any;
  const { template: _, ...driver } = spec.driver;
  return { ...rest, spec: { ...spec, driver, executor: { ...spec.executor, instances: Math.max(1, executors) } } };
}
