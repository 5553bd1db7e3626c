import { ExecutorState, isTerminal } from '../../../api/states';
import { podState, type PodView } from '../../../model/pod-view';
import { stateOf, type SparkApplication } from '../../../model/spark-application';
import type { Observation } from './decision';
import { hasFailed } from './executors';

/** Maximum number of failed executors of an application that wait for their record. */
const MAX_FAILED = 100;

/** Executors of one submission. */
interface Seen {
  readonly submissionID: string;
  peak: number;
  /** Failed executors without a record, by the name of their Pod. */
  readonly failed: Map<string, PodView>;
}

/**
 * Remembers what happens to executors between two writes of the status, which can be seconds apart:
 * how many ran at the same time, and failures. Spark deletes the Pod of a failed executor at once.
 */
export class SeenExecutors {
  private readonly seen = new Map<string, Seen>();

  /** Number of remembered applications. */
  get size(): number {
    return this.seen.size;
  }

  /** Adds an observation. Returns it with the failed executors that have no Pod any more. */
  observe(
    key: string, application: SparkApplication, executors: readonly PodView[],
  ): Pick<Observation, 'executors' | 'executorPeak'> {
    const { submissionID, executorState } = application.status ?? {};
    const before = this.seen.get(key);
    const isKnown = before !== undefined && before.submissionID === submissionID;
    if (!submissionID || isTerminal(stateOf(application)) || (executors.length === 0 && !isKnown)) {
      this.forget(key);
      return { executors };
    }
    const seen = isKnown ? before : { submissionID, peak: 0, failed: new Map<string, PodView>() };
    this.seen.set(key, seen);
    seen.peak = Math.max(seen.peak, executors.filter((pod) => podState(pod) === ExecutorState.RUNNING).length);
    for (const pod of executors) {
      if (!hasFailed(pod)) seen.failed.delete(pod.metadata.name);
      else if (seen.failed.size < MAX_FAILED) seen.failed.set(pod.metadata.name, pod);
    }
    for (const name of seen.failed.keys()) {
      if (executorState?.[name] === ExecutorState.FAILED) seen.failed.delete(name);
    }
    const present = new Set(executors.map(({ metadata }) => metadata.name));
    const gone = [...seen.failed.values()].filter(({ metadata }) => !present.has(metadata.name));
    return { executors: gone.length > 0 ? [...executors, ...gone] : executors, executorPeak: seen.peak };
  }

  /** Forgets an application. */
  forget(key: string): void {
    this.seen.delete(key);
  }
}
