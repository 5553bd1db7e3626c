import { metadataViolations } from '../rules/metadata';
import type { Violation } from '../model/problem';

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
 * A name of a Service, and of others; what is left out is fine.
 * @internal
 */
export function wrongServiceName(path: string, value: string | undefined): Violation | undefined {
  const isDigitFirst = value !== undefined && /^[0-9]/.test(value);
  return isDigitFirst ? { path, value, reason: 'is not the name of a Service: let it begin with a letter' } : wrongLabelName(path, value);
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
 * The name of an environment variable as all versions of Kubernetes take it (IsEnvVarName).
 * @internal
 */
export const VARIABLE_NAME = /^(?!\.\.?$|\.\.)[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/**
 * A name of an environment variable.
 * @internal
 */
export function wrongVariable(path: string, name: string): Violation | undefined {
  return VARIABLE_NAME.test(name) ? undefined : { path, value: undefined, reason: "is not the name of a variable: use letters, digits, '_', '-' and '.', and begin with no digit" };
}

/**
 * A key of a Secret or ConfigMap.
 * @internal
 */
export function wrongKey(path: string, key: string): Violation | undefined {
  return /^(?!\.\.?$|\.\.)[-._a-zA-Z0-9]{1,253}$/.test(key) ? undefined : { path, value: key, reason: "is not the key of a Secret: use letters, digits, '-', '_' and '.'" };
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
