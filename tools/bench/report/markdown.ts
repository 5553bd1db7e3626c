/** Text that others wrote, such as a line of a log, as one line that is shown as it is. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/[\\`*_{}[\]<>#|~&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The lines of a table. Cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replace(/\|/g, '&#124;').replace(/\n/g, ' ')).join(' | ')} |`;
  return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line), ''];
}

/** A table whose cells are sentences, and not figures. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const [first, , ...rest] = table(head, rows);
  return [first!, `|${head.map(() => '---').join('|')}|`, ...rest];
}

/** A paragraph. */
export function paragraph(...sentences: readonly string[]): string[] {
  return [sentences.join(' '), ''];
}

/** A list; nothing for none. */
export function list(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [...items.map((item) => `- ${item}`), ''];
}
