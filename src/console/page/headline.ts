import { sentenceText } from './format';
import type { ApplicationDetail } from '../wire';

/** Beginnings of explanations that the cause of the state follows. */
const BEFORE_CAUSE = new RegExp(`^(${[
  'It failed(?: after [^:]+)?', 'Attempt [^:]+ failed', 'The driver has waited(?: for [^:]+)?', 'The driver could not be created',
  'The driver cannot be created yet', "Kubernetes does not know the driver's state",
].join('|')}): (.+)$`, 's');

/** End of an explanation with the next attempt. */
const NEXT_ATTEMPT = /; (it is (?:tried again in|about to be tried again)[^;]*)$/;

/** Beginning of an explanation of a driver that runs, before its executors. */
const RUNS = /^(The driver runs); (.+)$/s;

/** First clause of an explanation. */
const FIRST = /^(.+?)(?:: |; |\. )(.+)$/s;

/** Explanation of a state. */
export interface Headline {
  /** Cause of the state, or its most important fact. */
  readonly headline: string;
  /** Sentences with the other facts. @default - there are none */
  readonly text?: string;
}

/** Returns the explanation of an application, with the cause of its state first. */
export function headlineOf({ row, sentence, giveUp }: Pick<ApplicationDetail, 'row' | 'sentence' | 'giveUp'>): Headline {
  const [, next] = NEXT_ATTEMPT.exec(sentence) ?? [];
  const body = next === undefined ? sentence : sentence.slice(0, -next.length - 2);
  const [, begin, cause] = BEFORE_CAUSE.exec(body) ?? [];
  const [, runs, executors] = row.attention ? RUNS.exec(body) ?? [] : [];
  const [, first, others] = FIRST.exec(body) ?? [];
  const [headline, rest] = cause !== undefined ? [cause, begin] : executors !== undefined ? [executors, runs] : [first ?? body, others];
  const texts = [rest, next, giveUp].flatMap((text) => (text === undefined ? [] : [sentenceText(text)]));
  return { headline: capitalized(headline), ...(texts.length > 0 && { text: texts.join(' ') }) };
}

/** Begins a text with a capital letter unless it begins with the name of a class or a program. */
function capitalized(text: string): string {
  return text.replace(/\.$/, '').replace(/^[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase());
}
