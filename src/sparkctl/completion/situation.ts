import type { Option, Options } from '../options';
import { optionIn } from '../parse';

/** What is being written on a command line, behind the name of a command. */
export type Situation =
  /** The name of an option. */
  | { readonly of: 'option'; readonly text: string }
  /** The value of an option. `prefix` stands before it in the same word, such as `--output=`. */
  | { readonly of: 'value'; readonly name: string; readonly option: Option; readonly prefix: string; readonly text: string }
  /** One of the words that are no options. */
  | { readonly of: 'word'; readonly text: string; readonly others: readonly string[] };

/**
 * What is being written, by the same rules by which command lines are read.
 *
 * @param words those before, and the last one, which is being written
 */
export function situationOf(words: readonly string[], options: Options): Situation {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const others: string[] = [];
  for (let index = 0; index < before.length; index++) {
    const word = before[index]!;
    if (word === '--') return { of: 'word', text: current, others: [...others, ...before.slice(index + 1)] };
    const found = word === '-' ? undefined : optionIn(word, options);
    if (!found) {
      if (!word.startsWith('-') || word === '-') others.push(word);
      continue;
    }
    if (found.option.value === undefined || found.hasValue) continue;
    // Its value is the next word, whatever that looks like.
    if (index === before.length - 1) return { of: 'value', name: found.name, option: found.option, prefix: '', text: current };
    index++;
  }
  const written = optionIn(current, options);
  if (written?.hasValue && written.option.value !== undefined) {
    const { prefix } = written;
    return { of: 'value', name: written.name, option: written.option, prefix, text: current.slice(prefix.length) };
  }
  return current.startsWith('-') ? { of: 'option', text: current } : { of: 'word', text: current, others };
}
