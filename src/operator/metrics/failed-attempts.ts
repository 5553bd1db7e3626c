import type { Registry } from 'prom-client';
import { ApplicationState } from '../../api/states';
import { failureClass } from '../../model/cause/failure-class';
import { counter } from './counted';
import type { Written } from './transitions';

/** States in which an attempt has failed. */
const FAILED: readonly ApplicationState[] = [ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED];

/** Adds the metric of failed attempts to a registry. @returns counts those of a written status */
export function countFailedAttempts(registry: Registry): (written: Written) => void {
  const attempts = counter(registry, {
    name: 'spark_operator_failed_attempts_total', help: 'Attempts that have failed, by the cause, those that are tried again as well',
    labelNames: ['namespace', 'cause'],
  });
  return ({ after, passed }) => {
    for (const state of passed) {
      if (!FAILED.includes(state)) continue;
      attempts.add({ namespace: after.metadata.namespace, cause: failureClass(after.status?.applicationState?.errorMessage) });
    }
  };
}
