/*
 * `npm run lint` holds documents, comments and texts of programs to plain words: it reports phrases that
 * a reader from the Kubernetes world stumbles over, and names the word to use. In src it also reports such
 * words in identifiers and names of files.
 *
 *   node tools/lint/words.ts [FILE…]     by default all Markdown, and the code of src, test, tools and examples
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { findNames } from './identifiers.ts';

/** A phrase that the project does not use, and what to write. */
interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** A phrase that was found. */
export interface Finding {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const RULES: readonly Rule[] = [
  { pattern: /\b(?:is|are|was|were|be|been|not|who|what) told\b|\btells? (?:of|that|whether|what|who|how|it|nothing)\b|\btold of\b/i, instead: 'report, log, return or print' },
  { pattern: /\b(?:goes|go|went|going) on\b/i, instead: 'continue' },
  { pattern: /\b(?:stands?|stood)\b(?! (?:in for|by)\b)/i, instead: 'is, or is written' },
  { pattern: /\bof before\b|\b(?:the one|ones) before\b/i, instead: 'previous' },
  { pattern: /\blook(?:s|ed)? at again\b|\b(?:is|are|be|been) looked at\b/i, instead: 'reconcile, requeue or read' },
  { pattern: /\b(?:nobody|somebody|whoever|anybody)\b/i, instead: 'the actor: user, caller, another controller' },
  { pattern: /\bbesides\b/i, instead: 'also, or other than' },
  { pattern: /\ball the same\b/i, instead: 'still' },
  { pattern: /\bcomes? about\b/i, instead: 'happen' },
  { pattern: /\btak(?:en|es?) up\b/i, instead: 'adopt' },
  {
    pattern: /(?:^|[.:;*/|] |\*\s|\/\/ |\/\*\* )(?:Of|By|With) (?:a|an|all|each|the|what|those|such)\b[^.,]{0,60}, ?(?:there|it|is|are|the)\b/,
    instead: 'subject, verb, object',
  },
  { pattern: /(?:^\s*(?:\*|\/\/|\/\*\*|#+)\s+|^|[.] )(?:What|Who|Which) (?!is |are |to )[a-z]/, instead: 'a noun as the subject' },
  { pattern: /\/\*\* (?:What|Who) /, instead: 'a noun (types) or a verb (functions) first' },
  { pattern: /\bmay not\b/i, instead: 'cannot, or must not' },
];

const TEXT = /\/\/.*$|'[^']{12,}'|`[^`]{12,}`|"[^"]{12,}"/g;

/**
 * Returns the banned phrases of a Markdown file, or in the comments and texts of a source file. A line that quotes one ends with
 * `words: ok`.
 *
 * @param name its file name; texts between tags are read in `.tsx` files
 */
export function findPhrases(source: string, name = 'source.ts'): Finding[] {
  const page = name.endsWith('.tsx') ? textsOfPage(source) : [];
  return source.split('\n').flatMap((text, index) => {
    if (text.includes('words: ok')) return [];
    const prose = name.endsWith('.md') || /^\s*(?:\*|\/\/|\/\*)/.test(text) ? text : [...text.match(TEXT) ?? [], page[index] ?? ''].join(' ');
    const rule = prose.trim() === '' ? undefined : RULES.find(({ pattern }) => pattern.test(prose));
    return rule ? [{ line: index + 1, phrase: rule.pattern.exec(prose)![0].trim(), instead: rule.instead }] : [];
  });
}

/** Returns the texts between tags, by their lines. */
function textsOfPage(source: string): string[] {
  const file = ts.createSourceFile('page.tsx', source, ts.ScriptTarget.Latest, true);
  const lines: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node)) {
      const first = file.getLineAndCharacterOfPosition(node.getFullStart()).line;
      node.text.split('\n').forEach((text, index) => {
        lines[first + index] = `${lines[first + index] ?? ''} ${text}`;
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

function filesToCheck(root: string): string[] {
  return execFileSync('git', ['ls-files', '*.md', 'src', 'test', 'tools', 'examples'], { cwd: root, encoding: 'utf8' }).split('\n');
}

function main(files: readonly string[]): number {
  const root = join(import.meta.dirname, '../..');
  const names = files.length > 0 ? files : filesToCheck(root);
  let count = 0;
  for (const name of names.filter((path) => /\.(?:md|m?tsx?)$/.test(path) && !path.startsWith('src/k8s/'))) {
    const source = readFileSync(join(root, name), 'utf8');
    const findings = [
      ...findPhrases(source, name).map(({ line, phrase, instead }) => `${line}: "${phrase}": write ${instead}`),
      ...(name.startsWith('src/') ? findNames(source, name) : []).map(({ line, name: found, instead }) => `${line}: "${found}": write ${instead}`),
    ];
    for (const finding of findings) console.error(`${name}:${finding}`);
    count += findings.length;
  }
  return count === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv.slice(2));
