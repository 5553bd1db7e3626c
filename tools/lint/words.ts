/*
 * `npm run lint` holds documents, comments and texts of programs to plain words: it reports phrases that
 * a reader from the Kubernetes world stumbles over, and names the word to use. In src it also reports such
 * words in identifiers and names of files, in docs and the README sentences that are too long.
 *
 *   node tools/lint/words.ts [FILE…]     by default all Markdown, the forms of GitHub, and all code
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNames, type BannedName } from './identifiers.ts';
import { passagesOf } from './passages.ts';
import { RULES } from './rules.ts';
import { findLongSentences, MAX_WORDS } from './sentences.ts';

/** A phrase that was found. */
export interface Finding {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const GLOBAL_RULES = RULES.map((rule) => ({ ...rule, pattern: new RegExp(rule.pattern, `${rule.pattern.flags}g`) }));

/**
 * Returns the banned phrases of a Markdown file, or in the comments and texts of a source file; at most one of each line. A line that
 * quotes one ends with `words: ok`.
 *
 * @param name its path
 */
export function findPhrases(source: string, name = 'source.ts'): Finding[] {
  const lines = source.split('\n');
  const rules = GLOBAL_RULES.filter(({ isAllowedInTests }) => !isAllowedInTests || !name.startsWith('test/'));
  const found = new Map<number, Finding>();
  for (const { text, lineOf } of passagesOf(source, name)) {
    for (const { pattern, instead } of rules) {
      for (const { index, 0: phrase } of text.matchAll(pattern)) {
        const first = lineOf(index);
        const last = lineOf(index + phrase.length - 1);
        const isQuoted = lines.slice(first - 1, last).some((line) => line.includes('words: ok'));
        if (!isQuoted && !found.has(last)) found.set(last, { line: last, phrase: phrase.replace(/^[.:;] /, '').trim(), instead });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

const CHECKED = /\.(?:md|m?tsx?)$|^\.github\/.*\.yml$|^fast-start\/|^examples\/.*\.yaml$/;

/** Generated, or the words of others. */
const NOT_CHECKED = /^(?:src\/k8s|docs\/reference\/api|\.github\/workflows)\//;

function filesToCheck(root: string): string[] {
  const paths = ['*.md', '.projenrc.ts', '.github', 'fast-start', 'src', 'test', 'tools', 'examples'];
  const names = execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8' }).split('\n');
  return names.filter((name) => CHECKED.test(name) && !NOT_CHECKED.test(name));
}

function main(files: readonly string[]): number {
  const root = join(import.meta.dirname, '../..');
  let count = 0;
  for (const name of files.length > 0 ? files : filesToCheck(root)) {
    const source = readFileSync(join(root, name), 'utf8');
    const phrases = [...findPhrases(source, name), ...(name.startsWith('src/') ? findNames(source, name).map(asPhrase) : [])];
    const findings = [
      ...phrases.map(({ line, phrase, instead }) => `${line}: "${phrase}": write ${instead}`),
      ...(isProse(name) ? findLongSentences(source) : []).map(({ line, words, start }) => (
        `${line}: "${start} …" has ${words} words: write at most ${MAX_WORDS}`
      )),
    ];
    for (const finding of findings) console.error(`${name}:${finding}`);
    count += findings.length;
  }
  return count === 0 ? 0 : 1;
}

function asPhrase({ line, name, instead }: BannedName): Finding {
  return { line, phrase: name, instead };
}

/** Whether a file has whole sentences to check. */
function isProse(name: string): boolean {
  return name === 'README.md' || (name.startsWith('docs/') && name.endsWith('.md'));
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv.slice(2));
