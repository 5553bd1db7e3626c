import { ApplicationState } from '../api/states';
import type { Clock } from '../kube/clock';
import { isCurrent } from '../model/actions/current';
import type { Observed } from '../model/actions/follow';
import { endOf, type Reached, type Result } from './result';
import type { SparkApplicationObject, Until } from './types';

/** Options of a wait. */
export interface WaitSettings {
  readonly until: Until;
  /** In milliseconds. @default - no limit */
  readonly timeout?: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Waits for an application.
 *
 * @param follow follows the application until the signal is aborted, and then throws its reason
 * @throws the error of `follow`, or the signal's reason
 */
export async function waitFor(
  follow: (signal: AbortSignal) => AsyncIterable<Observed<SparkApplicationObject>>, { until, timeout, clock, signal }: WaitSettings,
): Promise<Result | Reached> {
  const time = new AbortController();
  const timer = timeout === undefined ? undefined : clock.setTimeout(() => time.abort(), timeout);
  let application: SparkApplicationObject | undefined;
  try {
    for await (const { object, isGone } of follow(signal ? AbortSignal.any([signal, time.signal]) : time.signal)) {
      application = object;
      const end = endOf(application);
      if (end) return end;
      if (isGone) break;
      if (isReached(until, application)) return { outcome: 'reached', application };
    }
    return { outcome: 'deleted', application };
  } catch (error) {
    if (time.signal.aborted && error === time.signal.reason) return { outcome: 'timed out', application };
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

function isReached(until: Until, application: SparkApplicationObject): boolean {
  if (until === 'ended') return false;
  return until === 'running' ? isRunning(application) : until(application);
}

/** Whether the application meets the condition, by its current specification. */
function isRunning(application: SparkApplicationObject): boolean {
  return isCurrent(application) && application.status?.applicationState?.state === ApplicationState.RUNNING;
}
