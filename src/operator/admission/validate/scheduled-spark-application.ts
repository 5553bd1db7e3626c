import schema from '../../../../schemas/scheduledsparkapplication.json';
import { SCHEDULED_SPARK_APPLICATION, type ScheduledSparkApplicationSpec } from '../../../api/scheduled-spark-application';
import { maxNameReasonOf } from '../../../api/kind';
import { metadataViolations } from '../../../rules/metadata';
import { scheduleViolations } from '../../../rules/schedule';
import type { Schema } from '../../../rules/schema';
import { violations } from '../../../rules/validate';
import { problemText, type Problem } from '../../../model/problem';
import { SPEC_SCHEMA as APPLICATION_SCHEMA } from '../../../plan/defaults/partial-schema';
import { intervalLimit, intervalViolations, type IntervalLimit } from '../../../plan/schedule/interval-limit';
import { ALLOWED, type AdmissionHandler } from '../review';
import type { AdmissionDependencies } from '../world';
import { applicationFindings } from '../../../plan/checks/application-findings';
import { mistakeOf, type Findings } from '../../../plan/checks/findings';
import { answerTo, ofTimeToLive } from '../answer-of';
import { isSame, isSameRun, nameOf, SOME_UID, written } from './scope';
import { isObject } from '../../../model/is-object';
import { inTemplate } from '../../../plan/checks/in-template';

/**
 * Refuses a ScheduledSparkApplication whose schedule cannot be read, or no run of which could be submitted. What of it has been stored is not looked at
 * again. Quotas are those of its runs: each is an application of its own, and asks when it is created.
 */
export function scheduledSparkApplicationValidator(world: AdmissionDependencies): AdmissionHandler {
  return (request) => {
    const found = written<ScheduledSparkApplicationSpec>(STORED_SCHEMA, world, request);
    if (!found || (found.before && isSame(found.now.spec, found.before.spec))) return ALLOWED;
    const { now: { spec }, before } = found;
    const name = nameOf(request);
    const limit = intervalLimit(world.minScheduleInterval ?? 0, world.defaults?.current(request.namespace));
    const ofPlan = [...(before ? [] : nameViolations(name)), ...newViolations(spec, before?.spec, limit)].map(mistakeOf);
    const isLookedAt = isObject(spec) && isObject(spec.template) && !(before && isSame(spec.template, before.spec?.template));
    const ofTemplate = isLookedAt ? templateFindings({ name, namespace: request.namespace }, spec, world, before?.spec) : NOTHING;
    return answerTo({ mistakes: [...ofPlan, ...ofTemplate.mistakes], warnings: ofTemplate.warnings });
  };
}

const NOTHING: Findings = { mistakes: [], warnings: [] };

function nameViolations(name: string): Problem[] {
  return metadataViolations(name, {}, { length: SCHEDULED_SPARK_APPLICATION.maxNameLength!, reason: maxNameReasonOf(SCHEDULED_SPARK_APPLICATION) });
}

const SPEC_SCHEMA: Schema = (schema as unknown as Schema).properties!.spec!;
/** With that of its runs, which the file only names. */
const STORED_SCHEMA: Schema = { ...SPEC_SCHEMA, properties: { ...SPEC_SCHEMA.properties, template: APPLICATION_SCHEMA } };
/** Any object passes for a template. */
const PLAN_SCHEMA: Schema = { ...SPEC_SCHEMA, properties: { ...SPEC_SCHEMA.properties, template: { type: 'object' } } };

/** What is wrong besides the template. */
function planViolations(spec: ScheduledSparkApplicationSpec, limit: IntervalLimit | undefined): Problem[] {
  if (!isObject(spec)) return [{ path: 'spec', value: undefined, reason: spec === undefined ? 'is required' : 'must be an object' }];
  const ofSchedule = [...scheduleViolations(spec), ...intervalViolations(spec, limit)];
  // Of the two the latter says more.
  return [...violations(PLAN_SCHEMA, spec, 'spec').filter(({ path, unknown }) => !unknown && !ofSchedule.some((violation) => violation.path === path)), ...ofSchedule];
}

/** What was wrong before rules came stays until it is changed. */
function newViolations(
  spec: ScheduledSparkApplicationSpec, before: ScheduledSparkApplicationSpec | undefined, limit: IntervalLimit | undefined,
): Problem[] {
  const stored = new Set(before === undefined ? [] : planViolations(before, limit).map(problemText));
  return planViolations(spec, limit).filter((violation) => !stored.has(problemText(violation)));
}

interface ObjectKey {
  readonly name: string;
  readonly namespace: string;
}

/** A run has a name of its own; it is no longer than this one may be. */
function templateFindings(
  { name, namespace }: ObjectKey, { template }: ScheduledSparkApplicationSpec, world: AdmissionDependencies, before: ScheduledSparkApplicationSpec | undefined,
): Findings {
  const run = { metadata: { name: name.slice(0, SCHEDULED_SPARK_APPLICATION.maxNameLength), namespace, uid: SOME_UID, generation: 1 }, spec: template };
  const found = applicationFindings(run, world, before?.template);
  const { mistakes, warnings } = isSameRun(template, before?.template) ? ofTimeToLive(found) : found;
  return { mistakes: mistakes.map(({ field, text }) => ({ field: inTemplate(field), text: inTemplate(text) })), warnings: warnings.map(inTemplate) };
}
