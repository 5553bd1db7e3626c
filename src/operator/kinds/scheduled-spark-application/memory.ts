import type { BegunRun, CreationFailure, PlannedRun } from './decision';

/** The pause before the first retry of a rejected run, in milliseconds. */
const FIRST_PAUSE = 15_000;
const LONGEST_PAUSE = 300_000;

/** A rejection of a run's creation. */
export interface Refusal {
  /** The reason, a sentence without a full stop. */
  readonly reason: string;
  /** Whether an object of another owner has the name. */
  readonly isNameTaken: boolean;
}

/**
 * The memory of a schedule between passes while this process leads. All of it can be lost: then the
 * operator makes one more call.
 */
export class ScheduleMemory {
  /**
   * Whether the schedule was read from the API server once since this process leads. From then on
   * no other process starts its runs.
   */
  isConfirmed = false;
  /** Runs that the previous pass started without writing them into the status. */
  unwritten: readonly BegunRun[] | undefined;
  /** The uids of runs that the previous pass deleted. */
  gone: readonly string[] | undefined;
  /** The run that replaces others. */
  admitted: string | undefined;
  /** The value of the run-now annotation for which an event has reported that it has no effect. */
  reportedToken: string | undefined;
  private readonly refused = new Map<boolean, CreationFailure & { readonly generation: number | undefined }>();

  constructor(readonly uid: string) {}

  /**
   * Records a rejected run. The operator does not retry it before its pause is over, whatever
   * enqueues the schedule. The pause grows with each try, until the specification is edited.
   */
  refuse(run: PlannedRun, { reason, isNameTaken }: Refusal, generation: number | undefined, now: number): void {
    const before = this.refused.get(isAsked(run));
    const isSame = before !== undefined && before.generation === generation && (
      before.run.name === run.name || !(before.isNameTaken || isNameTaken)
    );
    const tries = isSame ? before.tries + 1 : 1;
    const until = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1));
    this.refused.set(
      isAsked(run),
      { run, reason, isNameTaken, tries, at: now, until, othersFrom: isNameTaken ? now : now + FIRST_PAUSE, isNew: true, generation },
    );
  }

  /** Returns the failed creations of runs. */
  failures(generation: number | undefined): CreationFailure[] {
    return [...this.refused.values()].filter((each) => each.generation === generation);
  }

  /** Records that a run has begun. */
  begin(run: PlannedRun): void {
    this.refused.delete(isAsked(run));
  }

  /** Records that an event has reported why runs like this one cannot be created. */
  reported(run: Pick<PlannedRun, 'trigger'>): void {
    const failure = this.refused.get(isAsked(run));
    if (failure) this.refused.set(isAsked(run), { ...failure, isNew: false });
  }
}

/** Whether a run is requested. Requested and scheduled runs do not wait for each other. */
function isAsked({ trigger }: Pick<PlannedRun, 'trigger'>): boolean {
  return trigger === 'run-now';
}
