/* The cases that a test with the API server sends there, as synth sees them. */
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { schemaOfKind } from '../../src/props/_schema';
import { violations } from '../../src/rules/validate';
import { applicationFixtures } from '../helpers/application-fixtures';
import { CASES } from './cases';
import { constraintsIn, verdicts } from './constraints';

const schema = schemaOfKind(SPARK_APPLICATION).properties!.spec!;

test.each(CASES)('$name', ({ spec, refused }) => {
  expect(violations(schema, spec, 'spec').map(({ path }) => path)).toEqual(refused === undefined ? [] : [refused]);
});

/** What is accepted: the cases, and manifests as people write them. */
const ACCEPTED = [...CASES.filter(({ refused }) => refused === undefined), ...applicationFixtures().map(({ manifest }) => manifest)];
const REFUSED = CASES.filter(({ refused }) => refused !== undefined);

test('each rule, pattern and bound of the CRD refuses one of the cases, and lets one pass', () => {
  const all = new Set(constraintsIn(schema, 'spec').map(({ id }) => id));
  const seen = (specs: readonly { spec: unknown }[], asKept: boolean) => new Set(specs.flatMap(({ spec }) => verdicts(schema, spec, 'spec')).filter(({ kept }) => kept === asKept).map(({ id }) => id));

  const [broken, kept] = [seen(REFUSED, false), seen(ACCEPTED, true)];

  expect([...all].filter((id) => !broken.has(id))).toEqual([]);
  expect([...all].filter((id) => !kept.has(id))).toEqual([]);
  expect(all.size).toBeGreaterThan(50);
});
