import type { ManifestObject } from './read';
import { apiVersionOf } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { metadataViolations, type Metadata, type NameLimit } from '../../rules/metadata';
import { podTemplateViolations } from '../../rules/pod-template';
import { podTemplateSchema, schemaOfKind } from '../../rules/schemas';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';

/** Returns whether an object is a SparkApplication of any version. */
export function isSparkApplication({ apiVersion, kind }: ManifestObject): boolean {
  return kind === SPARK_APPLICATION.kind && typeof apiVersion === 'string' && apiVersion.startsWith(`${SPARK_APPLICATION.group}/`);
}

/** Finds violations in a SparkApplication that the API server or the operator would reject. */
export function sparkApplicationViolations(object: ManifestObject): Problem[] {
  const expected = apiVersionOf(SPARK_APPLICATION);
  if (object.apiVersion !== expected) {
    return [
      { path: 'apiVersion', value: object.apiVersion, reason: `must be ${expected}: the fields of other versions are not known here` },
    ];
  }
  const podTemplate = podTemplateSchema();
  const { metadata, status: _, ...rest } = object; // the API server ignores a status that users write
  return [
    ...objectMetadataViolations(metadata),
    // The metadata are checked above, including the CRD's rule for the name.
    ...violations(schemaOfKind(SPARK_APPLICATION), { ...rest, metadata: { name: 'a' } }, '', podTemplate.definitions).map((violation) => ({
      ...violation, path: violation.path.replace(/^\./, ''),
    })),
    ...(['driver', 'executor'] as const)
      .flatMap((role) => podTemplateViolations(podTemplate, templateOf(object.spec, role), `spec.${role}.template`))
      // Unknown fields are reported as warnings, with other fields without effect.
      .filter(({ unknown }) => !unknown),
  ];
}

/**
 * Finds violations in the metadata of an object.
 *
 * @param limit limit of its name @default - that of names that become labels of pods
 */
export function objectMetadataViolations(metadata: unknown, limit?: NameLimit): Problem[] {
  const meta = withoutManagedFields(metadata ?? {});
  const ofTypes = violations({ $ref: 'ObjectMeta' }, meta, 'metadata', podTemplateSchema().definitions);
  return ofTypes.length > 0 ? ofTypes : namingViolations(meta as NamedMetadata, limit);
}

/**
 * Removes the managed fields, which `kubectl get -o yaml --show-managed-fields` prints and only the
 * API server writes.
 */
function withoutManagedFields(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'managedFields'));
}

interface NamedMetadata extends Metadata {
  readonly name?: string;
  readonly generateName?: string;
}

function namingViolations({ name, generateName, ...metadata }: NamedMetadata, limit: NameLimit | undefined): Problem[] {
  if (name) return metadataViolations(name, metadata, limit);
  const reason = generateName ? 'is required, as other names derive from it; generateName is not supported here' : 'is required';
  return [{ path: 'metadata.name', value: undefined, reason }];
}

function templateOf(spec: unknown, role: string): unknown {
  return (spec as Record<string, Record<string, unknown> | undefined> | undefined)?.[role]?.template ?? undefined;
}
