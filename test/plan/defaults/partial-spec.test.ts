import { podTemplateSchema, schemaOfKind } from '../../../src/rules/schemas';
import { partialSchema, partialSpecViolations, type PartialSpecUse } from '../../../src/plan/defaults/partial-spec';
import { SPARK_APPLICATION } from '../../../src/api/spark-application';

const schema = partialSchema(schemaOfKind(SPARK_APPLICATION).properties!.spec!);
const found = (fields: { [field: string]: unknown }, use: PartialSpecUse = 'enforced', path = '') => (
  partialSpecViolations(schema, podTemplateSchema(), fields, use, path).map((violation) => `${violation.path}: ${violation.reason}`)
);

test('a partial specification has no required fields, and no rules about several fields', () => {
  expect(found({})).toEqual([]);
  expect(found({ driver: { secrets: [] }, dynamicAllocation: { minExecutors: 5 } })).toEqual([]);
  // For a complete specification, a rule requires a class.
  expect(found({ type: 'Java' })).toEqual([]);
});

test('entries of lists are complete', () => {
  expect(found({ driver: { secrets: [{ name: 's' }] } })).toEqual(['driver.secrets[0].path: is required', 'driver.secrets[0].secretType: is required']);
});

test('fields and templates are checked as those of an application, under the given path', () => {
  expect(found({ driver: { memory: '1.5g' }, executor: { template: { spec: { nodeSelecter: {} } } } }, 'defaults', 'defaults')).toEqual([
    expect.stringMatching(/^defaults[.]driver[.]memory: must be a whole number and a unit/),
    'defaults.executor.template.spec.nodeSelecter: is not a field; did you mean nodeSelector?',
  ]);
});

test.each<[PartialSpecUse, string, { [field: string]: unknown }, boolean]>([
  ['defaults', 'suspend', { suspend: true }, true],
  ['enforced', 'suspend', { suspend: false }, true],
  ['enforced', 'driver.podName', { driver: { podName: 'x' } }, true],
  ['defaults', 'sparkVersion', { sparkVersion: '4.1.1' }, true],
  ['defaults', 'mainApplicationFile', { mainApplicationFile: 'local:///a.py' }, true],
  ['enforced', 'sparkVersion', { sparkVersion: '4.1.1' }, false],
])('%s: %s cannot be set for many applications (%j: %p)', (use, path, fields, isRefused) => {
  expect(found(fields, use)).toEqual(isRefused ? [expect.stringMatching(`^${path}: (cannot be|has no effect)`)] : []);
});
