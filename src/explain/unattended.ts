import { ApplicationState, isTerminal } from '../api/states';
import { hasEnded } from '../model/actions/current';
import { CLOCK_SKEW } from '../model/backoff';
import type { KubeObject } from '../kube/objects';
import type { OperatorPresence } from '../model/operator-presence';
import { stateOf, type WholeApplication } from '../model/spark-application';
import { statusWriters } from '../model/status-writers';

/**
 * Milliseconds after which an application without a status, or a change, counts as not reconciled:
 * the operator might have a long queue or a new leader, and the clocks differ.
 */
const NOT_OBSERVED_AFTER = CLOCK_SKEW;

/** Object whose status an operator writes. */
export interface Reconciled extends KubeObject {
  readonly status?: { readonly observedGeneration?: number };
}

/**
 * Whether no operator handles an application that needs one.
 *
 * @param now milliseconds since 1970
 */
export function isUnattended(application: WholeApplication, operator: OperatorPresence | undefined, now: number): boolean {
  return !isAtRest(application) && lacksOperator(application, operator, now);
}

/**
 * Whether no operator handles an object: by the operator's Lease, or because the object or a change
 * of it has not been reconciled for long.
 *
 * @param now milliseconds since 1970
 */
export function lacksOperator(object: Reconciled, operator: OperatorPresence | undefined, now: number): boolean {
  if (operator && !operator.isActive) return true;
  const { metadata: { creationTimestamp, generation = 0 }, status } = object;
  if (!status) return now - Date.parse(creationTimestamp ?? '') > NOT_OBSERVED_AFTER;
  const isBehind = status.observedGeneration !== undefined && status.observedGeneration < generation;
  return isBehind && now - lastSpecChange(object) > NOT_OBSERVED_AFTER;
}

/**
 * Whether an application stays in its state without an operator. After a rerun, the status is that
 * of the previous run until an operator has observed the change.
 */
export function isAtRest(application: WholeApplication): boolean {
  const state = stateOf(application);
  if (isTerminal(state)) return hasEnded(application);
  return Boolean(application.spec.suspend) && state === ApplicationState.SUSPENDED;
}

/** Returns the time of the last write of the status, in milliseconds since 1970. */
export function statusTime({ metadata, status }: WholeApplication): number | undefined {
  const [writer] = statusWriters(metadata);
  if (writer) return writer.time;
  return lastTransition(status);
}

/** Returns the time since which an application has its state, in milliseconds since 1970. */
export function stateTime(application: WholeApplication): number | undefined {
  return lastTransition(application.status) ?? statusTime(application);
}

/** Returns the time of the last transition that a status records. */
function lastTransition(status: WholeApplication['status']): number | undefined {
  const times = [
    status?.lastSubmissionAttemptTime, status?.terminationTime, ...(status?.conditions ?? []).map((each) => each.lastTransitionTime),
  ];
  const known = times.map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Returns the time of the last change of the specification; NaN if unknown. */
function lastSpecChange({ metadata }: KubeObject): number {
  const { managedFields = [] } = metadata as {
    readonly managedFields?: readonly { readonly subresource?: string; readonly time?: string }[];
  };
  const times = managedFields.filter(({ subresource }) => !subresource).map(({ time }) => Date.parse(time ?? '')).filter(Number.isFinite);
  return times.length === 0 ? NaN : Math.max(...times);
}
