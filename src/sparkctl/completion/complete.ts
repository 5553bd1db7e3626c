import { WORDS } from './arguments';
import { linesOf, optionCandidates, type Candidate, type Offer } from './candidates';
import { contextNames, namespaceNames, objectNames } from './names';
import { SHELLS } from './scripts';
import { situationOf, type Situation } from './situation';
import type { ClusterValues } from '../cluster';
import type { Context, Options } from '../command';
import type { CommandEntry } from '../commands';
import { HELP } from '../help';
import { parseArguments } from '../parse';
import { kindOf, type KindName } from '../target';

/** What completing takes of the context. */
export type CompletionContext = Pick<Context, 'connect' | 'io' | 'signal'>;

/**
 * `sparkctl __complete WORD…`: prints what may be written in the place of the last word, a line each. Scripts of `sparkctl completion` ask it. Whatever goes wrong, nothing is printed:
 * a message would stand in the middle of somebody's command line.
 *
 * @param words what stands behind `sparkctl`; the last one is being written, and may be empty
 * @returns the exit code, which is always 0
 */
export async function complete(words: readonly string[], context: CompletionContext, commands: readonly CommandEntry[]): Promise<number> {
  const lines = await linesFor(words, context, commands).catch((): string[] => []);
  context.io.stdout(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

async function linesFor(words: readonly string[], context: CompletionContext, commands: readonly CommandEntry[]): Promise<string[]> {
  const [name = '', ...behind] = words;
  const names = commands.map((each) => ({ text: each.name, meaning: each.summary }));
  if (behind.length === 0) return linesOf([...names, ...PROGRAM_OPTIONS], name);
  if (name === 'help') return behind.length === 1 ? linesOf(names, behind[0]!) : [];
  const entry = commands.find((each) => each.name === name);
  if (!entry) return [];
  const { options: own } = await entry.load();
  const options: Options = { ...own, help: HELP };
  const situation = situationOf(behind, options);
  const offer = await offerFor(name, situation, clusterValues(behind.slice(0, -1), options), options, context);
  return linesOf(offer, behind.at(-1)!);
}

const PROGRAM_OPTIONS: readonly Candidate[] = [{ text: '--help', meaning: 'print what there is' }, { text: '--version', meaning: 'print the version' }];

async function offerFor(command: string, situation: Situation, values: ClusterValues, options: Options, context: CompletionContext): Promise<Offer> {
  switch (situation.of) {
    case 'option': return optionCandidates(options);
    case 'value': return prefixed(await valuesFor(situation, values, context), prefixOf(situation));
    default: return wordsFor(command, situation, values, context);
  }
}

/** Of a list, what is written after the last comma is completed. */
function prefixOf({ prefix, option: { value = '' }, text }: Extract<Situation, { of: 'value' }>): string {
  return prefix + (value.endsWith(',…') ? text.slice(0, text.lastIndexOf(',') + 1) : '');
}

function valuesFor({ name, option: { value = '', choices } }: Extract<Situation, { of: 'value' }>, values: ClusterValues, context: CompletionContext): Promise<Offer> | Offer {
  if (choices) return choices.map((text) => ({ text }));
  if (/(^|-)namespace$/.test(name)) return namespaceNames(values, context);
  if (name === 'context') return contextNames(values, context);
  return /^(FILE|FOLDER|PATH)/.test(value) ? 'files' : [];
}

async function wordsFor(command: string, { text, others }: Extract<Situation, { of: 'word' }>, values: ClusterValues, context: CompletionContext): Promise<Offer> {
  const slash = text.indexOf('/');
  const kind = slash < 0 ? undefined : kindOf(text.slice(0, slash));
  const named = async (of: KindName) => prefixed(await objectNames(of, values, context), text.slice(0, slash + 1)) as Candidate[];
  const fresh = (candidates: readonly Candidate[]) => candidates.filter((candidate) => !others.includes(candidate.text));
  switch (WORDS[command]) {
    case 'files': return 'files';
    case 'shells': return others.length === 0 ? SHELLS.map((shell) => ({ text: shell })) : [];
    case 'applications': return fresh(await named('application'));
    case 'schedules': return fresh(await named('schedule'));
    case 'targets': return fresh(await named(kind ?? 'application'));
    default: return [];
  }
}

function prefixed(offer: Offer, prefix: string): Offer {
  return offer === 'files' ? offer : offer.map(({ text, meaning }) => ({ text: `${prefix}${text}`, meaning }));
}

/** What is written of the cluster already. A command line that is not whole yet may be wrong. */
function clusterValues(words: readonly string[], options: Options): ClusterValues {
  const known = (name: string) => Object.hasOwn(options, name);
  try {
    const { values } = parseArguments(words, options);
    const textOf = (name: string) => (known(name) && typeof values[name] === 'string' ? values[name] : undefined);
    return { namespace: textOf('namespace'), context: textOf('context'), kubeconfig: textOf('kubeconfig') };
  } catch {
    return { namespace: undefined, context: undefined, kubeconfig: undefined };
  }
}
