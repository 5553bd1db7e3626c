import type { AttemptExecutors, AttemptRecord, ExecutorFailures } from '../../../api/spark-application-status';
import { ExecutorState } from '../../../api/states';
import { LABEL_SUBMISSION_ID } from '../../../api/labels';
import { podState, type PodView } from '../../../model/pod-view';
import { stateOf } from '../../../model/spark-application';
import { boundedText } from '../../../text/bounded-text';
import type { Observation } from './decision';
import { executorStates, hasFailed } from './executors';

/** Maximum number of different reasons, including `Other`. */
export const MAX_REASONS = 5;

/** Reason for all others. */
const OTHER = 'Other';

/** Maximum length of a reason, in characters. */
const MAX_REASON = 63;

/**
 * Returns the executors of an attempt so far. A failure counts in the write that first records it
 * in `executorState`. So it is counted once, also if the operator restarts or sees the Pod
 * repeatedly.
 *
 * @param observation the observation of the decision, with the stored status
 */
export function attemptExecutors(
  { submissionID, executors: before = {} }: AttemptRecord, observation: Observation, limit: number,
): AttemptExecutors | undefined {
  const { driver, application, executorPeak = 0 } = observation;
  // A decision that begins an attempt observes the executors of the previous one.
  const seenPeak = application.status?.submissionID === submissionID ? executorPeak : 0;
  const executors = observation.executors.filter(({ metadata }) => metadata.labels?.[LABEL_SUBMISSION_ID] === submissionID);
  const running = executors.filter((pod) => podState(pod) === ExecutorState.RUNNING).length;
  const peak = Math.max(before.peak ?? 0, seenPeak, running);
  const firstStartTime = before.firstStartTime ?? executors.flatMap((pod) => pod.startedAt ?? pod.terminated?.startedAt ?? []).sort()[0];
  const end = driver.kind === 'ours' ? driver.pod.terminated?.finishedAt : undefined;
  const failed = newFailures(observation, executors, limit).filter(({ terminated }) => !isFromThenOn(terminated?.finishedAt, end));
  const after: AttemptExecutors = {
    ...before,
    ...(peak > 0 && { peak }),
    ...(firstStartTime && { firstStartTime }),
    ...(failed.length > 0 && {
      failed: (before.failed ?? 0) + failed.length,
      failures: failed.reduce<readonly ExecutorFailures[]>(withFailure, before.failures ?? []) as ExecutorFailures[],
    }),
  };
  return Object.keys(after).length > 0 ? after : undefined;
}

/** Returns the failed executors that this write is the first to record. */
function newFailures({ application, driver: _, ...observation }: Observation, executors: readonly PodView[], limit: number): PodView[] {
  const failed = executors.filter(hasFailed);
  if (failed.length === 0) return [];
  const stored = application.status?.executorState ?? {};
  const tracked = executorStates(stored, observation.executors, stateOf(application), limit);
  return failed.filter(({ metadata: { name } }) => Object.hasOwn(tracked, name) && stored[name] !== ExecutorState.FAILED);
}

/** Executors that end with their driver or after it end because of it. Times have whole seconds. */
function isFromThenOn(time: string | undefined, end: string | undefined): boolean {
  return time !== undefined && end !== undefined && Date.parse(time) >= Date.parse(end);
}

/** Counts a failure by its reason and exit code. */
function withFailure(failures: readonly ExecutorFailures[], { reason: podReason, terminated }: PodView): readonly ExecutorFailures[] {
  // The reason of the Pod, such as an eviction, explains the container's end.
  const reason = boundedText(podReason?.split(':')[0] ?? terminated?.reason ?? 'Unknown', MAX_REASON);
  const exitCode = terminated?.exitCode;
  const same = failures.findIndex((each) => each.reason === reason && each.exitCode === exitCode);
  if (same >= 0) return failures.map((each, index) => (index === same ? { ...each, count: each.count + 1 } : each));
  if (failures.length < MAX_REASONS - 1) return [...failures, { reason, ...(exitCode !== undefined && { exitCode }), count: 1 }];
  const others = failures[MAX_REASONS - 1]?.count ?? 0;
  return [...failures.slice(0, MAX_REASONS - 1), { reason: OTHER, count: others + 1 }];
}
