import type { Variable } from './_policy-parts';

/**
 * The variables for globs that a policy compares texts with: `*` is any number of any characters, `?` is one. The operator compares the same (operator/defaults/glob); a test feeds the same cases
 * to both.
 *
 * The API server limits the cost of an expression to a million units. A regular expression (RE2) costs its length times that of the text. So only those globs are in it that are no whole names, and
 * that have more than an asterisk at their end.
 *
 * @param name the end of the names of the variables
 * @param list an expression for a list of globs. A glob with a backslash would end the quotation in a regular expression: it fits nothing
 * @internal
 */
export function globVariables(name: string, list: string): Variable[] {
  const isPrefix = "glob.indexOf('*') == glob.size() - 1 && !glob.contains('?')";
  const others = `variables.allowed${name}.filter(glob, (glob.contains('*') || glob.contains('?')) && !(${isPrefix}))`;
  const quoted = String.raw`r'\Q' + glob.replace('*', r'\E.*\Q').replace('?', r'\E.\Q') + r'\E'`;
  return [
    { name: `allowed${name}`, expression: String.raw`${list}.filter(glob, glob != '' && !glob.contains('\\'))` },
    { name: `prefixesOf${name}`, expression: `variables.allowed${name}.filter(glob, ${isPrefix}).map(glob, glob.substring(0, glob.size() - 1))` },
    { name: `patternOf${name}`, expression: String.raw`r'(?s)^(' + ${others}.map(glob, ${quoted}).join('|').replace(r'\Q\E', '') + r')$'` },
  ];
}

/**
 * An expression for the globs of an annotation, with commas between them; `variables.annotations` are those of the namespace.
 * @internal
 */
export function globsOfAnnotation(annotation: string): string {
  return `('${annotation}' in variables.annotations ? variables.annotations['${annotation}'].split(',').map(glob, glob.trim()) : [])`;
}

/** No image or service account has a name as long: reference and digest together stay below it. */
const MAX_COMPARED = 1000;

/**
 * An expression for whether a text fits one of the globs. The text is not empty.
 * @internal
 */
export function isAllowed(name: string, text: string): string {
  return `(${text} in variables.allowed${name} || variables.prefixesOf${name}.exists(prefix, ${text}.startsWith(prefix)) || (${text}.size() <= ${MAX_COMPARED} && ${text}.matches(variables.patternOf${name})))`;
}
