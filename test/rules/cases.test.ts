/* Synthesis and the API server agree on these cases; test/api sends them to a real one. */
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { schemaOfKind } from '../../src/rules/schemas';
import { violations } from '../../src/rules/validate';
import { applicationFixtures } from '../helpers/application-fixtures';
import { CASES } from './cases';
import { constraintsIn, verdicts } from './constraints';

const schema = schemaOfKind(SPARK_APPLICATION).properties!.spec!;

test.each(CASES)('$name', ({ spec, refused }) => {
  expect(violations(schema, spec, 'spec').map(({ path }) => path)).toEqual(refused === undefined ? [] : [refused]);
});

/** Accepted specifications: the cases, and manifests in the style of users. */
const ACCEPTED = [...CASES.filter(({ refused }) => refused === undefined), ...applicationFixtures().map(({ manifest }) => manifest)];
const REFUSED = CASES.filter(({ refused }) => refused !== undefined);

test('each rule, pattern and bound of the CRD rejects and accepts at least one case', () => {
  const all = new Set(constraintsIn(schema, 'spec').map(({ id }) => id));
  const seen = (specs: readonly { spec: unknown }[], asKept: boolean) => new Set(specs.flatMap(({ spec }) => verdicts(schema, spec, 'spec')).filter(({ kept }) => kept === asKept).map(({ id }) => id));

  const [broken, kept] = [seen(REFUSED, false), seen(ACCEPTED, true)];

  expect([...all].filter((id) => !broken.has(id))).toEqual([]);
  expect([...all].filter((id) => !kept.has(id))).toEqual([]);
  expect(all.size).toBeGreaterThan(50);
});
