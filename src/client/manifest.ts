import { SCHEDULED_SPARK_APPLICATION, type ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { apiVersionOf, type KindDefinition } from '../api/kind';
import { SPARK_APPLICATION, type SparkApplicationSpec } from '../api/spark-application';
import type { SpecOfProps } from '../props/_manifests';
import type { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import type { SparkApplicationProps } from '../props/spark-application-props';
import { generatedName } from './create-once';
import { PropsError } from './errors';
import type { ScheduledSparkApplicationManifest, SparkApplicationManifest, Target } from './types';

/** Metadata of an object to create. */
export interface CreatedMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** Object to create. */
export interface Created<S> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: CreatedMetadata;
  readonly spec: S;
}

/** Defaults for the metadata. */
export interface Completion {
  /** Namespace of the client. */
  readonly namespace: string;
  readonly requestId: string;
}

/** Name of an object, or its metadata. */
export type NameOrTarget = string | Target;

/**
 * Returns the application that the construct `SparkApplication` would synthesize from props.
 *
 * @throws {PropsError} when the props are invalid
 * @throws {TypeError} without a name
 */
export function applicationFromProps(
  target: NameOrTarget, props: SparkApplicationProps, completion: Completion,
): Promise<Created<SparkApplicationSpec>> {
  return fromProps(SPARK_APPLICATION, metadataOf(
    withProps(target, props), completion,
  ), async (metadata) => (await constructs()).applicationOfProps(metadata, props));
}

/** Returns the schedule for props, as `applicationFromProps` does. */
export function scheduleFromProps(
  target: NameOrTarget, props: ScheduledSparkApplicationProps, completion: Completion,
): Promise<Created<ScheduledSparkApplicationSpec>> {
  return fromProps(SCHEDULED_SPARK_APPLICATION, metadataOf(
    withProps(target, props), completion,
  ), async (metadata) => (await constructs()).scheduleOfProps(metadata, props));
}

/**
 * Returns the application of a manifest.
 *
 * @throws {TypeError} when the manifest has another kind, or no name
 */
export function applicationFromManifest(manifest: SparkApplicationManifest, completion: Completion): Created<SparkApplicationSpec> {
  return fromManifest(SPARK_APPLICATION, manifest, completion);
}

/** Returns the schedule of a manifest, as `applicationFromManifest` does. */
export function scheduleFromManifest(
  manifest: ScheduledSparkApplicationManifest, completion: Completion,
): Created<ScheduledSparkApplicationSpec> {
  return fromManifest(SCHEDULED_SPARK_APPLICATION, manifest, completion);
}

/** Loads the constructs on demand, which takes a tenth of a second. */
function constructs() {
  return import('../props/_manifests');
}

async function fromProps<S>(
  kind: KindDefinition, metadata: CreatedMetadata, make: (metadata: CreatedMetadata) => Promise<SpecOfProps<S>>,
): Promise<Created<S>> {
  const { spec, found } = await make(metadata);
  if (found.length > 0) throw new PropsError(kind.kind, `${metadata.namespace}/${metadata.name}`, found);
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
}

interface Manifest<S> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Target;
  readonly spec: S;
}

function fromManifest<S>(kind: KindDefinition, manifest: Manifest<S>, completion: Completion): Created<S> {
  const wanted = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  for (const field of ['apiVersion', 'kind'] as const) {
    const value = manifest[field];
    if (value !== undefined && value !== wanted[field]) throw new TypeError(`${field} = ${JSON.stringify(value)} must be ${wanted[field]}`);
  }
  return { ...wanted, metadata: metadataOf(manifest.metadata, completion), spec: manifest.spec };
}

/** Completes the metadata of props; explicit metadata takes precedence. */
function withProps(target: NameOrTarget, { metadata = {} }: SparkApplicationProps | ScheduledSparkApplicationProps): Target {
  const given = typeof target === 'string' ? { name: target } : target;
  return {
    ...metadata,
    // A fixed name in the props cannot serve for several objects.
    ...(given.generateName !== undefined && { name: undefined }),
    ...given,
    labels: together(metadata.labels, given.labels),
    annotations: together(metadata.annotations, given.annotations),
  };
}

function together<T extends object>(first: T | undefined, second: T | undefined): T | undefined {
  return first && second ? { ...first, ...second } : second ?? first;
}

function metadataOf({ generateName, ...metadata }: Target, { namespace, requestId }: Completion): CreatedMetadata {
  const name = metadata.name ?? (generateName === undefined ? undefined : generatedName(generateName, requestId));
  if (!name) throw new TypeError('a name is missing: pass name or generateName');
  return { ...metadata, name, namespace: metadata.namespace ?? namespace };
}
