/** The escapes that have a letter. */
const LETTER_ESCAPES: { readonly [char: string]: string } = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\f': '\\f' };

/** A property and its value. */
export type PropertyEntry = readonly [key: string, value: string];

/**
 * Renders properties as `java.util.Properties.store(Writer)` does, but sorted by key and without the date, so that the
 * same properties are the same text. Characters beyond ASCII stay as they are: Spark reads the file as UTF-8.
 *
 * @param entries the properties
 * @param comment what the first line says
 */
export function renderJavaProperties(entries: Iterable<PropertyEntry>, comment: string): string {
  const lines = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${escapeKey(key)}=${escapeValue(value)}\n`);
  return `#${comment}\n${lines.join('')}`;
}

/** In a key every space is escaped, as a space ends the key. */
function escapeKey(key: string): string {
  const escaped = escape(key);
  return escaped.includes(' ') ? escaped.replaceAll(' ', '\\ ') : escaped;
}

/** In a value only a leading space is escaped: those after it are then part of the value. */
function escapeValue(value: string): string {
  const escaped = escape(value);
  return escaped.startsWith(' ') ? `\\${escaped}` : escaped;
}

/** What `escape` escapes. Most texts have none of it, and to find that out is a third of the work. */
const SPECIAL = /[\\=:#!\t\n\r\f]/;

function escape(text: string): string {
  return !SPECIAL.test(text) ? text : text.replace(/[\\=:#!\t\n\r\f]/g, char => LETTER_ESCAPES[char] ?? `\\${char}`);
}
