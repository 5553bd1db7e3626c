import { metadataViolations } from '../validation/metadata';
import type { Violation } from '../validation/validate';

const LABEL_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * A name of a Namespace or Service; what is left out is fine.
 * @internal
 */
export function wrongLabelName(path: string, value: string | undefined): Violation | undefined {
  if (value === undefined || LABEL_NAME.test(value)) return undefined;
  return { path, value, reason: "is not a name: use lower-case letters, digits and '-', at most 63" };
}

/**
 * A name of any other object; what is left out is fine.
 * @internal
 */
export function wrongName(path: string, value: string | undefined): Violation | undefined {
  if (value === undefined || SUBDOMAIN.test(value)) return undefined;
  return { path, value, reason: "is not a name: use lower-case letters, digits, '-' and '.', at most 253" };
}

/**
 * Labels; none are fine.
 * @internal
 */
export function wrongLabels(prop: string, labels: { readonly [key: string]: string } | undefined): Violation[] {
  return metadataViolations('x', { labels }).map((violation) => ({ ...violation, path: violation.path.replace('metadata.labels', prop) }));
}

/**
 * Those that are one.
 * @internal
 */
export function found(violations: readonly (Violation | undefined)[]): Violation[] {
  return violations.filter((violation) => violation !== undefined);
}
