import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder with the page of each command. People write its README, other than the table of commands. */
export const SPARKCTL_FOLDER = 'docs/reference/sparkctl';
const INDEX = `${SPARKCTL_FOLDER}/README.md`;
const [BEGIN, END] = ['<!-- commands:begin -->\n', '<!-- commands:end -->\n'];

/** Pages about commands: title and path from the folder of the commands. */
const GUIDES: Readonly<Record<string, readonly [title: string, path: string]>> = {
  create: ['uploads', '../../guides/uploads.md'],
  submit: ['from spark-submit', '../../migrate/from-spark-submit.md'],
  apply: ['changing what runs', '#changing-what-runs'],
  diff: ['changing what runs', '#changing-what-runs'],
  list: ['reasons and problems', '#reasons-and-problems'],
  status: ['errors', '../../troubleshoot/errors.md'],
  ui: ['console', '../../guides/console.md'],
  suspend: ['changing what runs', '#changing-what-runs'],
  resume: ['changing what runs', '#changing-what-runs'],
  rerun: ['changing what runs', '#changing-what-runs'],
  edit: ['changing what runs', '#changing-what-runs'],
  run: ['schedules', '../../guides/schedules.md'],
  schedule: ['schedules', '../../guides/schedules.md'],
  render: ['render', '../../guides/render.md'],
  convert: ['migrate', '../../migrate/README.md'],
  image: ['fast start', '../../guides/fast-start.md'],
  doctor: ['findings', '../../troubleshoot/doctor.md'],
  install: ['install', '../../operate/install.md'],
  migrate: ["from kubeflow's operator", '../../migrate/from-kubeflow.md'],
  uninstall: ['install', '../../operate/install.md#with-sparkctl'],
};

/** A row of `sparkctl --help`. */
interface Row {
  readonly name: string;
  readonly summary: string;
}

/** Returns a page for each command, with its help, and the index with their table between its markers. */
export function sparkctlPages(root: string): { readonly path: string; readonly text: string }[] {
  const program = join(root, 'runtime/sparkctl.cjs');
  const help = (...command: readonly string[]) => execFileSync(process.execPath, [program, ...command, '--help'], { encoding: 'utf8' });
  const rows = commandRows(help());
  const unknown = Object.keys(GUIDES).filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`tools/generate/sparkctl.ts has pages about commands that do not exist: ${unknown.join(', ')}`);
  return [
    { path: INDEX, text: indexText(readFileSync(join(root, INDEX), 'utf8'), rows) },
    ...rows.map((row) => ({ path: `${SPARKCTL_FOLDER}/${row.name}.md`, text: commandText(row, help(row.name)) })),
  ];
}

/** Returns the commands in the help of the program. A summary can have several lines. */
export function commandRows(help: string): Row[] {
  const [, table] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)!;
  return [...table!.matchAll(/^ {2}(\S+) +(.*(?:\n {3,}.*)*)/gm)].map(([, name, summary]) => ({ name: name!, summary: summary!.replaceAll(/\n +/g, ' ') }));
}

function indexText(page: string, rows: readonly Row[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${INDEX} has no place for the commands: add ${BEGIN.trim()} and ${END.trim()}`);
  const lines = rows.map((row) => `| [${row.name}](${row.name}.md) | ${row.summary} | ${guideOf(row, '')} |`);
  return `${page.slice(0, begin + BEGIN.length)}| command | effect | more |\n|---|---|---|\n${lines.join('\n')}\n${page.slice(end)}`;
}

function commandText(row: Row, help: string): string {
  const guide = guideOf(row, 'README.md');
  return [
    `<!-- Generated from src/sparkctl/commands/${row.name}.ts by \`npm run generate\`; do not edit. -->`,
    `# sparkctl ${row.name}`,
    '',
    '```',
    `$ sparkctl ${row.name} --help`,
    `${help}\`\`\``,
    '',
    `See also: ${guide === '' ? '' : `${guide}, `}[output and exit codes of all commands](README.md), [rights](README.md#rights).`,
    '',
  ].join('\n');
}

/** Returns the link to the page about a command, or an empty text. @param index path of the index */
function guideOf({ name }: Row, index: string): string {
  const [title, path] = GUIDES[name] ?? [];
  return path === undefined ? '' : `[${title}](${path.startsWith('#') ? `${index}${path}` : path})`;
}
