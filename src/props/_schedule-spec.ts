import { sparksOwnViolations } from './_application-checks';
import { applicationSpec, withDefaultImages } from './_application-spec';
import { applicationViolations } from './_application-violations';
import { seconds, wrongSeconds } from './_check';
import { inWordsOfProps } from './_prop-paths';
import { schemaOfKind } from './_schema';
import { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { Metadata } from '../rules/metadata';
import { scheduleViolations } from '../rules/schedule';
import type { Schema } from '../rules/schema';
import { violations } from '../rules/validate';
import type { Violation } from '../model/problem';

/**
 * The manifest's own shape of what people write.
 * @returns the specification, and what is wrong with props that it cannot hold; the rest is found when it is checked as a whole
 * @internal
 */
export function scheduleSpec(props: ScheduledSparkApplicationProps): { readonly spec: ScheduledSparkApplicationSpec; readonly found: Violation[] } {
  const template = applicationSpec(props.template);
  const found = [
    wrongSeconds('startingDeadline', props.startingDeadline),
    wrongZone(props),
    // Types forbid it, but not of an object that is passed on.
    'metadata' in props.template && props.template.metadata !== undefined
      ? { path: 'template.metadata', value: undefined, reason: 'has no effect on runs, whose names the operator chooses: write metadata beside template' } : undefined,
    ...template.found.map((violation) => ({ ...violation, path: `template.${violation.path}` })),
  ];
  const spec = {
    schedule: props.schedule._toSpec(),
    timeZone: props.timeZone,
    suspend: props.suspend,
    concurrencyPolicy: props.concurrency,
    successfulRunHistoryLimit: props.successfulRunHistoryLimit,
    failedRunHistoryLimit: props.failedRunHistoryLimit,
    startingDeadlineSeconds: seconds(props.startingDeadline),
    catchUpPolicy: props.catchUp,
    template: withDefaultImages(template.spec),
  };
  return { spec, found: found.flatMap((violation) => violation ?? []) };
}

/** The manifest takes two zones, of which that of the schedule counts; whoever writes both here has forgotten one. */
function wrongZone({ schedule, timeZone }: ScheduledSparkApplicationProps): Violation | undefined {
  const ofSchedule = /^(?:CRON_)?TZ=(\S*)/.exec(schedule._toSpec())?.[1];
  if (!ofSchedule || timeZone === undefined || timeZone === ofSchedule) return undefined;
  return { path: 'timeZone', value: timeZone, reason: `is not the zone of the schedule, ${ofSchedule}, which would count: remove one of the two` };
}

/** Where people write what the manifest has under another name. */
const PROPS: Readonly<Record<string, string>> = { concurrencyPolicy: 'concurrency', startingDeadlineSeconds: 'startingDeadline', catchUpPolicy: 'catchUp' };

/**
 * What is wrong with a schedule besides its template, in the manifest's own words.
 * @internal
 */
export function planViolations(spec: ScheduledSparkApplicationSpec): Violation[] {
  const ofSchedule = scheduleViolations(spec);
  // Of the two the latter says more.
  return [...violations(planSchema(), spec, 'spec').filter(({ path, unknown }) => unknown || !ofSchedule.some((violation) => violation.path === path)), ...ofSchedule];
}

/** Any object passes for a template. */
function planSchema(): Schema {
  const schema = schemaOfKind(SCHEDULED_SPARK_APPLICATION).properties!.spec!;
  return { ...schema, properties: { ...schema.properties, template: { type: 'object' } } };
}

/**
 * A violation of a schedule with the name of the prop that the user wrote.
 * @internal
 */
export function inWordsOfScheduleProps(violation: Violation): Violation {
  const field = violation.path.replace(/^spec[.]/, '');
  return { ...violation, path: PROPS[field] ?? field };
}

/**
 * What is wrong with the template of a schedule, in the words of props.
 * @internal
 */
export function templateViolations(metadata: Metadata, { template }: ScheduledSparkApplicationSpec): Violation[] {
  if (typeof template !== 'object' || template === null) return [];
  const found = applicationViolations(template, metadata.namespace);
  return (found.length > 0 ? found : sparksOwnViolations(template)).map(inWordsOfProps(template)).map((violation) => ({ ...violation, path: `template.${violation.path}` }));
}

/**
 * What is wrong with a schedule as a whole, in the words of props.
 * @internal
 */
export function scheduleSpecViolations(metadata: Metadata, spec: ScheduledSparkApplicationSpec): Violation[] {
  return [...planViolations(spec), ...templateViolations(metadata, spec)].map(inWordsOfScheduleProps);
}
