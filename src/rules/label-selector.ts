import { isLabelKey, isLabelValue } from './names';

/**
 * Returns the problem of a label selector, with which each call to Kubernetes would fail. Its forms
 * are `key=value`, `key==value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key` and `!key`.
 * Commas separate several, which must all match (k8s.io/apimachinery, pkg/labels).
 *
 * @returns undefined if nothing is
 */
export function problemOfSelector(selector: string): string | undefined {
  // Commas in parentheses do not part requirements.
  const requirements = selector.split(/,(?![^(]*\))/).map((requirement) => requirement.trim());
  return requirements.map(problemOfRequirement).find(Boolean);
}

function problemOfRequirement(requirement: string): string | undefined {
  const set = /^(\S+)\s+(?:in|notin)\s*\(([^()]*)\)$/.exec(requirement);
  if (set) return problemOfKey(set[1]!) ?? problemOfValues(set[2]!.split(','));
  const equality = /^([^=!]+?)\s*(?:==|!=|=)\s*([^=!]*)$/.exec(requirement);
  if (equality) return problemOfKey(equality[1]!) ?? problemOfValues([equality[2]!]);
  return problemOfKey(requirement.replace(/^!\s*/, ''));
}

function problemOfKey(key: string): string | undefined {
  return isLabelKey(key) ? undefined : `${JSON.stringify(key)} is not the key of a label`;
}

function problemOfValues(values: readonly string[]): string | undefined {
  const wrong = values.map((value) => value.trim()).find((value) => !isLabelValue(value));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not the value of a label`;
}
