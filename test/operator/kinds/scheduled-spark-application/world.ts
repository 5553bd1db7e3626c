import type { ScheduledSparkApplicationSpec } from '../../../../src/api/scheduled-spark-application';
import { ANNOTATION_SCHEDULED_AT, LABEL_SCHEDULED_APP_NAME } from '../../../../src/api/labels';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import type { TimestampPrecision } from '../../../../src/model/timestamp-precision';
import type { KubeClient } from '../../../../src/kube/client';
import { silentLogger } from '../../../../src/kube/logger';
import type { KubeObject, Ref } from '../../../../src/kube/objects';
import type { Resource } from '../../../../src/kube/resource';
import { Store } from '../../../../src/kube/store';
import { OPERATOR_CLIENT } from '../../../../src/model/installation';
import { SPARK_APPLICATIONS } from '../../../../src/model/resources';
import type { Count } from '../../../../src/operator/kinds/scheduled-spark-application/decision';
import { BY_SCHEDULE_KEY, scheduleKeyOfDriver } from '../../../../src/operator/kinds/scheduled-spark-application/drivers';
import { BY_SCHEDULE, scheduleUidsOf, type ScheduledSparkApplication } from '../../../../src/model/scheduled-spark-application';
import { transform as transformSchedule } from '../../../../src/operator/kinds/scheduled-spark-application/transform';
import type { IntervalLimit } from '../../../../src/plan/schedule/interval-limit';
import { ScheduledSparkApplicationReconciler } from '../../../../src/operator/kinds/scheduled-spark-application/reconciler';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { transform } from '../../../../src/operator/kinds/spark-application/transform';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Calls } from '../spark-application/helpers';

/** The schedule of all tests. */
export const KEY = 'jobs/nightly';
const SCHEDULE = `scheduledsparkapplications ${KEY}`;

export type Spec = Partial<ScheduledSparkApplicationSpec>;

/** An API server that knows what schedules need: times of creation, preconditions, generations. */
export class Server extends Calls {
  /** Called with each created run. */
  onCreated: (run: SparkApplication) => void = () => undefined;
  /** Told before each deletion. */
  onDelete: (name: string) => void = () => undefined;
  /** Fields of the status that it does not keep. */
  drops: readonly string[] = [];
  /** By how much its clock is behind that of the operator, in milliseconds. */
  behind = 0;

  constructor(readonly clock: ManualClock) {
    super();
  }

  /** Returns the version of a list; it increases with each write, and with each deletion. */
  get resourceVersion(): string {
    return String(this.latest);
  }

  private latest = 0;

  override put(key: string, object: any) {
    const stored = super.put(key, object);
    this.latest = Number(stored.metadata.resourceVersion);
    return stored;
  }

  override async create(resource: Resource, object: KubeObject) {
    const key = this.key(resource, object.metadata);
    const wasThere = this.objects.has(key);
    try {
      return await super.create(resource, { ...object, metadata: { ...object.metadata, creationTimestamp: rfc(this.clock.now() - this.behind) } });
    } finally {
      // Even without a watch event.
      if (!wasThere && this.objects.has(key) && resource.plural === SPARK_APPLICATIONS.plural) this.onCreated(this.objects.get(key));
    }
  }

  override async updateStatus(resource: Resource, object: any) {
    const status = Object.fromEntries(Object.entries(object.status).filter(([name]) => !this.drops.includes(name)));
    return super.updateStatus(resource, { ...object, status } as SparkApplication);
  }

  /** Pods that have a grace, which do not go at once: asked for the deletion of. */
  readonly leaving: string[] = [];

  override async delete(resource: Resource, ref: Ref, { preconditions }: { preconditions?: { uid?: string; resourceVersion?: string } } = {}) {
    this.onDelete(ref.name);
    const found = this.objects.get(this.key(resource, ref));
    if (!found) throw this.error('delete', resource, ref, 404, 'NotFound');
    const { uid, resourceVersion } = found.metadata;
    if ((preconditions?.uid ?? uid) !== uid || (preconditions?.resourceVersion ?? resourceVersion) !== resourceVersion) throw this.error('delete', resource, ref, 409, 'Conflict');
    if (resource.plural === 'pods') {
      this.leaving.push(ref.name);
      this.put(this.key(resource, ref), { ...found, metadata: { ...found.metadata, deletionTimestamp: rfc(this.clock.now()) } });
      return undefined;
    }
    await super.delete(resource, ref);
    // A deletion has a resource version of its own.
    this.put('deletions /', { metadata: { name: 'last' } });
    return undefined;
  }

  override async *list(resource: Resource, { namespace, labelSelector = '' }: { namespace?: string; labelSelector?: string }) {
    const wanted = labelSelector.split(',').map((each) => each.split('='));
    for await (const object of super.list(resource, { namespace })) {
      if (wanted.every(([label, value]) => object.metadata.labels?.[label!] === value)) yield object;
    }
  }
}

/** A time as in a status. */
export function rfc(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The state that the watches have reported. */
export interface Seen {
  readonly objects: ReadonlyMap<string, any>;
  /** The server's at that time. */
  readonly resourceVersion: string;
}

/** A cluster with one schedule, and an operator that may be replaced. */
export class World {
  readonly clock: ManualClock;
  readonly server: Server;
  /** The events for users, as `reason: note`. */
  readonly events: string[] = [];
  readonly counts: Count[] = [];
  /** Whether other schedules wait, so that the rest of a run's work follows its creation later. */
  othersWait = false;
  /** The minimum time between two runs. */
  intervalLimit?: IntervalLimit;
  /** The state that the watches have reported, if they lag behind. @default - all */
  seen?: Seen;
  private operator!: Operator;

  constructor(begin: string, spec: Spec = {}, private readonly precision: TimestampPrecision = 'seconds') {
    this.clock = new ManualClock(Date.parse(begin));
    this.server = new Server(this.clock);
    this.server.put(SCHEDULE, {
      metadata: { name: 'nightly', namespace: 'jobs', uid: 'schedule', generation: 1, creationTimestamp: begin, labels: { team: 'data' } },
      spec: { schedule: '0 3 * * *', template: { type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} }, ...spec },
    });
    this.restart();
  }

  /** All that there is now, for watches that lag behind. */
  snapshot(): Seen {
    return { objects: new Map(this.server.objects), resourceVersion: this.server.resourceVersion };
  }

  /** Another operator takes over, which remembers nothing. */
  restart(): void {
    this.operator = new Operator(this, this.precision);
  }

  get schedule(): ScheduledSparkApplication {
    return this.server.objects.get(SCHEDULE);
  }

  /** Without what is written for tools alone. */
  get status() {
    const { observedGeneration: _, scheduleHash: __, ...status } = this.schedule.status ?? {};
    return status;
  }

  /** The runs that there are. */
  get runs(): SparkApplication[] {
    return [...this.server.objects].filter(([key]) => key.startsWith('sparkapplications ')).map(([, object]) => object);
  }

  /** Their names. */
  get names(): string[] {
    return this.runs.map(({ metadata }) => metadata.name);
  }

  /** Edits the specification. */
  edit(spec: Spec): void {
    const { metadata, ...object } = this.schedule;
    this.server.put(SCHEDULE, { ...object, metadata: { ...metadata, generation: metadata.generation! + 1 }, spec: { ...object.spec, ...spec } });
  }

  /** Sets annotations, or removes those that are undefined. */
  annotate(annotations: Record<string, string | undefined>): void {
    const { metadata, ...object } = this.schedule;
    const all = Object.fromEntries(Object.entries({ ...metadata.annotations, ...annotations }).filter(([, value]) => value !== undefined));
    this.server.put(SCHEDULE, { ...object, metadata: { ...metadata, annotations: all } });
  }

  /** Sets a status as another client would. */
  setStatus(status: object): void {
    this.server.put(SCHEDULE, { ...this.schedule, status });
  }

  /** Writes the status as another operator. */
  writeAs(manager: string): void {
    const managedFields = [{ manager, operation: 'Update', subresource: 'status', time: rfc(this.clock.now()) }];
    this.server.put(SCHEDULE, { ...this.schedule, metadata: { ...this.schedule.metadata, managedFields } });
  }

  /** A run enters a state. */
  setState(name: string, state: string): void {
    const run = this.server.objects.get(`sparkapplications jobs/${name}`);
    this.server.put(`sparkapplications jobs/${name}`, { ...run, status: { applicationState: { state }, driverInfo: {} } });
  }

  /** A driver of a run, as the API server has it; without a phase it is gone. */
  setDriver(run: string, phase?: string): void {
    const key = `pods jobs/${run}-driver`;
    if (phase === undefined) {
      this.server.objects.delete(key);
      this.server.put('deletions /', { metadata: { name: 'last' } });
    } else {
      const labels = { [LABEL_SCHEDULED_APP_NAME]: 'nightly', 'spark-role': 'driver', 'sparkoperator.k8s.io/app-name': run };
      this.server.put(key, { metadata: { name: `${run}-driver`, namespace: 'jobs', uid: `${run}-driver`, labels }, spec: { containers: [] }, status: { phase } });
    }
  }

  /** Drivers whose application is gone. */
  get driversLeft(): string[] {
    return [...this.server.objects].flatMap(([key, { metadata }]) => (
      key.startsWith('pods ') && !this.server.objects.has(`sparkapplications jobs/${metadata.labels['sparkoperator.k8s.io/app-name']}`) ? [metadata.name] : []
    ));
  }

  /**
   * Deletes the run that was written last as a user would, if it is active; its driver has not
   * ended.
   */
  deleteLast(): void {
    const run = this.runs.find(({ metadata, status }) => metadata.name === this.status.lastRunName && status?.applicationState?.state !== 'COMPLETED');
    if (!run) return;
    this.setDriver(run.metadata.name, 'Running');
    this.server.objects.delete(`sparkapplications jobs/${run.metadata.name}`);
    this.server.put('deletions /', { metadata: { name: 'last' } });
  }

  /**
   * The operator looks at the schedule as often as it wants to without waiting. @returns when it
   * wants to look again, in milliseconds
   */
  async look(): Promise<number | undefined> {
    for (let pass = 0; pass < 50; pass++) {
      const after = await this.operator.look();
      if (after !== 0) return after;
    }
    throw new Error('it looks again and again');
  }

  /**
   * Advances the time until an instant, with an operator that reconciles whenever it requests to.
   * Runs end after so many milliseconds.
   */
  async goOnUntil(end: string | number, duration = Infinity): Promise<void> {
    const last = Number(typeof end === 'string' ? Date.parse(end) : end);
    for (;;) {
      const wait = (await this.look()) ?? Infinity;
      const ends = this.runs.filter(({ status }) => !['COMPLETED', 'FAILED'].includes(status?.applicationState?.state ?? ''))
        .map((run) => ({ name: run.metadata.name, at: Date.parse(run.metadata.creationTimestamp!) + duration }));
      const next = Math.min(this.clock.now() + wait, ...ends.map(({ at }) => Math.max(at, this.clock.now())), last);
      this.clock.advance(next - this.clock.now());
      for (const { name, at } of ends) if (at <= next) this.setState(name, 'COMPLETED');
      if (next >= last) return;
    }
  }
}

/** One process. */
class Operator {
  private readonly schedules = new Store<ScheduledSparkApplication>();
  private readonly applications = new Store<SparkApplication>({ indexes: { [BY_SCHEDULE]: scheduleUidsOf } });
  private readonly pods = new Store<PodView>({ indexes: { [BY_SCHEDULE_KEY]: scheduleKeyOfDriver } });
  private readonly reconciler: ScheduledSparkApplicationReconciler;
  private readonly transformed = new WeakMap<object, unknown>();

  constructor(private readonly world: World, precision: TimestampPrecision) {
    const { server, clock, events, counts } = world;
    this.reconciler = new ScheduledSparkApplicationReconciler({
      client: server as unknown as KubeClient, schedules: this.schedules, applications: this.applications, pods: this.pods, clock, precision,
      events: { record: (_, { reason, note }) => void events.push(`${reason}: ${note}`) },
      onCount: (_, count) => void counts.push(count),
      writer: OPERATOR_CLIENT,
      othersWait: () => world.othersWait,
      intervalLimit: () => world.intervalLimit,
    });
  }

  /** One pass, of a process that has seen everything. */
  async look(): Promise<number | undefined> {
    this.see();
    const result = await this.reconciler.reconcile(KEY, { logger: silentLogger });
    return result?.requeueAfter;
  }

  /** As an informer does: once for each version of an object. */
  private once<T>(object: any, make: (object: any) => T): T {
    if (!this.transformed.has(object)) this.transformed.set(object, make(object));
    return this.transformed.get(object) as T;
  }

  private see(): void {
    const { objects, resourceVersion } = this.world.seen ?? this.world.snapshot();
    const of = (plural: string) => [...objects].filter(([key]) => key.startsWith(`${plural} `)).map(([, object]) => object);
    this.schedules.replace({ objects: of('scheduledsparkapplications').map((each) => this.once(each, transformSchedule)), resourceVersion });
    this.applications.replace({ objects: of('sparkapplications').map((each) => this.once(each, transform)), resourceVersion });
    this.pods.replace({ objects: of('pods').map((pod) => this.once(pod, viewOf)), resourceVersion });
  }
}

/** The times that runs are for, in their order. */
export function timesOf(runs: readonly KubeObject[]): string[] {
  return runs.flatMap(({ metadata }) => metadata.annotations?.[ANNOTATION_SCHEDULED_AT] ?? []);
}
