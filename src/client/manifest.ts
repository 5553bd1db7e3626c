import { SCHEDULED_SPARK_APPLICATION, type ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import { apiVersionOf, type KindDefinition } from '../api/kind';
import { SPARK_APPLICATION, type SparkApplicationSpec } from '../api/spark-application';
import type { SpecOfProps } from '../props/_manifests';
import type { ScheduledSparkApplicationProps } from '../props/scheduled-spark-application-props';
import type { SparkApplicationProps } from '../props/spark-application-props';
import { generatedName } from './create-once';
import { PropsError } from './errors';
import type { ScheduledSparkApplicationManifest, SparkApplicationManifest, Target } from './types';

/** The metadata of an object that is to be created. */
export interface CreatedMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** An object that is to be created. */
export interface Created<S> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: CreatedMetadata;
  readonly spec: S;
}

/** What a name or its beginning is completed by. */
export interface Completion {
  /** The client's namespace. */
  readonly namespace: string;
  readonly requestId: string;
}

/** What names an object: all of its metadata, or its name. */
export type NameOrTarget = string | Target;

/**
 * The application that props ask for: the same that the construct `SparkApplication` would synthesize.
 *
 * @throws {PropsError} when they would be refused
 * @throws {TypeError} when there is no name
 */
export function applicationFromProps(target: NameOrTarget, props: SparkApplicationProps, completion: Completion): Promise<Created<SparkApplicationSpec>> {
  return fromProps(SPARK_APPLICATION, metadataOf(withProps(target, props), completion), async (metadata) => (await constructs()).applicationOfProps(metadata, props));
}

/** The schedule that props ask for, as `applicationFromProps`. */
export function scheduleFromProps(target: NameOrTarget, props: ScheduledSparkApplicationProps, completion: Completion): Promise<Created<ScheduledSparkApplicationSpec>> {
  return fromProps(SCHEDULED_SPARK_APPLICATION, metadataOf(withProps(target, props), completion), async (metadata) => (await constructs()).scheduleOfProps(metadata, props));
}

/**
 * The application that a manifest describes.
 *
 * @throws {TypeError} when it describes something else, or has no name
 */
export function applicationFromManifest(manifest: SparkApplicationManifest, completion: Completion): Created<SparkApplicationSpec> {
  return fromManifest(SPARK_APPLICATION, manifest, completion);
}

/** The schedule that a manifest describes, as `applicationFromManifest`. */
export function scheduleFromManifest(manifest: ScheduledSparkApplicationManifest, completion: Completion): Created<ScheduledSparkApplicationSpec> {
  return fromManifest(SCHEDULED_SPARK_APPLICATION, manifest, completion);
}

/** The half of the package with the constructs, which takes a tenth of a second: loaded when it is needed. */
function constructs() {
  return import('../props/_manifests');
}

async function fromProps<S>(kind: KindDefinition, metadata: CreatedMetadata, make: (metadata: CreatedMetadata) => Promise<SpecOfProps<S>>): Promise<Created<S>> {
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
    if (value !== undefined && value !== wanted[field]) throw new TypeError(`${field} (${JSON.stringify(value)}) must be ${wanted[field]}`);
  }
  return { ...wanted, metadata: metadataOf(manifest.metadata, completion), spec: manifest.spec };
}

/** What is said beside the props wins over their metadata. */
function withProps(target: NameOrTarget, { metadata = {} }: SparkApplicationProps | ScheduledSparkApplicationProps): Target {
  const given = typeof target === 'string' ? { name: target } : target;
  return {
    ...metadata,
    // A name that the props have for once and for all is not one of many.
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
