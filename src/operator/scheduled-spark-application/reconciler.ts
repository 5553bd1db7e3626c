import { isDeepStrictEqual } from 'node:util';
import { ANNOTATION_RUN_NOW } from '../../api/labels';
import type { ScheduledSparkApplicationStatus } from '../../api/scheduled-spark-application-status';
import type { PodView } from '../../model/pod-view';
import type { TimestampPrecision } from '../../model/timestamp-precision';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { referenceTo, type EventRecorder } from '../../kube/events';
import type { Logger } from '../../kube/logger';
import { parseKey } from '../../kube/objects';
import type { Store } from '../../kube/store';
import type { UserEvent } from '../occurrence';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import type { SparkApplication } from '../../model/spark-application';
import { transform } from '../spark-application/transform';
import { rfc3339 } from '../../text/times';
import { UnansweredWrites } from '../unanswered-writes';
import { admittedIn } from './conditions';
import { confirm } from './confirm';
import { decide } from './decide';
import type { Action, Context, Count, Decision, LiveDriver, Observation } from './decision';
import { driversOf } from './drivers';
import type { IntervalLimit } from '../../plan/schedule/interval-limit';
import { BY_SCHEDULE, isActive, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { ScheduleMemory } from './memory';
import { endDriver, findDrivers, remove, start, stop, writeStatus, type Performer } from './perform';
import { transform as transformSchedule } from './transform';

/** What the reconciler works with. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly schedules: Store<ScheduledSparkApplication>;
  /** With the index `BY_SCHEDULE`. */
  readonly applications: Store<SparkApplication>;
  /** With the index `BY_SCHEDULE_KEY`. */
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly precision: TimestampPrecision;
  readonly clock: Clock;
  /** Returns the minimum time between two runs in a namespace. @default - there is none */
  readonly intervalLimit?: (namespace: string) => IntervalLimit | undefined;
  /** Whether other schedules wait to be looked at. @default - none */
  readonly othersWait?: () => boolean;
  /** Told of what has happened to runs, for metrics. @default - nobody is told */
  readonly onCount?: (namespace: string, count: Count) => void;
}

/** More rounds than a pass can need; more are a mistake in the decisions. */
const MAX_ROUNDS = 20;

/** After how long a run that has changed while it was to be deleted is looked at again, in milliseconds. */
const CHANGED = 1_000;

/** What a pass has found out that the caches do not know yet. */
interface Found extends Pick<Observation, 'begun' | 'areDriversConfirmed'> {
  readonly drivers?: readonly LiveDriver[];
  /** The uids of runs whose deletion was asked for. */
  readonly leaving?: readonly string[];
  /** The uids of runs that were deleted. */
  readonly gone?: readonly string[];
  /** A run has changed while it was to be deleted. */
  readonly hasChanged?: boolean;
}

/** One schedule's way: observe, decide, write the status, act, tell; again while there is something to do. Nothing else writes the status. */
export class ScheduledSparkApplicationReconciler {
  private readonly memories = new Map<string, ScheduleMemory>();
  /** Fields of the status that the API server does not keep. */
  private readonly dropped = new Set<string>();
  private readonly unanswered = new UnansweredWrites<ScheduledSparkApplication>((sent, seen) => isDeepStrictEqual(this.kept(sent), this.kept(seen)));

  constructor(private readonly options: ReconcilerOptions) {}

  /** Brings a schedule forward. `key` is `namespace/name`. */
  async reconcile(key: string, { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    const { client, schedules, clock, precision, intervalLimit, othersWait } = this.options;
    // The same for all rounds, so that they speak of the same runs.
    const now = clock.now();
    const context = { now, precision, intervalLimit: intervalLimit?.(parseKey(key).namespace!) };
    const before = this.memories.get(key);
    let found: Found | undefined = { begun: before?.unwritten, gone: before?.gone };
    if (before) before.unwritten = before.gone = undefined;
    for (let round = 0; round < MAX_ROUNDS && found; round++) {
      const schedule = schedules.get(key);
      if (schedule) this.unanswered.settle(schedule);
      // What is being deleted takes its runs along: Kubernetes collects what it owns.
      if (!schedule || schedule.metadata.deletionTimestamp) return this.forget(key);
      const memory = this.memoryOf(key, schedule);
      const observation = this.observe(memory, schedule, found, now);
      const decision = decide(observation, context);
      const conclude = () => this.conclude(memory, schedule, observation, decision);
      if (decision.status && !this.isSame(decision.status, schedule.status)) {
        const writing = writeStatus({ client, signal }, schedule, decision.status).catch(undefinedIfGone);
        const written = await this.unanswered.answer(schedule, decision.status, conclude, writing);
        if (!written) return;
        schedules.upsert(transformSchedule(written, schedule));
        this.noteDropped(decision.status, written.status, logger);
      }
      conclude();
      if (!decision.action) return { requeueAfter: decision.requeueAfter && Math.max(0, decision.requeueAfter - (clock.now() - now)) };
      found = await this.perform({ client, signal }, memory, schedule, decision.action, found, context, logger);
      // Others are to begin on time, too: what follows from the run itself is written down when theirs have begun.
      if (decision.action.kind === 'start' && found?.begun?.length && othersWait?.()) {
        memory.unwritten = found.begun;
        return { requeueAfter: 0 };
      }
      if (found?.hasChanged) return { requeueAfter: CHANGED };
      // There may be thousands: others have their turn in between.
      if (decision.action.kind === 'clean-up' && decision.action.isMore) {
        memory.gone = found?.gone;
        return { requeueAfter: 0 };
      }
    }
    if (found) throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds`);
  }

  private forget(key: string): void {
    this.memories.delete(key);
    this.unanswered.forget(key);
  }

  private memoryOf(key: string, { metadata: { uid } }: ScheduledSparkApplication): ScheduleMemory {
    const known = this.memories.get(key);
    if (known?.uid === uid) return known;
    const memory = new ScheduleMemory(uid);
    this.memories.set(key, memory);
    return memory;
  }

  private observe(memory: ScheduleMemory, schedule: ScheduledSparkApplication, { drivers, leaving = [], gone = [], ...found }: Found, now: number): Observation {
    const { applications, pods } = this.options;
    const deletionTimestamp = rfc3339(now);
    return {
      ...found,
      schedule,
      runs: applications.byIndex(BY_SCHEDULE, schedule.metadata.uid).filter(({ metadata }) => !gone.includes(metadata.uid))
        .map((run) => (leaving.includes(run.metadata.uid) ? { ...run, metadata: { ...run.metadata, deletionTimestamp } } : run)),
      isConfirmed: memory.isConfirmed,
      failures: memory.failures(schedule.metadata.generation),
      // Those of runs that are still there are told of by these. Some may belong to a schedule of before, whose runs were to stay.
      drivers: (drivers ?? driversOf(pods, schedule)).filter(({ application: name }) => !name || !applications.get({ namespace: schedule.metadata.namespace, name })),
      dropsFields: this.dropped.size > 0,
      ...(this.dropped.size > 0 && { admitted: memory.admitted, toldToken: memory.toldToken }),
    };
  }

  /** @returns what is known then; undefined if the schedule is gone */
  private async perform(
    performer: Performer, memory: ScheduleMemory, schedule: ScheduledSparkApplication, action: Action, found: Found, context: Context, logger: Logger,
  ): Promise<Found | undefined> {
    const { applications, schedules, clock } = this.options;
    switch (action.kind) {
      case 'confirm': {
        const { namespace } = schedule.metadata;
        const seen = await confirm(performer, schedule, (name) => applications.get({ namespace, name }) !== undefined, context);
        if (!seen) return undefined;
        memory.isConfirmed = true;
        schedules.upsert(seen.schedule);
        for (const run of seen.runs) applications.upsert(run);
        return found;
      }
      case 'start': {
        const started = await start(performer, schedule, action.run, clock);
        if ('reason' in started) {
          memory.refuse(action.run, started, schedule.metadata.generation, context.now);
          return found;
        }
        memory.begin(action.run);
        applications.upsert(transform(started.run));
        logger.info({ run: action.run.name, trigger: action.run.trigger }, 'a run has begun');
        return { ...found, begun: [...found.begun ?? [], { ...action.run, at: started.at, wasThere: started.wasThere }] };
      }
      case 'replace':
        this.record(schedule, action.event);
        return this.replace(performer, action.runs, found);
      case 'end-drivers':
        for (const driver of action.drivers) await endDriver(performer, schedule, driver);
        return { ...found, drivers: action.drivers.map((driver) => ({ ...driver, isLeaving: true })) };
      case 'look-for-drivers':
        return { ...found, drivers: await findDrivers(performer, schedule), areDriversConfirmed: true };
      case 'clean-up':
        return this.cleanUp(performer, action.runs, found, logger);
    }
  }

  private async replace(performer: Performer, runs: readonly SparkApplication[], found: Found): Promise<Found> {
    const leaving: SparkApplication[] = [];
    let hasChanged = false;
    for (const run of runs) {
      const staying = await stop(performer, run);
      if (!staying) {
        leaving.push(run);
        continue;
      }
      this.options.applications.upsert(staying);
      hasChanged ||= isActive(staying);
    }
    return { ...found, leaving: [...found.leaving ?? [], ...uidsOf(leaving)], hasChanged };
  }

  private async cleanUp(performer: Performer, runs: readonly SparkApplication[], found: Found, logger: Logger): Promise<Found> {
    const gone: SparkApplication[] = [];
    for (const run of runs) if (await remove(performer, run)) gone.push(run);
    logger.info({ runs: gone.length }, 'runs that have ended were deleted, as there are later ones');
    return { ...found, gone: [...found.gone ?? [], ...uidsOf(gone)], hasChanged: gone.length < runs.length };
  }

  /** Remembers and tells what follows from a status that is written. */
  private conclude(memory: ScheduleMemory, schedule: ScheduledSparkApplication, { dropsFields }: Observation, { status, action, events, counts }: Decision): void {
    if (status) memory.admitted = admittedIn(status);
    if (dropsFields && !action) memory.toldToken = schedule.metadata.annotations?.[ANNOTATION_RUN_NOW];
    for (const event of events) this.record(schedule, event);
    for (const count of counts) {
      this.options.onCount?.(schedule.metadata.namespace, count);
      if (count.kind === 'not-started') memory.told(count);
    }
  }

  private record(schedule: ScheduledSparkApplication, event: UserEvent): void {
    this.options.events.record(referenceTo(SCHEDULED_SPARK_APPLICATIONS, schedule), event);
  }

  /** Whether two statuses are the same to an API server that does not keep all of them. */
  private isSame(a: ScheduledSparkApplicationStatus, b: ScheduledSparkApplicationStatus | undefined): boolean {
    return this.dropped.size > 0 && isDeepStrictEqual(this.kept(a), this.kept(b ?? {}));
  }

  private kept(status: ScheduledSparkApplicationStatus): object {
    return Object.fromEntries(Object.entries(status).filter(([name]) => !this.dropped.has(name)));
  }

  /** The CRD in the cluster is the same for all schedules. */
  private noteDropped(sent: ScheduledSparkApplicationStatus, answered: ScheduledSparkApplicationStatus | undefined, logger: Logger): void {
    const isKept = (name: string) => answered?.[name as keyof ScheduledSparkApplicationStatus] !== undefined;
    const fields = Object.keys(sent).filter((name) => !isKept(name));
    // By now it is another CRD. Of fields that were not sent nothing new is known.
    if ([...this.dropped].some(isKept)) this.dropped.clear();
    if (fields.length > 0 && this.dropped.size === 0) {
      logger.warn({ fields }, "the API server drops fields of the status: the CRD is an older one or kubeflow's, and runs cannot be asked for by the annotation; apply the CRD of this version");
    }
    for (const name of fields) this.dropped.add(name);
  }
}

function uidsOf(runs: readonly SparkApplication[]): string[] {
  return runs.map(({ metadata }) => metadata.uid);
}

/** A schedule that was deleted in the meantime needs nothing any more. */
function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
