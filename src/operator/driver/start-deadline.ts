import { rfc3339 } from '../../text/times';

/** Wait of a driver or server for something that needs user action. */
export interface StartWait {
  /** Deadline in the status (RFC 3339); undefined if the wait begins. */
  readonly known?: string;
  /** Maximum duration, in milliseconds. */
  readonly timeout: number;
  /**
   * Begin, if an older CRD drops the deadline from the status; milliseconds since the epoch.
   * @default - the status keeps the deadline
   */
  readonly begin?: number;
}

/** Deadline of a wait. */
export interface StartDeadline {
  /** For the status (RFC 3339); undefined if that does not keep it. */
  readonly time?: string;
  /** Milliseconds until it; not positive if it has passed. */
  readonly left: number;
}

/**
 * Returns the deadline of a wait. It stays that of the status, so the wait continues when another
 * operator leads, unless that has a shorter timeout. Times in a status have whole seconds, so that
 * a wait can last a second longer.
 */
export function startDeadline({ known, timeout, begin }: StartWait, now: number): StartDeadline {
  if (begin !== undefined) return { left: begin + timeout - now };
  const latest = Math.ceil((now + timeout) / 1_000) * 1_000;
  const time = Date.parse(known ?? '') <= latest ? known! : rfc3339(latest);
  return { time, left: Date.parse(time) - now };
}

/** Returns a status with the deadline of the current wait, if there is one. */
export function withStartDeadline<S extends { readonly startDeadlineTime?: string }>(
  { startDeadlineTime: _, ...status }: S, time: string | undefined,
): Omit<S, 'startDeadlineTime'> & { readonly startDeadlineTime?: string } {
  return { ...status, ...(time !== undefined && { startDeadlineTime: time }) };
}
