import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 'docs/reference/sparkctl.md';
const [BEGIN, END] = ['<!-- commands:begin -->\n', '<!-- commands:end -->\n'];

/** Returns the page of the command line, with the help of each command between its markers. */
export function sparkctlPage(root: string): { readonly path: string; readonly text: string } {
  const program = join(root, 'runtime/sparkctl.cjs');
  const help = (...command: readonly string[]) => execFileSync(process.execPath, [program, ...command, '--help'], { encoding: 'utf8' });
  const whole = help();
  const names = [.../^Commands:\n((?: {2}.*\n)+)/m.exec(whole)![1]!.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name!);
  const sections = names.map((name) => `## sparkctl ${name}\n\n\`\`\`\n$ sparkctl ${name} --help\n${help(name)}\`\`\`\n`);
  const page = readFileSync(join(root, PAGE), 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the commands: add ${BEGIN.trim()} and ${END.trim()}`);
  const commands = [`\`\`\`\n$ sparkctl --help\n${whole}\`\`\`\n`, ...sections].join('\n');
  return { path: PAGE, text: `${page.slice(0, begin + BEGIN.length)}${commands}${page.slice(end)}` };
}
