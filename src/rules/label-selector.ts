import { isLabelKey, isLabelValue } from './names';

/**
 * A requirement of a label selector, in the form of `matchExpressions`.
 * @internal
 */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** Only of `In` and `NotIn`. */
  readonly values?: readonly string[];
}

/**
 * Parses a label selector as text. Its forms are `key=value`, `key==value`, `key!=value`,
 * `key in (a,b)`, `key notin (a,b)`, `key` and `!key`. Commas separate several, which must all
 * match (k8s.io/apimachinery, pkg/labels).
 *
 * @returns the reason if Kubernetes would reject it
 * @internal
 */
export function parseSelector(selector: string): readonly LabelRequirement[] | string {
  // Commas in parentheses do not part requirements.
  const requirements = selector.split(/,(?![^(]*\))/).map((text) => requirementIn(text.trim()));
  return requirements.map(problemOfRequirement).find(Boolean) ?? requirements;
}

/**
 * Returns the problem of a label selector, with which each call to Kubernetes would fail.
 *
 * @returns undefined if there is none
 * @internal
 */
export function problemOfSelector(selector: string): string | undefined {
  const parsed = parseSelector(selector);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** Returns a requirement as text. @internal */
export function requirementText({ key, operator, values = [] }: LabelRequirement): string {
  switch (operator) {
    case 'In': return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn': return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'Exists': return key;
    case 'DoesNotExist': return `!${key}`;
  }
}

/** Whether labels fulfil a requirement. @internal */
export function fulfils(labels: { readonly [key: string]: string }, { key, operator, values = [] }: LabelRequirement): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In': return value !== undefined && values.includes(value);
    case 'NotIn': return value === undefined || !values.includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
  }
}

/**
 * Whether no object fits two label selectors, as two of their requirements exclude each other.
 * @internal
 */
export function areDisjoint(one: readonly LabelRequirement[], other: readonly LabelRequirement[]): boolean {
  return one.some((a) => other.some((b) => exclude(a, b) || exclude(b, a)));
}

function exclude(a: LabelRequirement, b: LabelRequirement): boolean {
  if (a.key !== b.key) return false;
  // Whatever the label has as its value, the other requirement rejects it.
  if (a.operator === 'In') return a.values!.every((value) => !fulfils({ [a.key]: value }, b));
  return a.operator === 'Exists' && b.operator === 'DoesNotExist';
}

/** Returns the requirement in a text; its key and its values can be invalid. */
function requirementIn(text: string): LabelRequirement {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) return { key: set[1]!, operator: set[2] === 'in' ? 'In' : 'NotIn', values: set[3]!.split(',').map((value) => value.trim()) };
  const equality = /^([^=!]+?)\s*(==|!=|=)\s*([^=!]*)$/.exec(text);
  if (equality) return { key: equality[1]!, operator: equality[2] === '!=' ? 'NotIn' : 'In', values: [equality[3]!.trim()] };
  return text.startsWith('!') ? { key: text.slice(1).trim(), operator: 'DoesNotExist' } : { key: text, operator: 'Exists' };
}

function problemOfRequirement({ key, values = [] }: LabelRequirement): string | undefined {
  if (!isLabelKey(key)) return `${JSON.stringify(key)} is not the key of a label`;
  const wrong = values.find((value) => !isLabelValue(value));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not the value of a label`;
}
