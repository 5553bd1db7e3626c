import { SCHEDULED_SPARK_APPLICATION, type ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { isObject } from '../../../model/is-object';
import { inTemplate, planRun, scheduleNameProblems, scheduleProblems } from '../../../plan/plan-schedule';
import { specSchema } from '../../../rules/schemas';
import { answerTo, ofTimeToLive } from '../answer-of';
import { ALLOWED, type AdmissionHandler } from '../review';
import { planSettings, type AdmissionDependencies } from '../dependencies';
import { isSame, isSameRun, nameOf, SOME_UID, written } from './scope';

/**
 * Returns the validator of ScheduledSparkApplications. It rejects a schedule that cannot be read,
 * and one whose runs cannot be submitted. It does not check stored parts again. Quotas apply to the
 * runs: each is an application, which the webhook checks when the operator creates it.
 */
export function scheduledSparkApplicationValidator(dependencies: AdmissionDependencies): AdmissionHandler {
  return (request) => {
    const found = written<ScheduledSparkApplicationSpec>(specSchema(SCHEDULED_SPARK_APPLICATION), dependencies, request);
    if (!found || (found.before && isSame(found.now.spec, found.before.spec))) return ALLOWED;
    const { now: { spec }, before } = found;
    const { namespace } = request;
    const name = nameOf(request);
    const schedule = { metadata: { name, namespace, uid: SOME_UID, generation: 1 }, spec };
    const settings = planSettings(dependencies, namespace);
    const ofSchedule = scheduleProblems(schedule, { ...settings, minInterval: dependencies.minScheduleInterval }, before?.spec)
      .filter(({ unknown }) => !unknown);
    const problems = [...(before ? [] : scheduleNameProblems(name)), ...ofSchedule];
    if (!isObject(spec) || !isObject(spec.template) || (before && isSame(spec.template, before.spec?.template))) return answerTo(problems);
    const { problems: ofRun } = planRun(schedule, settings, before?.spec?.template);
    const isEdited = !isSameRun(spec.template, before?.spec?.template);
    return answerTo([...problems, ...(isEdited ? ofRun : ofTimeToLive(ofRun, inTemplate('spec.timeToLiveSeconds')))]);
  };
}
