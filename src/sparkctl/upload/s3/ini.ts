/** Sections of an INI file and their settings. */
export type Ini = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reads files as ~/.aws/credentials and ~/.aws/config are: `[section]`, `name = value`, comments with # or ; at the begin of a line, or behind a blank. Settings within settings
 * (indented lines) are passed over. Of a setting that is there twice the last one counts.
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
