import schema from '../../../../schemas/scheduledsparkapplication.json';
import type { ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { isObject } from '../../../model/is-object';
import { SPEC_SCHEMA as APPLICATION_SCHEMA } from '../../../plan/defaults/partial-schema';
import { inTemplate, planRun, scheduleNameProblems, scheduleProblems } from '../../../plan/plan-schedule';
import type { Schema } from '../../../rules/schema';
import { answerTo, ofTimeToLive } from '../answer-of';
import { ALLOWED, type AdmissionHandler } from '../review';
import { planSettings, type AdmissionDependencies } from '../world';
import { isSame, isSameRun, nameOf, SOME_UID, written } from './scope';

/**
 * Returns the validator of ScheduledSparkApplications. It rejects a schedule that cannot be read,
 * and one whose runs cannot be submitted. It does not check stored parts again. Quotas apply to the
 * runs: each is an application, which the webhook checks when the operator creates it.
 */
export function scheduledSparkApplicationValidator(world: AdmissionDependencies): AdmissionHandler {
  return (request) => {
    const found = written<ScheduledSparkApplicationSpec>(STORED_SCHEMA, world, request);
    if (!found || (found.before && isSame(found.now.spec, found.before.spec))) return ALLOWED;
    const { now: { spec }, before } = found;
    const { namespace } = request;
    const name = nameOf(request);
    const schedule = { metadata: { name, namespace, uid: SOME_UID, generation: 1 }, spec };
    const settings = planSettings(world, namespace);
    const ofSchedule = scheduleProblems(schedule, { ...settings, minInterval: world.minScheduleInterval }, before?.spec)
      .filter(({ unknown }) => !unknown);
    const problems = [...(before ? [] : scheduleNameProblems(name)), ...ofSchedule];
    if (!isObject(spec) || !isObject(spec.template) || (before && isSame(spec.template, before.spec?.template))) return answerTo(problems);
    const { problems: ofRun } = planRun(schedule, settings, before?.spec?.template);
    const isEdited = !isSameRun(spec.template, before?.spec?.template);
    return answerTo([...problems, ...(isEdited ? ofRun : ofTimeToLive(ofRun, inTemplate('spec.timeToLiveSeconds')))]);
  };
}

const SPEC_SCHEMA: Schema = (schema as unknown as Schema).properties!.spec!;
/** The schema with that of its runs, which the file omits. */
const STORED_SCHEMA: Schema = { ...SPEC_SCHEMA, properties: { ...SPEC_SCHEMA.properties, template: APPLICATION_SCHEMA } };
