import { sparksOwnViolations } from './_application-checks';
import { applicationSpec, withDefaultImages } from './_application-spec';
import { applicationAsWritten, applicationViolations } from './_application-violations';
import { inWordsOfProps } from './_prop-paths';
import { scheduleSpec, scheduleSpecViolations } from './_schedule-spec';
import { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import { SparkApplicationProps } from './spark-application-props';
import { maxNameReasonOf, type KindDefinition } from '../api/kind';
import { SCHEDULED_SPARK_APPLICATION, ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { metadataViolations, type Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/**
 * What props ask for, without a cdk8s App around it.
 * @internal
 */
export interface SpecOfProps<S> {
  /** The specification, in the manifest's own shape. */
  readonly spec: S;
  /** What would be refused of it, in the words of the props. */
  readonly found: readonly Violation[];
}

/**
 * The metadata of an object that is to be created.
 * @internal
 */
export type NamedMetadata = Metadata & { readonly name: string };

/**
 * What the construct `SparkApplication` makes of its props.
 * @internal
 */
export function applicationOfProps(metadata: NamedMetadata, props: SparkApplicationProps): SpecOfProps<SparkApplicationSpec> {
  const { spec: changing, found } = applicationSpec(props);
  const spec = asJson(applicationAsWritten(withDefaultImages(changing)));
  if (found.length > 0) return { spec, found };
  const all = [...nameAndLabels(SPARK_APPLICATION, metadata), ...applicationViolations(spec, metadata.namespace), ...sparksOwnViolations(spec)];
  return { spec, found: all.map(inWordsOfProps(spec)) };
}

/**
 * What the construct `ScheduledSparkApplication` makes of its props.
 * @internal
 */
export function scheduleOfProps(metadata: NamedMetadata, props: ScheduledSparkApplicationProps): SpecOfProps<ScheduledSparkApplicationSpec> {
  const { spec: changing, found } = scheduleSpec(props);
  const spec = asJson({ ...changing, template: applicationAsWritten(changing.template) });
  return { spec, found: found.length > 0 ? found : [...nameAndLabels(SCHEDULED_SPARK_APPLICATION, metadata), ...scheduleSpecViolations(metadata, spec)] };
}

function nameAndLabels(kind: KindDefinition, metadata: NamedMetadata): Violation[] {
  return metadataViolations(metadata.name, metadata, { length: kind.maxNameLength ?? 253, reason: maxNameReasonOf(kind) });
}

/** As it is sent: what is undefined is not there. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
