/**
 * Returns properties as a file that Spark reads (java.util.Properties), sorted by key.
 * @internal
 */
export function propertiesFile(properties: { readonly [key: string]: string }): string {
  return Object.keys(properties).sort().map(
    (key) => `${escaped(key).replace(/ /g, '\\ ')}=${escaped(properties[key]!).replace(/^ +/, (spaces) => '\\ '.repeat(spaces.length))}\n`,
  ).join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\f': '\\f' };

/** Spark reads the file as UTF-8, so other characters need no escape. */
function escaped(text: string): string {
  return text.replace(/[\\=:#!]/g, '\\$&').replace(/[\t\n\r\f]/g, (character) => ESCAPES[character]!);
}
