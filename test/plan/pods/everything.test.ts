/* The application of test/e2e/customization, whose pods real Spark starts and whose program looks at them. */
import { parse } from 'yaml';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';
import { schemaOfKind } from '../../../src/rules/schemas';
import { manifest } from '../../helpers/manifests';
import { becomesProperty } from '../../helpers/property-fields';

test.each([
  ['driver', ['hostNetwork']], // the port of the UI would be the node's; see e2e/submission
  ['executor', ['hostNetwork', 'memoryLimit']], // Spark sets the limit
] as const)('it uses each field of the %s that is more than a property', (role, others) => {
  const { spec } = parse(manifest('everything.yaml', { name: 'x', image: 'x', namespace: 'x', mode: 'native' }));
  const { properties } = schemaOfKind(SPARK_APPLICATION).properties!.spec!.properties![role]!;
  const missing = Object.keys(properties!).filter((field) => !(field in spec[role]) && !becomesProperty(`${role}.${field}`));
  // Remedy: the field in test/e2e/manifests/everything.yaml, and what it becomes in everything-driver.yaml or everything-executor.yaml.
  expect(missing).toEqual(others);
});
