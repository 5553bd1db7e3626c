import { isWhole, type SparkApplication, type WholeApplication } from '../../../model/spark-application';
import type { Chosen } from './chosen';
import { confirmSubmittable, Throttled } from './ensure';
import type { Performer } from './performer';
import { isError, problemText } from '../../../model/problem';
import { SubmissionFailedError, submissionFailureOf } from '../../driver/submission-failure';
import { noteOf } from '../../note';
import { planApplication } from '../../../plan/plan-application';

/**
 * Plans a submission before its intent is written.
 *
 * @returns undefined if it cannot be created now, or if that is only known after a read
 */
export function chooseAhead(performer: Performer, application: SparkApplication): Chosen | undefined {
  if (!isWhole(application)) return undefined;
  try {
    const chosen = choose(performer, application);
    confirmSubmittable(performer, chosen.submission);
    return chosen;
  } catch (error) {
    if (error instanceof Throttled || submissionFailureOf(error)) return undefined;
    throw error;
  }
}

/**
 * Plans a submission. Every try has the same plan, because the plan depends only on the status. The
 * exception are the cluster's defaults, whose version is part of the names of created objects.
 *
 * @throws SubmissionFailedError if the submission is impossible
 */
export function choose({ submission, defaults }: Performer, application: WholeApplication): Chosen {
  const { submissionID, submissionAttempts, lastSubmissionAttemptTime, driverInfo } = application.status!;
  const current = defaults?.current(application.metadata.namespace);
  if (current?.kind === 'unusable') throw new SubmissionFailedError({ reason: current.reason, kind: 'passing' });
  const { problems, submittable, appliedDefaults } = planApplication(application, { submission, defaults: current }, {
    ids: { submissionID: submissionID!, attempt: submissionAttempts!, submitTime: new Date(lastSubmissionAttemptTime!) },
    // The name in the intent stays: the operator must find an existing driver even after an edit.
    driverPodName: driverInfo.podName,
    before: application.spec,
  });
  if (submittable) return { ...submittable, appliedDefaults };
  const reasons = problems.filter(isError).map(problemText);
  throw new SubmissionFailedError({ reason: reasons.length === 1 ? reasons[0]! : noteOf(reasons), kind: 'final' });
}
