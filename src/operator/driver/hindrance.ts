/** Why a driver could not be created. */
export interface SubmissionFailure {
  readonly reason: string;
  /** `final`: it would be so again; `lasting`: somebody has to do something; `passing`: it may pass by itself, as a quota that is used up. */
  readonly kind: 'final' | 'lasting' | 'passing';
  /** When it is tried again at the latest, in milliseconds. @default - pauses that grow up to half a minute */
  readonly retryWithin?: number;
}

/** A submission cannot go on, for now or for good: why, and what it means for what is submitted. */
export class Hindered extends Error {
  public readonly failure: SubmissionFailure;

  constructor(failure: SubmissionFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** Ports, durations and amounts in a message change with every try: they are not worth a write or an event. */
export function sameButForNumbers(a: string | undefined, b: string | undefined): boolean {
  return a?.replace(/\d+/g, '0') === b?.replace(/\d+/g, '0');
}
