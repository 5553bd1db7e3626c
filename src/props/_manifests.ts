import { applicationSpec, completeApplication } from './_application-spec';
import { normalizedApplication, applicationViolations } from './_application-violations';
import { withPropPath } from './_prop-paths';
import { completeSchedule, scheduleSpec, scheduleSpecViolations } from './_schedule-spec';
import { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import { SparkApplicationProps } from './spark-application-props';
import { maxNameReasonOf, type KindDefinition } from '../api/kind';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { metadataViolations, type Metadata } from '../rules/metadata';
import { isRejectedAtSynth, type Problem } from '../model/problem';

/**
 * Manifest for props, without a cdk8s App.
 * @internal
 */
export interface SpecOfProps<S> {
  /** Specification of the manifest. */
  readonly spec: S;
  /** Problems of the props. */
  readonly found: readonly Problem[];
}

/**
 * Metadata of an object to create.
 * @internal
 */
export type NamedMetadata = Metadata & { readonly name: string };

/**
 * Returns the manifest that the construct `SparkApplication` synthesizes.
 * @internal
 */
export function applicationOfProps(metadata: NamedMetadata, given: SparkApplicationProps): SpecOfProps<SparkApplicationSpec> {
  const { props, spec: changing, found } = applicationSpec(given);
  const spec = asJson(normalizedApplication(completeApplication(changing, props)));
  if (found.length > 0) return { spec, found };
  const all = [...nameAndLabels(SPARK_APPLICATION, metadata), ...applicationViolations(metadata, spec)];
  return { spec, found: all.filter(isRejectedAtSynth).map(withPropPath(spec)) };
}

/**
 * Returns the manifest that the construct `ScheduledSparkApplication` synthesizes.
 * @internal
 */
export function scheduleOfProps(
  metadata: NamedMetadata, given: ScheduledSparkApplicationProps,
): SpecOfProps<ScheduledSparkApplicationSpec> {
  const { props, spec: own, template, found } = scheduleSpec(given);
  const whole = completeSchedule(own, template, props);
  const spec = asJson({ ...whole, template: normalizedApplication(whole.template) });
  return {
    spec,
    found: found.length > 0 ? found : [
      ...nameAndLabels(SCHEDULED_SPARK_APPLICATION, metadata), ...scheduleSpecViolations(metadata, spec),
    ].filter(isRejectedAtSynth),
  };
}

function nameAndLabels(kind: KindDefinition, metadata: NamedMetadata): Problem[] {
  return metadataViolations(metadata.name, metadata, { length: kind.maxNameLength ?? 253, reason: maxNameReasonOf(kind) });
}

/** Removes undefined values, as JSON does. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
