import fc from 'fast-check';
import type { SubmissionAnswer } from '../../tools/real-spark/spark-submit';
import { REAL_SPARK_VERSIONS } from '../../tools/real-spark/versions';
import type { RealSparkVersion } from '../../tools/real-spark/versions';
import { ACCEPTANCE_EXCEPTIONS } from './comparison/acceptance';
import { compare } from './comparison/compare';
import { DEVIATIONS } from './comparison/deviations';
import { submitNatively } from './comparison/native';
import { RULES } from './comparison/rules';
import { Coverage } from './coverage';
import { FULL, SEED, announceSeed } from './extent';
import { FIXED_CASES } from './fixed-cases';
import { submitCase } from './generate/cases';
import { GENERATED_KEYS, keyOf } from './generate/keys';
import { WRONG } from './generate/wrong';
import { realSpark } from './real-spark';
import { failure } from './report';
import { submission } from './submit-case';
import type { SubmitCase } from './submit-case';

/*
 * Native submission beside real spark-submit: the same case on both sides, and everything that they create is compared.
 *
 * A sample by default, of cases whose answers are kept; DIFFERENTIAL=full generates hundreds, and asks spark-submit again for some.
 * FAST_CHECK_SEED replays a run, or makes another.
 */

/** How many cases are generated for each version. */
const GENERATED: Readonly<Record<RealSparkVersion, number>> = FULL
  ? { '3.5.8': 60, '4.0.2': 60, '4.1.1': 220, '4.3.0': 100 }
  : { '3.5.8': 3, '4.0.2': 3, '4.1.1': 6, '4.3.0': 4 };

const rules = new Coverage('rules that were needed', RULES.map(({ name }) => name));
const deviations = new Coverage('deviations that were met', DEVIATIONS.map(({ what }) => what));
const exceptions = new Coverage('exceptions from refusing together', ACCEPTANCE_EXCEPTIONS.map(({ name }) => name));
const keys = new Coverage('properties in cases that were submitted', GENERATED_KEYS);
const outcomes = new Coverage('outcomes', ['submitted by both', 'refused by both', 'refused by one, as documented', 'left to spark-submit']);

jest.setTimeout(30 * 60_000);
announceSeed();

function differenceOf(given: SubmitCase, version: RealSparkVersion, answer: SubmissionAnswer): string | undefined {
  const native = submitNatively(given, version);
  const { spark, native: natively, differences } = compare(given, answer, native, { rule: (name) => rules.note(name), deviation: (what) => deviations.note(what) });
  if (natively === 'left to spark-submit') {
    outcomes.note('left to spark-submit');
    return undefined;
  }
  if (spark !== natively) {
    const exception = ACCEPTANCE_EXCEPTIONS.find(({ who, applies }) => who === (spark === 'refused' ? 'only spark-submit refuses' : 'only native submission refuses') && applies(given, answer, native));
    if (exception !== undefined) {
      exceptions.note(exception.name);
      outcomes.note('refused by one, as documented');
      return undefined;
    }
  }
  if (differences.length > 0) return failure(given, version, differences);
  outcomes.note(spark === 'refused' ? 'refused by both' : 'submitted by both');
  if (spark === 'submitted') for (const key of new Set(Object.keys(given.properties).map(keyOf))) keys.note(key);
  return undefined;
}

describe.each(REAL_SPARK_VERSIONS)('Spark %s', (version) => {
  const spark = realSpark(version);
  afterAll(async () => {
    await spark.stop();
    process.stderr.write(`Spark ${version}: ${spark.asked} answers from spark-submit, ${spark.remembered} from before\n`);
  });

  test.each(Object.entries(FIXED_CASES))('%s', async (_, given) => {
    const answer = FULL ? await spark.submitLive(submission(given)) : await spark.submit(submission(given));
    const difference = differenceOf(given, version, answer);
    if (difference !== undefined) throw new Error(difference);
    expect(submitNatively(given, version).leftToSparkSubmit).toBeUndefined();
  });

  if (FULL) {
    test(`${WRONG.length} wrong values, each for itself`, async () => {
      const minimal = FIXED_CASES.minimal!;
      const failures: string[] = [];
      for (const wrong of WRONG) {
        const given = { ...minimal, properties: { ...minimal.properties, ...wrong } };
        const difference = differenceOf(given, version, await spark.submit(submission(given)));
        if (difference !== undefined) failures.push(difference);
      }
      expect(failures).toEqual([]);
    });
  }

  test(`${GENERATED[version]} generated cases`, async () => {
    await fc.assert(fc.asyncProperty(submitCase, async (given) => {
      const difference = differenceOf(given, version, await spark.submit(submission(given)));
      if (difference !== undefined) throw new Error(difference);
    }), { seed: SEED + REAL_SPARK_VERSIONS.indexOf(version), numRuns: GENERATED[version] });
  });
});

test('each rule and each deviation was needed', () => {
  process.stderr.write(`${[outcomes, rules, deviations, ...(FULL ? [exceptions, keys] : [])].map((coverage) => coverage.table()).join('\n')}\n`);
  expect([...rules.missing(), ...deviations.missing()]).toEqual([]);
});

if (FULL) {
  test('each exception was needed', () => expect(exceptions.missing()).toEqual([]));
  test('each property was submitted', () => expect(keys.missing()).toEqual([]));
}
