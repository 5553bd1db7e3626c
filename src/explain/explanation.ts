import { remedyFor } from './remedy';

/**
 * Explanation of the state of an application or server. The texts can contain text from the
 * cluster, and are not escaped.
 */
export interface Explanation {
  /** State in a few words, such as `waits for its driver`. */
  readonly headline: string;
  /** One or two sentences, without the final full stop. */
  readonly sentence: string;
  /** The parts of the sentence, of which the first is the cause or the main fact. */
  readonly clauses: readonly [string, ...string[]];
  /** Action for the user, if one is needed. @default - none, or unknown */
  readonly remedy?: string;
}

/** Explanation of which the sentence is the only part unless it has others. */
export type ExplanationText = Omit<Explanation, 'clauses'> & Partial<Pick<Explanation, 'clauses'>>;

/** Sentence of an explanation and its parts. */
export type Clauses = Pick<ExplanationText, 'sentence' | 'clauses'>;

/** Returns an explanation with its clauses, and without a final full stop. */
export function completed({ sentence, clauses: [first, ...others] = [sentence], ...rest }: ExplanationText): Explanation {
  return { ...rest, sentence: withoutStop(sentence), clauses: [withoutStop(first), ...others.map(withoutStop)] };
}

/** Returns an explanation with one more clause at the end. */
export function withClause({ sentence, clauses = [sentence], ...others }: ExplanationText, clause: string): ExplanationText {
  return { ...others, sentence: `${withoutStop(sentence)}; ${clause}`, clauses: [...clauses, clause] };
}

/**
 * Returns a fact with its cause, which is the first clause.
 *
 * @param next what follows @default - nothing
 */
export function because(fact: string, cause: string, next?: string): Clauses {
  const reason = withoutStop(cause);
  return { sentence: `${fact}: ${reason}${next ? `; ${next}` : ''}`, clauses: [reason, fact, ...(next ? [next] : [])] };
}

/**
 * Returns an explanation with the remedy for a reason.
 *
 * @param otherwise remedy if none is known for the reason
 */
export function withRemedy(explanation: ExplanationText, reason: string | undefined, otherwise?: string): ExplanationText {
  const remedy = (reason === undefined ? undefined : remedyFor(reason)) ?? otherwise;
  return remedy === undefined ? explanation : { ...explanation, remedy };
}

/** Returns a text without its final full stop. */
export function withoutStop(text: string): string {
  return text.replace(/\.\s*$/, '');
}
