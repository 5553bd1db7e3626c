import { REAL_SPARK_VERSIONS } from '../../tools/real-spark/versions';
import { realSpark } from './real-spark';
import { compare } from './comparison/compare';
import { mutations } from './comparison/mutations';
import { submitNatively } from './comparison/native';
import { FULL } from './extent';
import { FIXED_CASES } from './fixed-cases';
import { submission } from './submit-case';

/*
 * The comparison sees everything: whatever leaf of what native submission creates is changed or removed, the comparison with
 * spark-submit fails. Otherwise a rule or a deviation would be wider than it says.
 */

jest.setTimeout(10 * 60_000);

const silently = { rule: () => {}, deviation: () => {} };

const VERSIONS = FULL ? REAL_SPARK_VERSIONS : ['4.1.1'] as const;

describe.each(VERSIONS)('Spark %s', (version) => {
  const spark = realSpark(version);
  afterAll(() => spark.stop());

  test.each(['python', 'everything', 'a template', 'a long name'])('%s', async (name) => {
    const given = FIXED_CASES[name]!;
    const answer = await spark.submit(submission(given));
    const native = submitNatively(given, version);
    expect(compare(given, answer, native, silently).differences).toEqual([]);

    const unseen: string[] = [];
    let seen = 0;
    for (const { path, change, value } of mutations(native.submitted)) {
      if (compare(given, answer, { ...native, submitted: value }, silently).differences.length > 0) seen += 1;
      else unseen.push(`${path} ${change}`);
    }
    expect(unseen).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });
});
