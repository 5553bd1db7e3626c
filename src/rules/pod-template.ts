import type { Definitions, Schema } from './schema';
import { violations } from './validate';
import type { Problem } from '../model/problem';

/** Schema of pod templates, as in the file schemas/pod-template.json. @internal */
export interface PodTemplateSchema {
  readonly template: Schema;
  readonly definitions: Definitions;
}

/**
 * Fields of a Pod manifest that a template does not have: `spark.kubernetes.driver.podTemplateFile`
 * accepts such files.
 */
const MANIFEST_FIELDS: readonly string[] = ['apiVersion', 'kind'];

/**
 * Returns the faults of a pod template, which a CRD does not check: unknown fields, values of the
 * wrong type, ephemeral containers. `apiVersion` and `kind` are allowed and ignored.
 * @internal
 */
export function podTemplateViolations({ template, definitions }: PodTemplateSchema, value: unknown, path: string): Problem[] {
  const found = violations(template, withoutManifestFields(value), path, definitions);
  return found.map((violation) => (
    isEphemeralContainers(violation, path) ? { path: violation.path, value: undefined, reason: EPHEMERAL_CONTAINERS_REASON } : violation
  ));
}

/**
 * Unlike unknown fields, Kubernetes rejects ephemeral containers (`ValidatePodCreate`): only an
 * existing Pod can get them.
 */
const EPHEMERAL_CONTAINERS_REASON = 'is rejected by Kubernetes in a new Pod: write it as a sidecar, in containers';

function isEphemeralContainers({ path, value, unknown }: Problem, template: string): boolean {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return unknown === true && path === `${template}.spec.ephemeralContainers` && !isEmpty;
}

function withoutManifestFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !MANIFEST_FIELDS.includes(name)));
}
