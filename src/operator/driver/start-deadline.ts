import { rfc3339 } from '../../text/times';

/** Deadline of a driver or server that waits for something that needs user action. */
export interface StartDeadline {
  /** For the status (RFC 3339). */
  readonly time: string;
  /** Milliseconds until it; not positive if it has passed. */
  readonly left: number;
}

/** Begin and duration of a wait, in milliseconds. */
export interface Wait {
  readonly begin: number;
  readonly timeout: number;
}

/**
 * Returns the deadline of a wait, which stays that of the status. So the wait continues when
 * another operator leads. Times in a status have whole seconds, so that it can last a second
 * longer.
 *
 * @param known deadline in the status; undefined if the wait begins
 */
export function startDeadline(known: string | undefined, { begin, timeout }: Wait, now: number): StartDeadline {
  const time = known ?? rfc3339(Math.ceil((begin + timeout) / 1_000) * 1_000);
  return { time, left: Date.parse(time) - now };
}
