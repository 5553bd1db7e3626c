/* docs/troubleshoot/doctor.md: each check of `sparkctl doctor` has a section, and each of its errors and warnings a row there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { each, sourceTexts } from '../../helpers/source-texts';

const root = join(__dirname, '../../..');
const FOLDER = 'src/sparkctl/doctor';
const sources = globSync(`${FOLDER}/*.ts`, { cwd: root }).sort().map((path) => ({ name: path.slice(FOLDER.length + 1), text: readFileSync(join(root, path), 'utf8') }));

/** An error or a warning in the source. */
interface Message {
  readonly file: string;
  /** Undefined if the level is a variable. */
  readonly level: string | undefined;
  /** Ways to read the expression, with `…` in place of other expressions. */
  readonly texts: readonly string[];
}

/** Names of the checks in a file. */
function checksIn(text: string): string[] {
  return [...text.matchAll(/findingsOf\('([^']+)'\)|^const [A-Z]+ = '([A-Z][A-Za-z ]+)';$/gm)].map(([, direct, constant]) => (direct ?? constant)!);
}
const checks = [...new Set(sources.flatMap(({ text }) => checksIn(text)))];

/** Sections of messages whose file has no check of its own. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'reading.ts': ['Any check'],
  'certificates.ts': ['Webhook'],
  'permissions.ts': ['Permissions of the operator', 'Your permissions', 'Service accounts'],
  // Serves applications and servers.
  'applications.ts': ['Applications', 'Spark Connect'],
};

/** Messages around others: of certificates.ts, and of the calls of findingAbout. */
const AROUND = [/^Secret …\/…: …$/, /^the (?:…|Service …\/…)(?: …)+$/, /^ResourceQuota …\/… …$/];

function messagesIn({ name, text }: { readonly name: string; readonly text: string }): Message[] {
  const { file, textsOf } = sourceTexts(name, text);
  const found: Message[] = [];
  const add = (level: string | undefined, expression: ts.Expression) => found.push({ file: name, level, texts: textsOf(expression) });
  each(file, (node) => {
    if (name === 'certificates.ts' && ts.isPropertyAssignment(node) && isLevel(node.name.getText())) add(node.name.getText(), node.initializer);
    if (!ts.isCallExpression(node) || node.arguments.length === 0) return;
    const { expression: callee, arguments: args } = node;
    if (ts.isPropertyAccessExpression(callee) && isLevel(callee.name.text)) add(callee.name.text, args[0]!);
    else if (ts.isIdentifier(callee) && isLevel(callee.text)) add(callee.text, args[0]!);
    else if (ts.isElementAccessExpression(callee) && callee.expression.getText() === 'findings') add(undefined, args[0]!);
    else if (ts.isIdentifier(callee) && callee.text === 'findingAbout') add('warning', args.at(-1)!);
  });
  return found.filter(({ texts }) => !texts.every((way) => way === '…' || AROUND.some((pattern) => pattern.test(way))));
}
const isLevel = (word: string) => word === 'error' || word === 'warning';
const messages = sources.flatMap(messagesIn);

const [head, ...parts] = readFileSync(join(root, 'docs/troubleshoot/doctor.md'), 'utf8').split(/^## /m);
const rows = parts.flatMap((part) => part.split('\n').filter((line) => /^\| `(?:error|warning)` /.test(line)).map((line) => {
  const [level, quotes, ...others] = line.slice(2, -2).split(' | ');
  return { section: part.split('\n')[0]!, level: level!.slice(1, -1), fragments: [...quotes!.matchAll(/`([^`]+)`/g)].map(([, fragment]) => fragment!), others };
}));

const covers = (row: typeof rows[number], fragment: string, { file, level, texts }: Message) => (
  (SECTIONS[file] ?? checksIn(sources.find(({ name }) => name === file)!.text)).includes(row.section)
  && (level === undefined || level === row.level) && texts.some((text) => text.includes(fragment))
);

test('each check has a section', () => {
  expect(checks.length).toBeGreaterThan(14);
  expect(parts.map((part) => part.split('\n')[0]).sort()).toEqual([...checks, 'Any check'].sort());
});

test('each error and each warning has a row in the section of its check', () => {
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.filter((message) => !rows.some((row) => row.fragments.some((fragment) => covers(row, fragment, message))))).toEqual([]);
});

test('each row is about an error or a warning of the source, and has a meaning and a remedy', () => {
  const unknown = rows.flatMap((row) => row.fragments.filter((fragment) => !messages.some((message) => covers(row, fragment, message))).map((fragment) => `${row.section}: ${fragment}`));
  expect(unknown).toEqual([]);
  expect(rows.filter(({ fragments, others }) => fragments.length === 0 || others.length !== 2 || others.some((cell) => cell.trim() === ''))).toEqual([]);
});

test('the levels are those of findings', () => {
  const [, union] = /export type Level = (.*);/.exec(sources.find(({ name }) => name === 'finding.ts')!.text)!;
  const problems = union!.match(/(?<=')[a-z ]+(?=')/g)!.filter((level) => level !== 'ok');
  expect([...head!.matchAll(/^\| `([a-z ]+)` /gm)].map(([, level]) => level).sort()).toEqual(problems.sort());
});
