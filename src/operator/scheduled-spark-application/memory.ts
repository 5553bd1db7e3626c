import type { BegunRun, CreationFailure, PlannedRun } from './decision';

/** After how long a run that was refused is tried again at first, and at most, in milliseconds. */
const FIRST_PAUSE = 15_000;
const LONGEST_PAUSE = 300_000;

/** Why a run was not created. */
export interface Refusal {
  /** A sentence without a full stop. */
  readonly reason: string;
  /** An object that is not of the schedule has its name. */
  readonly isNameTaken: boolean;
}

/** What is remembered of a schedule from one pass to the next, as long as this process leads. All of it can be lost: then a call is made once more. */
export class ScheduleMemory {
  /** Since this process leads, the schedule was read from the API server once. From then on nobody else starts its runs. */
  isConfirmed = false;
  /** Runs that the pass before has begun and not written into the status. */
  unwritten: readonly BegunRun[] | undefined;
  /** The uids of runs that the pass before has deleted. */
  gone: readonly string[] | undefined;
  /** The run that others were deleted for. */
  admitted: string | undefined;
  /** The value of the annotation for a run about which users were told that it has no effect. */
  toldToken: string | undefined;
  private readonly refused = new Map<boolean, CreationFailure & { readonly generation: number | undefined }>();

  constructor(readonly uid: string) {}

  /** A run was refused: it is not tried again before its pause is over, whoever wakes the schedule. The pause grows with each try, until the specification is edited. */
  refuse(run: PlannedRun, { reason, isNameTaken }: Refusal, generation: number | undefined, now: number): void {
    const before = this.refused.get(isAsked(run));
    const isSame = before !== undefined && before.generation === generation && (before.run.name === run.name || !(before.isNameTaken || isNameTaken));
    const tries = isSame ? before.tries + 1 : 1;
    const until = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1));
    this.refused.set(isAsked(run), { run, reason, isNameTaken, tries, at: now, until, othersFrom: isNameTaken ? now : now + FIRST_PAUSE, isNew: true, generation });
  }

  /** What keeps runs from being created. */
  failures(generation: number | undefined): CreationFailure[] {
    return [...this.refused.values()].filter((each) => each.generation === generation);
  }

  /** A run has begun. */
  begin(run: PlannedRun): void {
    this.refused.delete(isAsked(run));
  }

  /** Users were told why runs like this one cannot be created. */
  told(run: Pick<PlannedRun, 'trigger'>): void {
    const failure = this.refused.get(isAsked(run));
    if (failure) this.refused.set(isAsked(run), { ...failure, isNew: false });
  }
}

/** Those that are asked for and those of the schedule do not wait for each other. */
function isAsked({ trigger }: Pick<PlannedRun, 'trigger'>): boolean {
  return trigger === 'run-now';
}
