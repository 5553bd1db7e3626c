import type { SubmissionAnswer } from '../../../tools/real-spark/spark-submit';
import type { SubmitCase } from '../submit-case';
import { DEVIATIONS } from './deviations';
import type { Deviation, Pair } from './deviations';
import { differences } from './difference';
import type { Difference } from './difference';
import { identifiersOfSpark, wrongPrefix } from './identifiers';
import { applicationName, namespaceOf } from './native';
import type { NativeAnswer } from './native';
import { normalise } from './rules';
import type { Hit } from './rules';
import { submittedBySpark } from './submitted';

/** How the two sides took a case. */
export interface Comparison {
  readonly spark: 'submitted' | 'refused';
  readonly native: 'submitted' | 'refused' | 'left to spark-submit';
  /** Where they differ; nothing, if they are equal. */
  readonly differences: readonly Difference[];
}

/** Notes about a comparison: the rules and deviations without which it would have failed. */
export interface Notes {
  readonly rule: Hit;
  readonly deviation: (what: string) => void;
}

/**
 * Compares what spark-submit did with what native submission did.
 *
 * @param known the deviations that may occur
 */
export function compare(given: SubmitCase, answer: SubmissionAnswer, native: NativeAnswer, notes: Notes, known: readonly Deviation[] = DEVIATIONS): Comparison {
  const spark = answer.refusal === undefined ? 'submitted' : 'refused';
  if (native.leftToSparkSubmit !== undefined) return { spark, native: 'left to spark-submit', differences: [] };
  const nativeTook = native.submitted === undefined ? 'refused' : 'submitted';
  if (spark !== nativeTook) {
    const why = answer.refusal === undefined ? 'submitted' : answer.refusal.map((cause) => `${cause.class}: ${cause.message}`).join(' < ');
    return { spark, native: nativeTook, differences: [{ path: '(acceptance)', spark: why, native: native.refusal?.message ?? 'submitted' }] };
  }
  if (native.submitted === undefined) return { spark, native: nativeTook, differences: [] };
  const pair = { spark: submittedBySpark(answer.requests, namespaceOf(given)), native: native.submitted };
  return { spark, native: nativeTook, differences: compareObjects(given, pair, native, notes, known) };
}

function compareObjects(given: SubmitCase, submitted: Pair, native: NativeAnswer, notes: Notes, known: readonly Deviation[]): Difference[] {
  const name = applicationName(given);
  const identifiers = identifiersOfSpark(submitted.spark, name);
  const prefix = identifiers.resourcePrefix === undefined ? undefined : wrongPrefix(identifiers.resourcePrefix, name);
  const pair = known.reduce((before, { what, undo }) => {
    const after = undo(before);
    if (after !== before) notes.deviation(what);
    return after;
  }, submitted);
  return [
    ...(prefix === undefined ? [] : [{ path: '(prefix)', spark: prefix, native: native.identifiers.resourcePrefix }]),
    ...differences(normalise(pair.spark, identifiers, given, notes.rule), normalise(pair.native, native.identifiers, given, notes.rule)),
  ];
}
