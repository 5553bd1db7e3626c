import type { SparkApplication, WholeApplication } from '../../model/spark-application';
import type { Performer } from './performer';
import type { AppliedDefaults } from '../../api/spark-application-status';
import { applyLayers, type Applied } from '../../plan/defaults/apply';
import { Hindered } from '../driver/hindrance';
import { noteOf } from '../note';
import { chooseSubmission, requestedMode, type Choice } from '../../plan/choose';
import { prepareSubmission, type PreparedSubmission } from '../../plan/prepare';
import { reasonsAgainstNative } from '../../plan/native/reasons-against';
import { refuseOversized } from '../../plan/oversized';

/** A submission that can be made. */
export interface Chosen {
  readonly prepared: PreparedSubmission;
  /** Defaults of the cluster in it. */
  readonly appliedDefaults: readonly AppliedDefaults[];
  readonly choice: Exclude<Choice, { readonly kind: 'refused' }>;
}

/**
 * Prepares a submission and chooses how to make it.
 *
 * @throws SubmissionError or Hindered if it cannot be made
 */
export function choose(performer: Performer, application: WholeApplication): Chosen {
  const { prepared, appliedDefaults } = prepare(performer, application);
  const choice = choiceOf(performer, application, prepared);
  if (choice.kind === 'refused') throw choice.error;
  return { prepared, appliedDefaults, choice };
}

/**
 * The same for every try of a submission, as all it depends on is in the status; but for the defaults of the cluster, whose version is part of the
 * names of what is made.
 */
function prepare({ submission, defaults }: Performer, application: WholeApplication): Pick<Chosen, 'prepared' | 'appliedDefaults'> {
  const { submissionID, submissionAttempts, lastSubmissionAttemptTime, driverInfo } = application.status!;
  refuseOversized(application);
  const { spec, applied } = withDefaults(application, defaults);
  // The name in the intent stays: a driver that was created under it must be found, whatever the specification says by now.
  const named = { ...application, spec: { ...spec, driver: { ...spec.driver, podName: driverInfo.podName } } };
  const prepared = prepareSubmission(named, {
    submissionID: submissionID!,
    attempt: submissionAttempts!,
    submitTime: new Date(lastSubmissionAttemptTime!),
    sparkUser: submission.sparkUser,
    webUIUrlFormat: submission.webUIUrlFormat,
    podWebhook: submission.podWebhook,
    batchSchedulers: submission.batchSchedulers,
    defaultsVersion: applied.map(({ configMap, resourceVersion }) => `${configMap}@${resourceVersion}`).join() || undefined,
  });
  return { prepared, appliedDefaults: applied };
}

function withDefaults(application: WholeApplication, defaults: Performer['defaults']): Pick<Applied, 'spec' | 'applied'> {
  const current = defaults?.current(application.metadata.namespace);
  if (!current) return { spec: application.spec, applied: [] };
  if (current.kind === 'unusable') throw new Hindered({ reason: current.reason, kind: 'passing' });
  const { violations, ...result } = applyLayers(application, current.layers);
  if (violations.length > 0) throw new Hindered({ reason: noteOf(violations.map(({ message }) => message)), kind: 'final' });
  return result;
}

function choiceOf({ submission, sparkSubmit }: Performer, application: SparkApplication, prepared: PreparedSubmission): Choice {
  return chooseSubmission({
    requested: requestedMode(application.metadata.annotations, submission),
    runnerAvailable: sparkSubmit !== undefined,
    againstNative: reasonsAgainstNative(prepared),
    againstSparkSubmit: sparkSubmit?.reasonsAgainst(prepared) ?? [],
  });
}
