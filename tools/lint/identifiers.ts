/* Finds words in names of files and in declared identifiers for which Kubernetes and client-go have a term. */
import ts from 'typescript';

/** A name with a word that the project does not use, and what to write. */
export interface BannedName {
  readonly line: number;
  readonly name: string;
  readonly instead: string;
}

/** Words by what to write. Hyphens separate the words of a name. */
const RULES: readonly (readonly [words: RegExp, instead: string])[] = [
  [/hindrances?|hinder(?:s|ed|ing)?/, 'failure, error or obstacle'],
  [/crowded/, 'throttled'],
  [/strays?|leftovers?/, 'orphan'],
  [/gathering/, 'coalescer'],
  [/webhook-gate/, 'circuit breaker'],
  [/occurrences?/, 'event'],
  [/as-kept/, 'transform'],
  [/tells?|telling|told/, 'report, record or log'],
  [/worlds?|surroundings?/, 'dependencies or environment'],
  [/look(?:s|ed)?-(?:at|again)/, 'reconcile or requeue'],
  [/go(?:es)?-on/, 'continue or again'],
  [/tak(?:e|es|en|ing)-up/, 'adopt'],
  [/made/, 'created'],
  [/(?<!name-)taken/, 'used, acquired or adopted'],
  [/nobody|somebody|whoever|anybody/, 'the actor: user, caller, another controller'],
  [/besides/, 'other or further'],
];

/** Returns the words of a name in lower case, with hyphens between and around them. */
function wordsOf(name: string): string {
  return `-${name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/[_.]/g, '-').toLowerCase()}-`;
}

function insteadOf(name: string): string | undefined {
  const words = wordsOf(name);
  return RULES.find(([banned]) => new RegExp(`-(?:${banned.source})-`).test(words))?.[1];
}

/**
 * Returns the banned words in the name of a source file and in the identifiers that it declares. A line that needs one ends with `words: ok`.
 *
 * @param path its path; the folders are not checked
 */
export function findNames(source: string, path: string): BannedName[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  const fileName = path.split('/').at(-1)!;
  const found: BannedName[] = [];
  const check = (line: number, name: string) => {
    const instead = insteadOf(name);
    if (instead !== undefined && !lines[line]!.includes('words: ok')) found.push({ line: line + 1, name, instead });
  };
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && isDeclared(node)) check(file.getLineAndCharacterOfPosition(node.getStart()).line, node.text);
    ts.forEachChild(node, visit);
  };
  check(0, fileName);
  visit(file);
  return found;
}

/** Whether an identifier is the name in a declaration, not a use of one. */
function isDeclared(node: ts.Identifier): boolean {
  return (node.parent as { readonly name?: ts.Node }).name === node && !ts.isPropertyAccessExpression(node.parent);
}
