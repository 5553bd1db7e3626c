import type { Variable } from './_policy-parts';

/**
 * Returns variables that compare texts with globs: `*` matches any number of characters, `?` one.
 * The operator has the same comparison (operator/defaults/glob); a test feeds the same cases to
 * both.
 *
 * The API server limits the cost of an expression to a million units. A regular expression (RE2)
 * costs its length times that of the text. It therefore contains only the globs that are neither a
 * name nor a prefix.
 *
 * @param name suffix of the names of the variables
 * @param list an expression for a list of globs. A glob with a backslash, which would end the
 * quotation in a regular expression, matches nothing
 * @internal
 */
export function globVariables(name: string, list: string): Variable[] {
  const isPrefix = "glob.indexOf('*') == glob.size() - 1 && !glob.contains('?')";
  const others = `variables.allowed${name}.filter(glob, (glob.contains('*') || glob.contains('?')) && !(${isPrefix}))`;
  const quoted = String.raw`r'\Q' + glob.replace('*', r'\E.*\Q').replace('?', r'\E.\Q') + r'\E'`;
  return [
    { name: `allowed${name}`, expression: String.raw`${list}.filter(glob, glob != '' && !glob.contains('\\'))` },
    {
      name: `prefixesOf${name}`,
      expression: `variables.allowed${name}.filter(glob, ${isPrefix}).map(glob, glob.substring(0, glob.size() - 1))`,
    },
    { name: `patternOf${name}`, expression: String.raw`r'(?s)^(' + ${others}.map(glob, ${quoted}).join('|').replace(r'\Q\E', '') + r')$'` },
  ];
}

/**
 * Returns an expression for the comma-separated globs of an annotation; `variables.annotations` are
 * those of the namespace.
 * @internal
 */
export function globsOfAnnotation(annotation: string): string {
  return `('${annotation}' in variables.annotations ? variables.annotations['${annotation}'].split(',').map(glob, glob.trim()) : [])`;
}

/** Longer than any name of an image or service account, including reference and digest. */
const MAX_COMPARED = 1000;

/**
 * Returns an expression for whether a text, which must not be empty, matches one of the globs.
 * @internal
 */
export function isAllowed(name: string, text: string): string {
  return `(${text} in variables.allowed${name} || variables.prefixesOf${name}.exists(prefix, ${text}.startsWith(prefix)) || (${text}.size() <= ${MAX_COMPARED} && ${text}.matches(variables.patternOf${name})))`;
}
