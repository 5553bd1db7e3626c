import { choose } from './choice';
import { confirmAdmitted } from './ensure';
import { ensureAll } from './ensure-all';
import type { SparkApplication, WholeApplication } from '../../model/spark-application';
import type { Performer } from './performer';
import { specHash } from './spec-change';
import type { SparkSubmitter, SubmissionWork } from './spark-submitter';
import { ApiError } from '../../kube/errors';
import { keyOf } from '../../kube/objects';
import { readWhole } from '../read-whole';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { goesThroughWebhook } from '../../plan/properties/improvements';
import { problemText } from '../../model/problem';

/**
 * Returns the work of a submission by spark-submit. Many submissions can wait for their turn, so
 * this work holds the identity of its application, and reads the specification when it begins.
 */
export function sparkSubmitWork(performer: Performer & { readonly sparkSubmit: SparkSubmitter }, application: SparkApplication): SubmissionWork {
  const { namespace, name, uid, generation } = application.metadata;
  const metadata = { namespace, name, uid, generation };
  const id = application.status!.submissionID;
  return async (signal, made) => {
    const working = { ...performer, signal };
    const current = await readWhole(working, SPARK_APPLICATIONS, { metadata }, (read) => read.metadata.generation === generation || isToBeRun(read));
    if (current.status?.submissionID !== id) throw changed(metadata, 'its status');
    const { prepared, submission, appliedDefaults } = choose(working, current);
    // The reconciler chooses again.
    if (submission.kind !== 'spark-submit') throw changed(metadata, 'how it is submitted');
    const plan = submission.objects;
    const throughWebhook = goesThroughWebhook(plan.driverTemplate);
    // Before a JVM is started; the run itself shows whether the webhook answers.
    if (throughWebhook) confirmAdmitted(working, working.circuitBreaker.ask());
    await ensureAll(working, current, plan.resources, made);
    const outcome = await working.sparkSubmit.run(keyOf(metadata), prepared, plan, signal);
    return { outcome, throughWebhook, appliedDefaults, warnings: plan.warnings.map(problemText) };
  };
}

/** Whether an application that was edited is to be run as before: fields that do not affect the run may have changed. */
function isToBeRun({ metadata, spec, status }: WholeApplication): boolean {
  return metadata.deletionTimestamp === undefined && spec.suspend !== true && specHash(spec) === status?.specHash;
}

function changed({ namespace, name }: { readonly namespace: string; readonly name: string }, what: string): ApiError {
  const message = `${what} has changed while it waited for spark-submit`;
  return new ApiError({ verb: 'get', resource: SPARK_APPLICATIONS.plural, namespace, name }, 409, { reason: 'Conflict', message });
}
