import { ARGUMENTS } from './arguments';
import { linesOf, optionCandidates, type Candidate, type Offer } from './candidates';
import { contextNames, namespaceNames, objectNames, propertyNames } from './names';
import { completionTargetOf, type CompletionTarget } from './completion-target';
import { CLUSTER_OPTIONS, type ClusterValues } from '../cluster';
import type { Context } from '../command';
import type { Options } from '../options';
import { findCommand, type CommandEntry } from '../commands';
import { HELP } from '../help';
import { clusterWords, commandFirst, parseArguments } from '../parse';
import { kindOf, type KindName } from '../target';

/** Dependencies of completion. */
export type CompletionContext = Pick<Context, 'connect' | 'io' | 'signal'>;

/**
 * Runs `sparkctl __complete WORD…`, which completion scripts call: prints candidates for the last
 * word, one a line. On an error it prints nothing, as a message would appear in the user's command
 * line.
 *
 * @param words the words after `sparkctl`; the last one is being completed, and can be empty
 * @returns the exit code, which is always 0
 */
export async function complete(words: readonly string[], context: CompletionContext, commands: readonly CommandEntry[]): Promise<number> {
  const lines = await linesFor(words, context, commands).catch((): string[] => []);
  context.io.stdout(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

async function linesFor(words: readonly string[], context: CompletionContext, commands: readonly CommandEntry[]): Promise<string[]> {
  const isCommandWritten = clusterWords(words) < words.length - 1;
  const [name = '', ...behind] = isCommandWritten ? commandFirst(words) : [''];
  const names = commands.map((each) => ({ text: each.name, meaning: each.summary }));
  if (!isCommandWritten) {
    const target = completionTargetOf(words, CLUSTER_OPTIONS);
    const offer = target.of === 'word'
      ? names
      : await offerFor('', target, clusterValues(words.slice(0, -1), CLUSTER_OPTIONS), CLUSTER_OPTIONS, context);
    return linesOf(target.of === 'option' ? [...offer as Candidate[], ...PROGRAM_OPTIONS] : offer, words.at(-1) ?? '');
  }
  if (name === 'help') return behind.length === 1 ? linesOf(names, behind[0]!) : [];
  const entry = findCommand(commands, name);
  if (!entry) return [];
  const { default: { options: own, parse } } = await entry.load();
  const options: Options = { ...own, help: HELP };
  const target = completionTargetOf(behind, options, parse !== undefined);
  const offer = await offerFor(entry.name, target, clusterValues(behind.slice(0, -1), options), options, context);
  return linesOf(offer, behind.at(-1)!);
}

const PROGRAM_OPTIONS: readonly Candidate[] = [
  { text: '--help', meaning: 'print the commands' }, { text: '--version', meaning: 'print the version' },
];

async function offerFor(
  command: string, target: CompletionTarget, values: ClusterValues, options: Options, context: CompletionContext,
): Promise<Offer> {
  switch (target.of) {
    case 'option': return optionCandidates(options);
    case 'value': return prefixed(await valuesFor(target, values, context), prefixOf(target));
    default: return wordsFor(command, target, values, context);
  }
}

/** Returns the part of a value that stays unchanged: in a list, everything up to the last comma. */
function prefixOf({ prefix, option: { value = '' }, text }: Extract<CompletionTarget, { of: 'value' }>): string {
  return prefix + (value.endsWith(',…') ? text.slice(0, text.lastIndexOf(',') + 1) : '');
}

function valuesFor(
  { name, option: { value = '', choices, suggestions } }: Extract<CompletionTarget, { of: 'value' }>, values: ClusterValues, context: CompletionContext,
): Promise<Offer> | Offer {
  const offered = choices ?? suggestions;
  if (offered) return offered.map((text) => ({ text }));
  if (value === 'ZONE') return Intl.supportedValuesOf('timeZone').map((text) => ({ text }));
  if (value === 'schedule/NAME') return objectNames(['schedule'], values, context).then(([names = []]) => prefixed(names, 'schedule/'));
  if (/(^|-)namespace$/.test(name)) return namespaceNames(values, context);
  if (name === 'context') return contextNames(values, context);
  if (value === 'KEY=VALUE') return propertyNames();
  return /^(FILE|FOLDER|PATH)/.test(value) ? 'files' : [];
}

async function wordsFor(
  command: string, { text, others }: Extract<CompletionTarget, { of: 'word' }>, values: ClusterValues, context: CompletionContext,
): Promise<Offer> {
  const { first, kinds = [], onlySuspended, most = Infinity, files = false } = ARGUMENTS[command] ?? {};
  if (files) return 'files';
  if (first && others.length === 0) return first.map((word) => ({ text: word }));
  const names = first ? others.slice(1) : others;
  if (names.length >= most) return [];
  const slash = text.indexOf('/') + 1;
  const prefixes: readonly (readonly [KindName, string])[] = slash > 0
    ? [[kindOf(text.slice(0, slash - 1)), text.slice(0, slash)]]
    : kinds.map((kind, index) => [kind, index === 0 ? '' : `${kind}/`]);
  const fitting = prefixes.filter(([kind, prefix]) => kinds.includes(kind) && (text.startsWith(prefix) || prefix.startsWith(text)));
  if (fitting.length === 0) return [];
  const found = await objectNames(fitting.map(([kind]) => kind), values, context, onlySuspended);
  const offered = found.flatMap((candidates, index) => prefixed(candidates, fitting[index]![1]) as Candidate[]);
  return offered.filter((candidate) => !names.includes(candidate.text));
}

function prefixed(offer: Offer, prefix: string): Offer {
  return offer === 'files' ? offer : offer.map(({ text, meaning }) => ({ text: `${prefix}${text}`, meaning }));
}

/** Returns the cluster options of an incomplete command line; none if it cannot be parsed. */
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
