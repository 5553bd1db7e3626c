import type { ScheduledSparkApplicationStatus } from '../../../api/scheduled-spark-application-status';
import { rfc3339 } from '../../../text/times';
import type { UserEvent } from '../../user-event';
import type { Waiting } from './conditions';
import type { Action, BegunRun, Count, CreationFailure, Observation, PlannedRun } from './decision';
import * as scheduleEvents from './schedule-events';

/** A part of a decision. */
export interface Step {
  readonly action?: Action;
  /** The changes of the status. */
  readonly changes?: Partial<ScheduledSparkApplicationStatus>;
  readonly waiting?: Waiting;
  readonly events?: readonly UserEvent[];
  readonly counts?: readonly Count[];
  /** The time until the next pass, in milliseconds. */
  readonly requeueAfter?: number;
}

/** The interval between checks of what a run waits for, if no event arrives, in milliseconds. */
export const REQUEUE_AFTER = 30_000;

/** Combines several steps into one. */
export function together(...steps: readonly Step[]): Step {
  const waits = steps.flatMap(({ requeueAfter }) => requeueAfter ?? []);
  const actions = steps.flatMap(({ action }) => action ?? []);
  const waiting = steps.flatMap((step) => step.waiting ?? []);
  return {
    action: actions[0],
    changes: Object.assign({}, ...steps.map(({ changes }) => changes)),
    waiting: waiting[0],
    events: steps.flatMap(({ events = [] }) => events),
    counts: steps.flatMap(({ counts = [] }) => counts),
    ...(waits.length > 0 && { requeueAfter: Math.min(...waits) }),
  };
}

/** Returns the step of a run that has begun. */
export function begunStep(run: BegunRun): Step {
  return {
    changes: { lastRun: rfc3339(run.at), lastRunName: run.name },
    events: [scheduleEvents.started(run)],
    counts: [{ kind: 'started', trigger: run.trigger, ...(run.time !== undefined && { lateness: Math.max(0, run.at - run.time) / 1000 }) }],
  };
}

/** Returns the step of a run that cannot be created. */
export function failedStep(failure: CreationFailure, run: PlannedRun, now: number): Step {
  return {
    waiting: { reason: 'CannotStart', message: failure.reason },
    ...(failure.isNew && { events: [scheduleEvents.notStarted(failure)], counts: [{ kind: 'not-started', trigger: failure.run.trigger }] }),
    requeueAfter: triedFrom(failure, run) - now,
  };
}

/** Returns the failure that prevents a try of a run now. */
export function failureOf({ failures }: Observation, run: PlannedRun, now: number): CreationFailure | undefined {
  // A failure in the future is ignored: the clock was set back since.
  return failures?.find(
    (each) => (each.run.trigger === 'run-now') === (run.trigger === 'run-now') && each.at <= now && now < triedFrom(each, run),
  );
}

function triedFrom({ run: { name }, until, othersFrom }: CreationFailure, run: PlannedRun): number {
  return name === run.name ? until : othersFrom;
}

/**
 * Returns the same run if it exists: an earlier pass has created it and failed to write the status.
 */
export function alreadyBegun({ runs }: Observation, run: PlannedRun): BegunRun | undefined {
  const found = runs.find(({ metadata }) => metadata.name === run.name);
  return found && { ...run, at: Date.parse(found.metadata.creationTimestamp!), wasThere: true };
}
