/** Returns a JSON value as an expression, with `indent` before its last line. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return block('[]', value.map((item) => literal(item, `${indent}  `)), indent);
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return block('{}', fields.map(([key, item]) => `${keyText(key)}: ${literal(item, `${indent}  `)}`), indent);
}

/** Returns a list or an object, with an entry per line. @param brackets `[]` or `{}` */
export function block(brackets: string, entries: readonly string[], indent: string): string {
  const [open, close] = brackets;
  return entries.length === 0 ? brackets : `${open}\n${entries.map((entry) => `${indent}  ${entry},\n`).join('')}${indent}${close}`;
}

/** Returns the name of a field, in quotes if it needs them. */
export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}
