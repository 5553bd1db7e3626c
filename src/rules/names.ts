import type { Problem } from '../model/problem';

const LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_LABEL = new RegExp(`^${LABEL}$`);
const SUBDOMAIN = new RegExp(`^(?=.{1,253}$)${PART}([.]${PART})*$`);
const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PORT_NAME = /^([a-z0-9]-?)*[a-z](-?[a-z0-9])*$/;
const CONFIG_KEY = /^[-._a-zA-Z0-9]{1,253}$/;
/**
 * Kubernetes' relaxed rule (RelaxedEnvironmentVariableValidation): printable ASCII characters
 * except `=`.
 */
const VARIABLE = /^[ -<>-~]+$/;

/** Whether a text is a DNS label, such as the name of a namespace or volume. @internal */
export function isDnsLabel(text: string): boolean {
  return DNS_LABEL.test(text);
}

/** Whether a text is a DNS subdomain, such as the name of a Pod, Secret or ConfigMap. @internal */
export function isSubdomain(text: string): boolean {
  return SUBDOMAIN.test(text);
}

/** Whether a text is the key of a label: a name, or a prefix and a name. @internal */
export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  return slash < 0 ? LABEL_NAME.test(text) : isSubdomain(text.slice(0, slash)) && LABEL_NAME.test(text.slice(slash + 1));
}

/** Whether a text is the value of a label. @internal */
export function isLabelValue(text: string): boolean {
  return text === '' || LABEL_NAME.test(text);
}

/** Whether a text is the name of a container's port. @internal */
export function isPortName(text: string): boolean {
  return text.length <= 15 && PORT_NAME.test(text);
}

/** Whether a text is the key of a Secret or ConfigMap. @internal */
export function isConfigKey(text: string): boolean {
  return CONFIG_KEY.test(text);
}

/** Whether Kubernetes accepts a text as the name of an environment variable. @internal */
export function isVariable(text: string): boolean {
  return VARIABLE.test(text);
}

/** Whether a text is a relative path without `..` (validateLocalDescendingPath). @internal */
export function isDescendingPath(text: string): boolean {
  return !text.startsWith('/') && !text.split('/').includes('..');
}

/**
 * Checks the name of a Namespace or Service; undefined is valid.
 * @internal
 */
export function wrongLabelName(path: string, value: string | undefined): Problem | undefined {
  if (value === undefined || isDnsLabel(value)) return undefined;
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
  if (value === undefined || isSubdomain(value)) return undefined;
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
 * Removes undefined entries.
 * @internal
 */
export function found(violations: readonly (Problem | undefined)[]): Problem[] {
  return violations.filter((violation) => violation !== undefined);
}

/**
 * Checks a folder in a container; undefined is valid.
 * @param isLocalDir whether it is one of Spark's local directories, whose list is separated by
 * commas
 * @internal
 */
export function wrongMountPath(path: string, value: string | undefined, isLocalDir = false): Problem | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('/')) return { path, value, reason: 'must begin with a slash' };
  if (value.includes(':')) return { path, value, reason: "must not contain ':', which Kubernetes rejects in a mount path" };
  return isLocalDir && value.includes(',') ? {
    path, value, reason: "must not contain ',', which separates Spark's local directories",
  } : undefined;
}

/**
 * Checks the name of an image; undefined is valid.
 * @internal
 */
export function wrongImage(path: string, value: string | undefined): Problem | undefined {
  if (value === undefined || (value !== '' && !/\s/.test(value))) return undefined;
  return {
    path, value,
    reason: 'is not the name of an image, such as registry.example.org/spark:1: it must not be empty or contain blanks',
  };
}
