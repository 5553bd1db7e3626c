import type { Registry } from 'prom-client';
import { causeClass } from '../../model/cause/cause-class';
import { counter } from './counted';

/**
 * Adds the metric of failed attempts to a registry.
 *
 * @returns counts attempts in a namespace, by their error messages
 */
export function countFailedAttempts(registry: Registry): (namespace: string, failures: readonly string[]) => void {
  const attempts = counter(registry, {
    name: 'spark_operator_failed_attempts_total', help: 'Attempts that have failed, by the cause, those that are tried again as well',
    labelNames: ['namespace', 'cause'],
  });
  return (namespace, failures) => {
    for (const message of failures) attempts.add({ namespace, cause: causeClass(message).group });
  };
}
