import type { EnvVar } from '../../k8s';

/**
 * Returns the names of the variables to which one refers as `$(NAME)`. Kubernetes unescapes `$$` to
 * `$` and does not expand it. Takes linear time.
 */
export function referencesOf({ value }: Pick<EnvVar, 'value'>): string[] {
  const text = value ?? '';
  // Nothing matches after the last bracket, where each start of a match would scan to the end of
  // the text.
  return [...text.slice(0, text.lastIndexOf(')') + 1).matchAll(/(?<!\$)(?:\$\$)*\$\(([^)]+)\)/g)].map(match => match[1]!);
}
