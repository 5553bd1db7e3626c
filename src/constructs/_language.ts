import { moved, type Problem } from '../model/problem';

/**
 * Returns a problem with the names that props have in the language of the program: jsii writes
 * members and props in snake case in Python, and with a capital in Go and C#.
 *
 * @param agent the language and its version, as jsii sets it in the variable `JSII_AGENT`
 * @internal
 */
export function inLanguage(problem: Problem, agent = process.env.JSII_AGENT): Problem {
  const rename = RENAMERS.find(([language]) => agent?.startsWith(language))?.[1];
  if (!rename) return problem;
  const { path } = problem;
  return {
    ...moved(problem, (text) => text.replace(WORDS, (word) => (/^[a-z]+[A-Z]\w*$/.test(word) ? rename(word) : word))),
    // Keys of maps are in brackets.
    path: path.replace(/\[[^\]]*\]|[a-z]\w*/g, (word) => (word.startsWith('[') ? word : rename(word))),
  };
}

/** Values are in quotes. Names of Spark and Kubernetes have dots or slashes. */
const WORDS = /"(?:[^"\\]|\\.)*"|\b(?:spark|fs|hadoop)\.[\w.-]+|\S*\/\S*|\b[a-z]\w*/g;

const RENAMERS: readonly (readonly [language: string, rename: (name: string) => string])[] = [
  ['Python', (name) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)],
  ['go', capitalized],
  ['DotNet', capitalized],
];

function capitalized(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}
