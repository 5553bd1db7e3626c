import type { Option, Options } from '../options';
import { optionIn } from '../parse';

/** Part of a command line that is being completed, after the name of the command. */
export type CompletionTarget =
  /** Name of an option. */
  | { readonly of: 'option'; readonly text: string }
  /** Value of an option. `prefix` is the part of the word before the value, such as `--output=`. */
  | { readonly of: 'value'; readonly name: string; readonly option: Option; readonly prefix: string; readonly text: string }
  /** Positional argument. */
  | { readonly of: 'word'; readonly text: string; readonly others: readonly string[] };

/**
 * Detects the part that is being completed, by the rules of the parser.
 *
 * @param words the words after the command; the last one is being completed
 * @param isOptionsFirst whether options end at the first other word
 */
export function completionTargetOf(words: readonly string[], options: Options, isOptionsFirst = false): CompletionTarget {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const others: string[] = [];
  for (let index = 0; index < before.length; index++) {
    const word = before[index]!;
    if (word === '--') return { of: 'word', text: current, others: [...others, ...before.slice(index + 1)] };
    const found = word === '-' ? undefined : optionIn(word, options);
    if (!found) {
      if (isOptionsFirst) return { of: 'word', text: current, others: before.slice(index) };
      if (!word.startsWith('-') || word === '-') others.push(word);
      continue;
    }
    if (found.option.value === undefined || found.option.optional || found.hasValue) continue;
    // Its value is the next word, even if that looks like an option.
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
