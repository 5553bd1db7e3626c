import { ApplicationState, ExecutorState } from '../../api/states';
import type { Series } from './series';
import type { Written } from './transitions';

/** Executors whose end was taken back and that are remembered; there are few. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts how executors end, each once, by the record in the application's status: so that executors whose pods are deleted count, and that
 * those that ended before a restart of the operator do not count again.
 */
export class ExecutorEnds {
  /** Counted executors whose end was taken back in the record; they end once more. */
  private readonly counted = new Set<string>();

  /** Takes in a status that was written. */
  count(series: Series, { before, after, passed }: Written): void {
    const [recorded, now] = [before.status?.executorState ?? {}, after.status?.executorState ?? {}];
    const { namespace } = after.metadata;
    for (const [name, state] of Object.entries(now)) {
      const wasFinal = isFinal(recorded[name]);
      if (isFinal(state) && !wasFinal) this.countOne(series, `${namespace}/${name}`, state);
      if (!isFinal(state) && wasFinal) this.remember(`${namespace}/${name}`);
    }
    // The next attempt begins with an empty record, which may be written together with the end of the last.
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

/** How executors of an attempt ended that was over before their ends were recorded. One that was stopped has neither succeeded nor failed. */
function endOf(passed: readonly ApplicationState[]): ExecutorState | undefined {
  if (passed.includes(ApplicationState.SUCCEEDING)) return ExecutorState.COMPLETED;
  return passed.includes(ApplicationState.FAILING) ? ExecutorState.FAILED : undefined;
}

function isFinal(state: ExecutorState | undefined): boolean {
  return state === ExecutorState.COMPLETED || state === ExecutorState.FAILED;
}
