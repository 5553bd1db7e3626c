import type { SparkApplicationSpec } from '../../../../src/api/spark-application';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { isSpecChanged, specHash } from '../../../../src/operator/kinds/spark-application/spec-change';

const SPEC = {
  type: 'Python',
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///pi.py',
  sparkConf: { a: '1', b: '2' },
  driver: {},
  executor: { instances: 2 },
} as unknown as SparkApplicationSpec;

test('the order of fields does not matter, but the order of lists does', () => {
  const { executor, ...others } = SPEC;
  expect(specHash({ executor, ...others, sparkConf: { b: '2', a: '1' } } as SparkApplicationSpec)).toBe(specHash(SPEC));
  expect(specHash({ ...SPEC, arguments: ['1', '2'] })).not.toBe(specHash({ ...SPEC, arguments: ['2', '1'] }));
});

test.each<[string, Partial<SparkApplicationSpec>, boolean]>([
  ['suspend', { suspend: true }, false],
  ['the time to live', { timeToLiveSeconds: 60 }, false],
  ['the number of executors', { executor: { instances: 3 } as SparkApplicationSpec['executor'] }, true],
  ['a value deep inside', { sparkConf: { a: '1', b: '3' } }, true],
  ['the restart policy', { restartPolicy: {} }, true],
])('a change of %s runs the application again: %p', (_, change, expected) => {
  const application = (generation: number, spec: SparkApplicationSpec) => ({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', generation },
    spec,
    status: { driverInfo: {}, specHash: specHash(SPEC), observedGeneration: 1 },
  }) as SparkApplication;

  expect(isSpecChanged(application(2, { ...SPEC, ...change }))).toBe(expected);
  // A change without a user's write is a new version of the CRD that adds a default. It must
  // restart no application.
  expect(isSpecChanged(application(1, { ...SPEC, ...change }))).toBe(false);
});

test('an application without an attempt has no change', () => {
  expect(isSpecChanged({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', generation: 2 }, spec: SPEC, status: { driverInfo: {}, observedGeneration: 1 },
  })).toBe(false);
});
