import type { ManifestObject } from './read';
import { apiVersionOf } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { metadataViolations, type Metadata, type NameLimit } from '../../rules/metadata';
import { podTemplateViolations } from '../../rules/pod-template';
import { violations } from '../../rules/validate';
import type { Violation } from '../../model/problem';
import type { Schemas } from '../schemas/schemas';

/** Whether an object is a SparkApplication, of whatever version. */
export function isSparkApplication({ apiVersion, kind }: ManifestObject): boolean {
  return kind === SPARK_APPLICATION.kind && typeof apiVersion === 'string' && apiVersion.startsWith(`${SPARK_APPLICATION.group}/`);
}

/** What the API server, and then the operator, would refuse in a SparkApplication. */
export function sparkApplicationViolations(object: ManifestObject, schemas: Schemas): Violation[] {
  const expected = apiVersionOf(SPARK_APPLICATION);
  if (object.apiVersion !== expected) return [{ path: 'apiVersion', value: object.apiVersion, reason: `must be ${expected}: the fields of other versions are not known here` }];
  const { definitions } = schemas.podTemplate;
  const { metadata, status: _, ...rest } = object; // the API server ignores a status that is written by users
  return [
    ...objectMetadataViolations(metadata, schemas),
    // The metadata are looked at above; the rule of the CRD for their name is one of those.
    ...violations(schemas.sparkApplication, { ...rest, metadata: { name: 'a' } }, '', definitions).map((violation) => ({ ...violation, path: violation.path.replace(/^\./, '') })),
    ...(['driver', 'executor'] as const).flatMap((role) => podTemplateViolations(schemas.podTemplate, templateOf(object.spec, role), `spec.${role}.template`)
      // Told as a warning, with all that has no effect.
      .filter(({ unknown }) => !unknown)),
  ];
}

/**
 * What is wrong with the metadata of an object.
 *
 * @param limit of its name @default - that of what becomes a label of pods
 */
export function objectMetadataViolations(metadata: unknown, { podTemplate: { definitions } }: Schemas, limit?: NameLimit): Violation[] {
  const meta = withoutManagedFields(metadata ?? {});
  const ofTypes = violations({ $ref: 'ObjectMeta' }, meta, 'metadata', definitions);
  return ofTypes.length > 0 ? ofTypes : namingViolations(meta as NamedMetadata, limit);
}

/** `kubectl get -o yaml --show-managed-fields` prints them; the API server writes them itself. */
function withoutManagedFields(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'managedFields'));
}

interface NamedMetadata extends Metadata {
  readonly name?: string;
  readonly generateName?: string;
}

function namingViolations({ name, generateName, ...metadata }: NamedMetadata, limit: NameLimit | undefined): Violation[] {
  if (name) return metadataViolations(name, metadata, limit);
  const reason = generateName ? 'is required, as all names follow from it; generateName is not enough here' : 'is required';
  return [{ path: 'metadata.name', value: undefined, reason }];
}

function templateOf(spec: unknown, role: string): unknown {
  return (spec as Record<string, Record<string, unknown> | undefined> | undefined)?.[role]?.template ?? undefined;
}
