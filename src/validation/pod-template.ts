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

/**
 * What is wrong in a pod template, which a CRD leaves open: fields that Kubernetes does not have, values of the wrong type.
 * `null` counts as not being there: programs in Go write `creationTimestamp: null`.
 * @internal
 */
export function podTemplateViolations({ template, definitions }: PodTemplateSchema, value: unknown, path: string): Violation[] {
  return violations(template, value, path, { definitions, nullIsAbsent: true });
}
