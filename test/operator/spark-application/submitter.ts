import { FairSemaphore } from '../../../src/kube/fair-semaphore';
import { SparkSubmitter } from '../../../src/operator/spark-application/spark-submitter';
import type { SparkSubmitOutcome } from '../../../src/operator/spark-submit/outcome';
import type { SparkSubmitPermissions } from '../../../src/plan/spark-submit/reasons-against';
import type { SparkSubmitRequest, SparkSubmitRunner } from '../../../src/operator/spark-submit/runner';

/** A run of spark-submit that ends when the test ends it. */
export interface ControlledRun {
  readonly application: string;
  readonly signal: AbortSignal;
  /** Ends the run. Resolves when its result can be fetched. */
  readonly finish: (outcome: SparkSubmitOutcome) => Promise<void>;
}

/**
 * A submitter whose runs end when the test ends them.
 *
 * @param atOnce runs at a time
 */
export function sparkSubmitter(atOnce = 1) {
  const runs: ControlledRun[] = [];
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    }
  };
  const ended: string[] = [];
  const run = ({ application, signal }: SparkSubmitRequest) => new Promise<SparkSubmitOutcome>((resolve) => {
    signal!.throwIfAborted();
    signal!.addEventListener('abort', () => resolve({ kind: 'failed', message: 'it was ended', retry: 'lasting', interrupted: true }));
    const finish = async (outcome: SparkSubmitOutcome) => {
      const before = ended.length;
      resolve(outcome);
      await until(() => ended.slice(before).includes(application));
    };
    runs.push({ application, signal: signal!, finish });
    notify();
  });
  const sparkSubmit = new SparkSubmitter({
    runner: { run } as unknown as SparkSubmitRunner,
    turns: new FairSemaphore({ limit: atOnce }),
    master: 'k8s://https://api',
    permissions: {} as SparkSubmitPermissions,
    onEnd: (key) => {
      ended.push(key);
      notify();
    },
  });
  sparkSubmit.reasonsAgainst = () => [];
  return {
    sparkSubmit,
    runs,
    /** Waits for the run of this number, counted from 0. */
    started: async (index = 0) => {
      await until(() => runs.length > index);
      return runs[index]!;
    },
    /** Waits for the end of so many submissions, with whatever result. */
    ends: async (count: number) => until(() => ended.length >= count),
  };
}
