import { sentenceText } from './format';
import type { ApplicationDetail } from '../wire';

/** Explanation of a state. */
export interface Headline {
  /** Cause of the state, or its most important fact. */
  readonly headline: string;
  /** Sentences with the other facts. @default - there are none */
  readonly text?: string;
}

/** Returns the explanation of an application, with the cause of its state first. */
export function headlineOf({ clauses: [first, ...others] }: Pick<ApplicationDetail, 'clauses'>): Headline {
  const texts = others.map(sentenceText);
  return { headline: capitalized(first), ...(texts.length > 0 && { text: texts.join(' ') }) };
}

/** Begins a text with a capital letter unless it begins with the name of a class or a program. */
function capitalized(text: string): string {
  return text.replace(/^[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase());
}
