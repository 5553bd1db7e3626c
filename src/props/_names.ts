import { metadataViolations } from '../rules/metadata';
import type { Problem } from '../model/problem';

const LABEL_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Checks the name of a Namespace or Service; undefined is valid.
 * @internal
 */
export function wrongLabelName(path: string, value: string | undefined): Problem | undefined {
  if (value === undefined || LABEL_NAME.test(value)) return undefined;
  return { path, value, reason: "is not a name: use lower-case letters, digits and '-', at most 63" };
}

/**
 * Checks the name of a Service or of a similar object; undefined is valid.
 * @internal
 */
export function wrongServiceName(path: string, value: string | undefined): Problem | undefined {
  const isDigitFirst = value !== undefined && /^[0-9]/.test(value);
  return isDigitFirst ? { path, value, reason: 'is not the name of a Service: let it begin with a letter' } : wrongLabelName(path, value);
}

/**
 * Checks the name of any other object; undefined is valid.
 * @internal
 */
export function wrongName(path: string, value: string | undefined): Problem | undefined {
  if (value === undefined || SUBDOMAIN.test(value)) return undefined;
  return { path, value, reason: "is not a name: use lower-case letters, digits, '-' and '.', at most 253" };
}

/**
 * Pattern for names of environment variables in all versions of Kubernetes (IsEnvVarName).
 * @internal
 */
export const VARIABLE_NAME = /^(?!\.\.?$|\.\.)[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/**
 * Checks the name of an environment variable.
 * @internal
 */
export function wrongVariable(path: string, name: string): Problem | undefined {
  return VARIABLE_NAME.test(name) ? undefined : {
    path, value: undefined, reason: "is not the name of a variable: use letters, digits, '_', '-' and '.', and begin with no digit",
  };
}

/**
 * Checks a key of a Secret or ConfigMap.
 * @internal
 */
export function wrongKey(path: string, key: string): Problem | undefined {
  return /^(?!\.\.?$|\.\.)[-._a-zA-Z0-9]{1,253}$/.test(key) ? undefined : {
    path, value: key, reason: "is not the key of a Secret: use letters, digits, '-', '_' and '.'",
  };
}

/**
 * Checks labels; undefined is valid.
 * @internal
 */
export function wrongLabels(prop: string, labels: { readonly [key: string]: string } | undefined): Problem[] {
  return metadataViolations('x', { labels }).map((violation) => ({ ...violation, path: violation.path.replace('metadata.labels', prop) }));
}

/**
 * Removes undefined entries.
 * @internal
 */
export function found(violations: readonly (Problem | undefined)[]): Problem[] {
  return violations.filter((violation) => violation !== undefined);
}
