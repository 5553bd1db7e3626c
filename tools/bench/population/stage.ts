import { ApiClient } from '../api-client.ts';
import { application, APPLICATION_LABEL, createAll, createAtRate, newNames, watchDrivers } from '../applications.ts';
import type { Context } from '../context.ts';
import type { Operator } from '../operator.ts';
import { Timeline, type Mark } from '../timeline.ts';
import { nodeName } from './nodes.ts';
import { Drivers, type Driver, type Pace } from './pods.ts';

/** As many as a cluster of this size might have: its own controllers read all Services of a namespace for each pod. */
export const NAMESPACES = Array.from({ length: 10 }, (_, index) => `bench-team-${index}`);

/** Concurrent calls of creators, and of drivers and kubelets. */
const [CREATORS, PLAYERS] = [8, 24];

export interface Growth extends Pace {
  /** @default - as fast as the API server takes them */
  readonly perSecond?: number;
  /** The mark that all have to reach. */
  readonly until: Mark;
  /** Seconds for that. */
  readonly seconds: number;
}

/** Applications from creation to their end, with played drivers, and watches of both. */
export class Stage {
  /** From a change of an executor to the status that shows it, in milliseconds. */
  readonly executorLag: number[] = [];
  readonly drivers: Drivers;
  private readonly context: Context;
  private readonly creator: ApiClient;
  private readonly timelines = new Set<Timeline>();
  /** Executors whose status is awaited, by application: whether they run, and since when. */
  private readonly awaited = new Map<string, Map<string, { readonly runs: boolean; readonly since: number }>>();
  private created = 0;
  private pods = 0;
  private readonly nodes: number;

  private constructor(context: Context, nodes: number) {
    this.context = context;
    this.nodes = nodes;
    this.creator = new ApiClient(context.installation.admin, CREATORS);
    this.drivers = new Drivers({
      client: new ApiClient(context.installation.admin, PLAYERS),
      nextNode: () => this.nextNode(),
      onProblem: context.fail,
      onPhase: (name, phase) => this.seeDriver(name, phase, performance.now()),
      onExecutor: (name, executor) => this.await(name, executor, true),
    });
  }

  /** @param nodes number of nodes */
  static async open(context: Context, nodes: number): Promise<Stage> {
    const stage = new Stage(context, nodes);
    await context.watch({
      path: '/apis/sparkoperator.k8s.io/v1beta2/sparkapplications',
      onChange: ({ type, object, at }) => void (type === 'DELETED' || stage.seeApplication(object, at)),
    });
    await watchDrivers(context, (pod, at) => {
      stage.seeDriver(pod.metadata.labels[APPLICATION_LABEL], pod.status.phase, at);
      stage.drivers.see(pod);
    });
    return stage;
  }

  /** Returns the number of pods: drivers, ended ones too, and executors. */
  get size(): number {
    return [...this.drivers.running.values()].reduce((sum, { executors }) => sum + 1 + executors.size, this.drivers.ended);
  }

  /** Returns the number of changes of executors that no status shows yet. */
  get open(): number {
    return [...this.awaited.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Creates applications, and waits until all have reached a mark. */
  async grow(operator: Operator, count: number, { perSecond, until, seconds, ...pace }: Growth): Promise<Timeline> {
    const bodies = this.newApplications(count, pace.executors);
    const timeline = this.follow(bodies.map(({ metadata }) => metadata.name), pace.executors);
    this.drivers.pace = pace;
    if (perSecond === undefined) await createAll(this.creator, bodies, timeline);
    else await createAtRate(this.context, this.creator, bodies, perSecond, timeline);
    await this.context.until(operator, () => timeline.count(until) === count, seconds, () => timeline.describe());
    this.timelines.delete(timeline);
    return timeline;
  }

  /** Notes what happens to applications from now on. */
  follow(names: readonly string[], executors = 0): Timeline {
    const timeline = new Timeline(names, executors);
    this.timelines.add(timeline);
    return timeline;
  }

  newApplications(count: number, executors: number): any[] {
    const names = newNames('bench', this.created, count);
    this.created += count;
    return names.map((name, index) => {
      const namespace = NAMESPACES[(this.created + index) % NAMESPACES.length]!;
      return application({ namespace, name }, { node: this.nextNode(), executors: Math.max(1, executors) });
    });
  }

  /** Creates one application of `newApplications`. */
  async create(body: object, timeline: Timeline): Promise<void> {
    await createAll(this.creator, [body], timeline);
  }

  /** Deletes an executor and creates another, and measures when the status shows both. */
  async replaceExecutor(driver: Driver): Promise<void> {
    const [executor] = driver.executors;
    if (executor === undefined) return;
    await this.drivers.loseExecutor(driver, executor);
    this.await(driver.application, executor, false);
    await this.drivers.addExecutor(driver);
  }

  private nextNode(): string {
    return nodeName(1 + this.pods++ % this.nodes);
  }

  /** Awaits a status. The first executors of a driver are left out: nothing replaced them. */
  private await(name: string, executor: string, runs: boolean): void {
    const driver = this.drivers.running.get(name);
    if (!driver || (runs && driver.lastId === driver.executors.size)) return;
    const executors = this.awaited.get(name) ?? new Map();
    this.awaited.set(name, executors.set(executor, { runs, since: performance.now() }));
  }

  private seeApplication({ metadata: { name }, status }: any, at: number): void {
    const { state = '', errorMessage: message } = status?.applicationState ?? {};
    const states: Record<string, string> = status?.executorState ?? {};
    const executors = Object.values(states).filter((one) => one === 'RUNNING').length;
    for (const timeline of this.timelines) timeline.application(name, { state, message, executors }, at);
    const awaited = this.awaited.get(name);
    for (const [executor, { runs, since }] of awaited ?? []) {
      if ((states[executor] === 'RUNNING') !== runs || (!runs && states[executor] === undefined)) continue;
      this.executorLag.push(Math.max(0, at - since));
      awaited!.delete(executor);
    }
    if (awaited?.size === 0) this.awaited.delete(name);
  }

  /** Both the answer to a change and the watch come here; the first one is kept. */
  private seeDriver(name: string, phase: string, at: number): void {
    for (const timeline of this.timelines) timeline.driver(name, phase, at);
  }
}
