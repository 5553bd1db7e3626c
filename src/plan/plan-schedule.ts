import { maxNameReasonOf } from '../api/kind';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import type { SparkApplicationSpec } from '../api/spark-application';
import { isObject } from '../model/is-object';
import { moved, problemText, type Problem } from '../model/problem';
import { metadataViolations } from '../rules/metadata';
import { scheduleViolations } from '../rules/schedule';
import { specSchema } from '../rules/schemas';
import { violations } from '../rules/validate';
import { planApplication, type Plan, type PlanSettings } from './plan-application';
import type { SubmittedApplication } from './properties/properties';
import { intervalLimit, intervalViolations, type IntervalLimit } from './schedule/interval-limit';

/** A schedule, of any content. */
export interface SubmittedSchedule {
  readonly metadata: SubmittedApplication['metadata'];
  readonly spec: unknown;
}

/** Settings that the plan of a schedule depends on. */
export interface SchedulePlanSettings extends PlanSettings {
  /** `--min-schedule-interval` in milliseconds. @default 0 */
  readonly minInterval?: number;
}

/** Returns the schema with any object as template, which is planned as an application. */
function planSchema() {
  const schema = specSchema(SCHEDULED_SPARK_APPLICATION);
  return { ...schema, properties: { ...schema.properties, template: { type: 'object' } } };
}

/**
 * Returns the problems of a schedule except for its template.
 *
 * @param before the stored specification: its problems remain valid
 */
export function scheduleProblems({ spec }: SubmittedSchedule, settings: SchedulePlanSettings, before?: unknown): Problem[] {
  const limit = intervalLimit(settings.minInterval ?? 0, settings.defaults);
  const stored = new Set(before === undefined ? [] : problemsOf(before, limit).map(problemText));
  return problemsOf(spec, limit).filter((problem) => !stored.has(problemText(problem)));
}

/** Returns the problems of the name of a schedule. */
export function scheduleNameProblems(name: string): Problem[] {
  return metadataViolations(
    name, {}, { length: SCHEDULED_SPARK_APPLICATION.maxNameLength!, reason: maxNameReasonOf(SCHEDULED_SPARK_APPLICATION) },
  );
}

function problemsOf(spec: unknown, limit: IntervalLimit | undefined): Problem[] {
  if (!isObject(spec)) return [{ path: 'spec', reason: spec === undefined ? 'is required' : 'must be an object' }];
  const ofSchedule = [...scheduleViolations(spec), ...intervalViolations(spec, limit)];
  // The latter problems are more specific.
  return [
    ...violations(planSchema(), spec, 'spec').filter(({ path }) => !ofSchedule.some((problem) => problem.path === path)), ...ofSchedule,
  ];
}

/**
 * Plans a run of a schedule. The paths of its problems are those of the schedule.
 *
 * @param before the stored template
 */
export function planRun({ metadata, spec }: SubmittedSchedule, settings: PlanSettings, before?: unknown): Plan {
  const { template } = spec as { readonly template: SparkApplicationSpec };
  // A run has a name of its own, which is no longer than the maximum.
  const run = { metadata: { ...metadata, name: metadata.name.slice(0, SCHEDULED_SPARK_APPLICATION.maxNameLength) }, spec: template };
  const plan = planApplication(run, settings, { before, imageCanFollow: true });
  return { ...plan, problems: plan.problems.map((problem) => moved(problem, inTemplate)) };
}

/**
 * Returns a sentence about a specification as one about a template. Fields of pods
 * (`template.spec.…`) stay.
 */
export function inTemplate(sentence: string): string {
  return sentence.replace(/(?<![\w.\]/"'-])spec\.(?=[a-z])/g, 'spec.template.');
}
