/** Sections of an INI file and their settings. */
export type Ini = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Parses files such as ~/.aws/credentials and ~/.aws/config. They contain `[section]`, `name =
 * value`, and comments with # or ; at the beginning of a line or after a blank. Nested settings
 * (indented lines) are skipped. If a setting is repeated, the last one applies.
 */
export function parseIni(text: string): Ini {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line) ?? [];
    if (name !== undefined) {
      const key = name.replace(/\s+/g, ' ');
      section = sections.get(key) ?? new Map();
      sections.set(key, section);
      continue;
    }
    const [, key, value] = /^([^\s=#;][^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) section?.set(key.toLowerCase(), value!.replace(/(^|\s)[#;].*$/, '').trim());
  }
  return sections;
}
