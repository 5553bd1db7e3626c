import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../local-cluster/errors.ts';
import { inParallel, type ApiAccess, type ApiClient } from '../api-client.ts';
import { application as benchApplication, applicationName, APPLICATIONS_PATH } from '../application.ts';
import type { Operator } from '../operator.ts';
import { Drivers, type Pace } from './drivers.ts';
import type { SimulatedNodes } from './nodes.ts';
import { Timeline } from './timeline.ts';
import { Watch, type Change } from './watch.ts';

/** Where the applications are. */
export const NAMESPACE = 'bench-life';

const APPLICATIONS = `${APPLICATIONS_PATH}/${NAMESPACE}/sparkapplications`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Applications that are created at the same time: enough for the API server to be busy. */
const CREATORS = 8;

export interface StageOptions {
  readonly executors: number;
  readonly access: ApiAccess;
  /** The same as a client. */
  readonly admin: ApiClient;
  readonly operator: Operator;
  readonly nodes: SimulatedNodes;
}

/** Applications on their way from creation to their end, with somebody who plays their drivers and somebody who looks on. */
export class Stage {
  private readonly options: StageOptions;
  private readonly drivers: Drivers;
  private timeline = new Timeline([]);
  private problem: Error | undefined;
  private watches: readonly Watch[] = [];

  constructor(options: StageOptions) {
    this.options = options;
    const { admin, executors } = options;
    this.drivers = new Drivers({ admin, executors, onProblem: (error) => this.fail(error) });
  }

  /** Begins to look on. */
  async open(): Promise<void> {
    const { admin, access } = this.options;
    const onEnd = (error: Error) => this.fail(error);
    this.watches = await Promise.all([
      Watch.open({ admin, access, path: APPLICATIONS, onEnd, onChange: (change) => this.seeApplication(change) }),
      Watch.open({ admin, access, path: PODS, labelSelector: 'spark-role=driver', onEnd, onChange: (change) => this.seeDriver(change) }),
    ]);
  }

  /**
   * Creates applications and waits until they are COMPLETED.
   *
   * @throws ToolError with what they came to instead, when they end otherwise or not within `seconds`
   */
  async run(first: number, count: number, pace: Pace, seconds: number): Promise<{ readonly began: number; readonly created: number; readonly timeline: Timeline }> {
    const { admin, executors, nodes, operator } = this.options;
    const names = Array.from({ length: count }, (_, index) => applicationName(first + index));
    this.drivers.pace = pace;
    const timeline = this.timeline = new Timeline(names);
    const began = performance.now();
    await inParallel(names, CREATORS, async (name) => {
      await admin.json('POST', APPLICATIONS, application(name, executors));
    });
    const created = performance.now();
    while (!timeline.isOver) {
      await sleep(50);
      if (this.problem) throw this.problem;
      nodes.check();
      operator.cpu(); // throws when it is gone
      if (performance.now() - began > seconds * 1000) throw new ToolError(`after ${seconds} s ${await this.describe()}`);
    }
    if (timeline.problem) throw new ToolError(await this.describe());
    return { began, created, timeline };
  }

  /** How often the API server has cut off what looks on. */
  get cuts(): number {
    return this.watches.reduce((sum, { cuts }) => sum + cuts, 0);
  }

  /** How many executors of those applications are in their statuses as completed. */
  async executorsRecorded(first: number, count: number): Promise<number> {
    const { items } = await this.options.admin.json('GET', APPLICATIONS);
    const names = new Set(Array.from({ length: count }, (_, index) => applicationName(first + index)));
    return items.filter(({ metadata }: any) => names.has(metadata.name))
      .flatMap(({ status }: any) => Object.values(status.executorState ?? {})).filter((state: unknown) => state === 'COMPLETED').length;
  }

  close(): void {
    for (const watch of this.watches) watch.close();
  }

  private seeApplication({ type, object: { metadata, status }, at }: Change): void {
    if (type === 'DELETED') return;
    const { state = '', errorMessage } = status?.applicationState ?? {};
    this.timeline.application(metadata.name, state, at, errorMessage);
  }

  private seeDriver({ type, object, at }: Change): void {
    if (type === 'DELETED') return;
    this.timeline.driver(object.metadata.labels['sparkoperator.k8s.io/app-name'], object.status.phase, at);
    this.drivers.see(object);
  }

  /** The first one is the cause. */
  private fail(error: Error): void {
    this.problem ??= error;
  }

  /** What the applications came to, for an error; with what the pods do, as they are the ones that others move. */
  private async describe(): Promise<string> {
    const { admin, nodes, operator } = this.options;
    const { items } = await admin.json('GET', PODS);
    const counts = new Map<string, number>();
    for (const { metadata, status } of items) {
      const what = `${metadata.labels?.['spark-role'] ?? 'other'} ${status.phase}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    return [
      this.timeline.problem,
      `pods: ${[...counts].map(([what, count]) => `${what}: ${count}`).join(', ') || 'none'}`,
      ...operator.complaints.slice(0, 3).map((line) => `the operator: ${line}`),
      nodes.logTail(),
    ].join('\n');
  }
}

/** An application whose driver the scheduler finds a node for. */
function application(name: string, executors: number): object {
  const { spec, ...rest } = benchApplication(NAMESPACE, name) as any;
  const { 'spark.kubernetes.driver.scheduler.name': _, ...sparkConf } = spec.sparkConf;
  return { ...rest, spec: { ...spec, sparkConf, executor: { ...spec.executor, instances: Math.max(1, executors) } } };
}
