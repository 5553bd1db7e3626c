import { ApplicationState, ExecutorState } from '../../api/states';
import type { Series } from './series';
import type { Written } from './transitions';

/** Maximum number of remembered executors whose end was revoked; there are few. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts the ends of executors by the record in the application's status, each once. So it includes
 * executors whose pods are deleted, and does not repeat those before a restart of the operator.
 */
export class ExecutorEnds {
  /** Counted executors whose end was revoked in the record; they will end once more. */
  private readonly counted = new Set<string>();

  /** Processes a written status. */
  count(series: Series, { before, after, passed }: Written): void {
    const [recorded, now] = [before.status?.executorState ?? {}, after.status?.executorState ?? {}];
    const { namespace } = after.metadata;
    for (const [name, state] of Object.entries(now)) {
      const wasFinal = isFinal(recorded[name]);
      if (isFinal(state) && !wasFinal) this.countOne(series, `${namespace}/${name}`, state);
      if (!isFinal(state) && wasFinal) this.remember(`${namespace}/${name}`);
    }
    // The next attempt starts with an empty record. One write can contain it and the end of the
    // previous attempt.
    const end = endOf(passed);
    for (const [name, state] of Object.entries(recorded)) {
      if (!isFinal(state) && now[name] === undefined) this.countOne(series, `${namespace}/${name}`, end);
    }
  }

  private countOne(series: Series, key: string, state: ExecutorState | undefined): void {
    if (this.counted.delete(key)) return;
    if (state === ExecutorState.COMPLETED) series.executorsSucceeded++;
    if (state === ExecutorState.FAILED) series.executorsFailed++;
  }

  private remember(key: string): void {
    this.counted.add(key);
    if (this.counted.size > MAX_REMEMBERED) this.counted.delete(this.counted.values().next().value!);
  }
}

/**
 * Returns the outcome of executors whose attempt ended before their end was recorded. A stopped one
 * has neither succeeded nor failed.
 */
function endOf(passed: readonly ApplicationState[]): ExecutorState | undefined {
  if (passed.includes(ApplicationState.SUCCEEDING)) return ExecutorState.COMPLETED;
  return passed.includes(ApplicationState.FAILING) ? ExecutorState.FAILED : undefined;
}

function isFinal(state: ExecutorState | undefined): boolean {
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}
