import type { Definitions, Schema } from './schema';
import { violations } from './validate';
import type { Violation } from '../model/problem';

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
 * What is wrong in a pod template, which a CRD leaves open: fields that Kubernetes does not have, values of the wrong type, ephemeral containers.
 * `apiVersion` and `kind` may be there and say nothing.
 * @internal
 */
export function podTemplateViolations({ template, definitions }: PodTemplateSchema, value: unknown, path: string): Violation[] {
  const found = violations(template, withoutManifestFields(value), path, definitions);
  return found.map((violation) => (isAddedLater(violation, path) ? { path: violation.path, value: undefined, reason: NOT_YET } : violation));
}

/** Others than fields that nobody knows, Kubernetes refuses them (`ValidatePodCreate`): they are for a Pod that is there. */
const NOT_YET = 'is refused by Kubernetes in a Pod that is created: write it as a sidecar, in containers';

function isAddedLater({ path, value, unknown }: Violation, template: string): boolean {
  return unknown === true && path === `${template}.spec.ephemeralContainers` && value !== null && !(Array.isArray(value) && value.length === 0);
}

function withoutManifestFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !OF_A_MANIFEST.includes(name)));
}
