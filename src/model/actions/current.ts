import { isTerminal } from '../../api/states';
import type { KubeObject } from '../../kube/objects';
import { stateOf, type SparkApplication } from '../spark-application';
import { ANNOTATION_RERUN_AT } from './annotations';

/** Fields that show which generation a status describes. */
export type WithGeneration = KubeObject & { readonly status?: { readonly observedGeneration?: number } };

/**
 * Whether the status of an object describes its current specification. After a rerun, the status
 * describes the previous run until the operator has observed the change.
 *
 * Kubeflow's operator does not report observed generations; its status is treated as current.
 *
 * @param least minimum generation, if the object might be an older version
 * @default 0
 */
export function isCurrent({ metadata: { generation = 0 }, status }: WithGeneration, least = 0): boolean {
  return (status?.observedGeneration ?? Infinity) >= Math.max(generation, least);
}

/** Whether the current run of an application has ended, so that it stays in its state. */
export function hasEnded(application: SparkApplication): boolean {
  return isTerminal(stateOf(application)) && isCurrent(application);
}

/** Fields that show when a run began. */
export type WithRerun = KubeObject & { readonly spec: { readonly driver?: { readonly annotations?: Readonly<Record<string, string>> } } };

/**
 * Returns when the current run was requested, in milliseconds since 1970: the creation of the
 * application, or its last `rerun`. Other edits of the specification leave no time.
 */
export function requestedAt({ metadata, spec }: WithRerun): number {
  const times = [metadata.creationTimestamp, spec.driver?.annotations?.[ANNOTATION_RERUN_AT]].map((time) => Date.parse(time ?? ''));
  return Math.max(...times.filter((time) => !Number.isNaN(time)));
}

/** Whether `rerun` has requested another run since the second in which the last attempt began. */
export function isRerunRequested(
  { spec, status }: WithRerun & { readonly status?: { readonly lastSubmissionAttemptTime?: string } },
): boolean {
  const asked = Date.parse(spec.driver?.annotations?.[ANNOTATION_RERUN_AT] ?? '');
  // The status has whole seconds.
  return Math.floor(asked / 1_000) * 1_000 > Date.parse(status?.lastSubmissionAttemptTime ?? '');
}
