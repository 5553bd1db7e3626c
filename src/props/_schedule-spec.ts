import type { Construct } from 'constructs';
import { wrongProps } from './_application-checks';
import { completeApplication, ownSpec } from './_application-spec';
import { ChangingSpec } from './_changing-spec';
import { applicationViolations } from './_application-violations';
import { missing, seconds, wrongSeconds } from './_check';
import { checkedProps, withoutRepetitions } from './_prop-types';
import { withPropPath } from './_prop-paths';
import { SCHEDULE_PROP_TYPES } from './_application-prop-types';
import { schemaOfKind } from '../rules/schemas';
import { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { KnownNamespace } from './job-namespace';
import type { Metadata } from '../rules/metadata';
import { scheduleViolations } from '../rules/schedule';
import type { Schema } from '../rules/schema';
import { violations } from '../rules/validate';
import type { Problem } from '../model/problem';

/**
 * Converts props to the specification of the manifest, without the profile of the template.
 * @returns the problems are those of props that the manifest does not show; the specification is
 * checked later as a whole
 * @internal
 */
export function scheduleSpec(given: ScheduledSparkApplicationProps, scope?: Construct): {
  /** The props without wrong values. */
  readonly props: ScheduledSparkApplicationProps;
  readonly spec: Omit<ScheduledSparkApplicationSpec, 'template'>;
  readonly template: ChangingSpec;
  readonly found: Problem[];
} {
  const { props: valid, problems } = checkedProps(given, SCHEDULE_PROP_TYPES, scope);
  const props = { ...valid, template: valid.template ?? {} };
  const noTemplate = missing('template', valid.template);
  const found = withoutRepetitions(noTemplate ? withoutRepetitions(problems, [noTemplate]) : problems, [
    wrongSeconds('startingDeadline', props.startingDeadline),
    wrongZone(props),
    // Types forbid it for literals, but not for variables.
    'metadata' in props.template
      ? {
        path: 'template.metadata', value: undefined,
        reason: 'has no effect, because the operator names the runs: set the metadata of the schedule instead',
      } : undefined,
    ...wrongProps(props.template).map((violation) => ({ ...violation, path: `template.${violation.path}` })),
  ].flatMap((violation) => violation ?? []));
  const spec = {
    schedule: props.schedule?._toExpression(),
    timeZone: props.timeZone,
    suspend: props.suspend,
    concurrencyPolicy: props.concurrency,
    successfulRunHistoryLimit: props.successfulRunHistoryLimit,
    failedRunHistoryLimit: props.failedRunHistoryLimit,
    startingDeadlineSeconds: seconds(props.startingDeadline),
    catchUpPolicy: props.catchUp,
  };
  return { props, spec, template: ownSpec(props.template), found };
}

/**
 * Returns the specification to write.
 * @param template the template's own specification, with all later changes
 * @internal
 */
export function completeSchedule(
  spec: Omit<ScheduledSparkApplicationSpec, 'template'>, template: ChangingSpec,
  { template: { profile }, jobNamespace }: ScheduledSparkApplicationProps,
): ScheduledSparkApplicationSpec {
  return { ...spec, template: completeApplication(template, { profile, jobNamespace }) };
}

/**
 * The manifest has two time zones, of which the one in the cron expression applies; a user who sets
 * both has overlooked one.
 */
function wrongZone({ schedule, timeZone }: ScheduledSparkApplicationProps): Problem | undefined {
  const ofSchedule = /^(?:CRON_)?TZ=(\S*)/.exec(schedule?._toExpression() ?? '')?.[1];
  if (!ofSchedule || timeZone === undefined || timeZone === ofSchedule) return undefined;
  return {
    path: 'timeZone', value: timeZone,
    reason: `differs from the zone of the schedule, ${ofSchedule}, which would take precedence: remove one of them`,
  };
}

/** Props whose names differ from the manifest's. */
const PROPS: Readonly<Record<string, string>> = {
  concurrencyPolicy: 'concurrency', startingDeadlineSeconds: 'startingDeadline', catchUpPolicy: 'catchUp',
};

/**
 * Returns the problems of a schedule except for its template, with the names of the manifest.
 * @internal
 */
export function planViolations(spec: ScheduledSparkApplicationSpec): Problem[] {
  const ofSchedule = scheduleViolations(spec);
  // The latter problem is more specific.
  return [...violations(planSchema(), spec, 'spec').filter(({ path, unknown }) => unknown
    || !ofSchedule.some((violation) => violation.path === path)), ...ofSchedule];
}

/** Any object is a valid template here. */
function planSchema(): Schema {
  const schema = schemaOfKind(SCHEDULED_SPARK_APPLICATION).properties!.spec!;
  return { ...schema, properties: { ...schema.properties, template: { type: 'object' } } };
}

/**
 * Returns a violation of a schedule with the path of the user's prop.
 * @internal
 */
export function withSchedulePropPath(violation: Problem): Problem {
  const field = violation.path.replace(/^spec[.]/, '');
  return { ...violation, path: PROPS[field] ?? field };
}

/**
 * Returns the problems of a schedule's template, with the names of props.
 * @internal
 */
export function templateViolations(metadata: Metadata, { template }: ScheduledSparkApplicationSpec, known?: KnownNamespace): Problem[] {
  if (typeof template !== 'object' || template === null) return [];
  return applicationViolations({ namespace: metadata.namespace }, template, known).map(withPropPath(template)).map((violation) => ({
    ...violation, path: `template.${violation.path}`,
  }));
}

/**
 * Returns the problems of a whole schedule, with the names of props.
 * @internal
 */
export function scheduleSpecViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Problem[] {
  return [...planViolations(spec), ...templateViolations(metadata, spec)].map(withSchedulePropPath);
}
