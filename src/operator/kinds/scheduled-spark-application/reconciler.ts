import { ANNOTATION_RUN_NOW } from '../../../api/labels';
import type { ScheduledSparkApplicationStatus } from '../../../api/scheduled-spark-application-status';
import type { PodView } from '../../../model/pod-view';
import type { TimestampPrecision } from '../../../model/timestamp-precision';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import { referenceTo, type EventRecorder } from '../../../kube/events';
import type { Logger } from '../../../kube/logger';
import { keyOf } from '../../../kube/objects';
import type { Store } from '../../../kube/store';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../../model/resources';
import type { SparkApplication } from '../../../model/spark-application';
import { transform } from '../spark-application/transform';
import { rfc3339 } from '../../../text/times';
import { ReconcileLoop, type ActionResult, type KindHandler, type Round } from '../../runtime/reconcile-loop';
import { admittedIn } from './conditions';
import { confirm } from './confirm';
import { decide } from './decide';
import type { Action, Context, Count, Decision, LiveDriver, Observation } from './decision';
import { driversOf } from './drivers';
import type { IntervalLimit } from '../../../plan/schedule/interval-limit';
import { BY_SCHEDULE, isActive, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import { ScheduleMemory } from './memory';
import { endDriver, findDrivers, remove, start, stop, type Performer } from './perform';
import { transform as transformSchedule } from './transform';

/** Dependencies of the reconciler. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly schedules: Store<ScheduledSparkApplication>;
  /** Has the index `BY_SCHEDULE`. */
  readonly applications: Store<SparkApplication>;
  /** Has the index `BY_SCHEDULE_KEY`. */
  readonly pods: Store<PodView>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly precision: TimestampPrecision;
  readonly clock: Clock;
  /** Field manager of this operator; see `LoopDependencies`. */
  readonly writer: string;
  /** Returns the minimum time between two runs in a namespace. @default - no minimum */
  readonly intervalLimit?: (namespace: string) => IntervalLimit | undefined;
  /** Whether other schedules wait for a reconcile. @default - none */
  readonly othersWait?: () => boolean;
  /** Receives counts of events of runs, for the metrics. @default - none */
  readonly onCount?: (namespace: string, count: Count) => void;
}

/** The delay before a run that changed during its deletion is reconciled again, in milliseconds. */
const CHANGED = 1_000;

/** Findings of a pass that the caches lack. */
interface Found extends Pick<Observation, 'begun' | 'areDriversConfirmed'> {
  readonly drivers?: readonly LiveDriver[];
  /** The uids of runs whose deletion was requested. */
  readonly leaving?: readonly string[];
  /** The uids of runs that were deleted. */
  readonly gone?: readonly string[];
  /** Whether a run has changed during its deletion. */
  readonly hasChanged?: boolean;
}

/** Observation of a round, with what the reconcile has found so far. */
interface Seen {
  readonly observation: Observation;
  readonly found: Found;
}

type Loop = ReconcileLoop<ScheduledSparkApplication, ScheduledSparkApplicationStatus, Seen, Decision, Action, Found>;
type Handler = KindHandler<ScheduledSparkApplication, ScheduledSparkApplicationStatus, Seen, Decision, Action, Found>;

/** Reconciles ScheduledSparkApplications. Only its loop writes their status. */
export class ScheduledSparkApplicationReconciler {
  private readonly loop: Loop;
  private readonly memories = new Map<string, ScheduleMemory>();

  constructor(private readonly options: ReconcilerOptions) {
    this.loop = new ReconcileLoop(this.handler(), options);
  }

  /** Reconciles a schedule. `key` is `namespace/name`. */
  reconcile(key: string, context: { readonly logger: Logger; readonly signal?: AbortSignal }): Promise<{ requeueAfter?: number } | void> {
    return this.loop.reconcile(key, context);
  }

  private handler(): Handler {
    const { schedules } = this.options;
    return {
      resource: SCHEDULED_SPARK_APPLICATIONS,
      store: schedules,
      transform: transformSchedule,
      withoutFields: 'runs cannot be asked for by the annotation',
      // All rounds are about the same runs.
      hasOneTime: true,
      begin: (schedule, key) => {
        const memory = this.memoryOf(key, schedule);
        const found = { begun: memory.unwritten, gone: memory.gone };
        memory.unwritten = memory.gone = undefined;
        return found;
      },
      observe: (schedule, found = {}, round) => ({
        found, observation: this.observe(this.memoryOf(round.key, schedule), schedule, found, round),
      }),
      decide: ({ observation }, round) => decide(observation, this.contextOf(observation.schedule, round)),
      perform: (schedule, action, seen, round) => this.perform(schedule, action, seen, round),
      onDecided: (schedule, _, decision, { observation }) => (
        this.conclude(this.memoryOf(keyOf(schedule.metadata), schedule), schedule, observation, decision)
      ),
      forget: (key) => void this.memories.delete(key),
    };
  }

  private contextOf({ metadata: { namespace } }: ScheduledSparkApplication, { now }: Round): Context {
    return { now, precision: this.options.precision, intervalLimit: this.options.intervalLimit?.(namespace) };
  }

  private async perform(
    schedule: ScheduledSparkApplication, action: Action, { found: before }: Seen, round: Round,
  ): Promise<ActionResult<ScheduledSparkApplication, Found>> {
    const memory = this.memoryOf(round.key, schedule);
    const found = await this.act({ client: this.options.client, signal: round.signal }, memory, schedule, action, before, round);
    if (!found) return { gone: true };
    // The next round writes the results of a run once the runs of other schedules have begun.
    if (action.kind === 'start' && found.begun?.length && this.options.othersWait?.()) {
      memory.unwritten = found.begun;
      return { requeueAfter: 0 };
    }
    if (found.hasChanged) return { requeueAfter: CHANGED };
    // There can be thousands; other schedules have their turn in between.
    if (action.kind === 'clean-up' && action.isMore) {
      memory.gone = found.gone;
      return { requeueAfter: 0 };
    }
    return { result: found, object: action.kind === 'confirm' ? this.options.schedules.get(round.key) : undefined };
  }

  private memoryOf(key: string, { metadata: { uid } }: ScheduledSparkApplication): ScheduleMemory {
    const known = this.memories.get(key);
    if (known?.uid === uid) return known;
    const memory = new ScheduleMemory(uid);
    this.memories.set(key, memory);
    return memory;
  }

  private observe(
    memory: ScheduleMemory, schedule: ScheduledSparkApplication, { drivers, leaving = [], gone = [], ...found }: Found,
    { now, dropped }: Round,
  ): Observation {
    const { applications, pods } = this.options;
    const deletionTimestamp = rfc3339(now);
    return {
      ...found,
      schedule,
      runs: applications.byIndex(BY_SCHEDULE, schedule.metadata.uid).filter(({ metadata }) => !gone.includes(metadata.uid))
        .map((run) => (leaving.includes(run.metadata.uid) ? { ...run, metadata: { ...run.metadata, deletionTimestamp } } : run)),
      isConfirmed: memory.isConfirmed,
      failures: memory.failures(schedule.metadata.generation),
      // The applications of existing runs report their drivers. Some drivers might belong to a
      // previous schedule, whose runs were to stay.
      drivers: (drivers ?? driversOf(pods, schedule)).filter(
        ({ application: name }) => !name || !applications.get({ namespace: schedule.metadata.namespace, name }),
      ),
      dropsFields: dropped.size > 0,
      ...(dropped.size > 0 && { admitted: memory.admitted, reportedToken: memory.reportedToken }),
    };
  }

  /**
   * Performs an action.
   *
   * @returns the findings; undefined if the schedule is gone
   */
  private async act(
    performer: Performer, memory: ScheduleMemory, schedule: ScheduledSparkApplication, action: Action, found: Found, round: Round,
  ): Promise<Found | undefined> {
    const { applications, schedules, clock } = this.options;
    const { logger } = round;
    const context = this.contextOf(schedule, round);
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
        // Before the deletions, whose answers can be lost.
        this.options.events.record(referenceTo(SCHEDULED_SPARK_APPLICATIONS, schedule), action.event);
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

  /** Remembers and counts what follows from a written status. */
  private conclude(
    memory: ScheduleMemory, schedule: ScheduledSparkApplication, { dropsFields }: Observation, { status, action, counts }: Decision,
  ): void {
    if (status) memory.admitted = admittedIn(status);
    if (dropsFields && !action) memory.reportedToken = schedule.metadata.annotations?.[ANNOTATION_RUN_NOW];
    for (const count of counts) {
      this.options.onCount?.(schedule.metadata.namespace, count);
      if (count.kind === 'not-started') memory.reported(count);
    }
  }
}

function uidsOf(runs: readonly SparkApplication[]): string[] {
  return runs.map(({ metadata }) => metadata.uid);
}
