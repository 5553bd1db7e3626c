import type { Definitions, Schema } from './schema';
import { violations, type Violation } from './validate';

/**
 * The schema of pod templates, as in the file schemas/pod-template.json.
 * @internal
 */
export interface PodTemplateSchema {
  readonly template: Schema;
  readonly definitions: Definitions;
}

/** What the manifest of a Pod has besides a template's fields: such files are what `spark.kubernetes.driver.podTemplateFile` takes. */
const OF_A_MANIFEST: readonly string[] = ['apiVersion', 'kind'];

/**
 * What is wrong in a pod template, which a CRD leaves open: fields that Kubernetes does not have, values of the wrong type.
 * `apiVersion` and `kind` may be there and say nothing.
 * @internal
 */
export function podTemplateViolations({ template, definitions }: PodTemplateSchema, value: unknown, path: string): Violation[] {
  return violations(template, withoutManifestFields(value), path, definitions);
}

function withoutManifestFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !OF_A_MANIFEST.includes(name)));
}
