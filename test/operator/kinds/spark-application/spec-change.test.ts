import fc from 'fast-check';
import type { SparkApplicationSpec } from '../../../../src/api/spark-application';
import { ApplicationState } from '../../../../src/api/states';
import { EXECUTOR_ONLY, executorOnly, withoutExecutorOnly } from '../../../../src/model/executor-only';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { changedExecutors, isSpecChanged, specHash, specHashOf } from '../../../../src/operator/kinds/spark-application/spec-change';

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

describe('with partial restarts', () => {
  const { SUBMITTED, RUNNING, UNKNOWN, FAILING, SUCCEEDING, COMPLETED, FAILED } = ApplicationState;
  const values = fc.constantFrom<any>(undefined, 'x', 'y', ['x'], { x: 'y' });
  const executors = fc.record(Object.fromEntries([...EXECUTOR_ONLY, 'instances', 'memory', 'labels', 'template'].map((field) => [field, values])));
  const others = fc.record({ image: fc.constantFrom('i', 'j'), driver: fc.record({ tolerations: values }), nodeSelector: values });
  const specs = fc.tuple(others, executors).map(([fields, executor]) => JSON.parse(JSON.stringify({ ...SPEC, ...fields, executor })) as SparkApplicationSpec);

  /** Returns an application that started with the first specification and has the second one. */
  const edited = (started: SparkApplicationSpec, spec: SparkApplicationSpec, state: ApplicationState) => {
    const application = { metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', generation: 2 }, spec: started } as SparkApplication;
    const status = { driverInfo: {}, specHash: specHashOf(application, true), observedGeneration: 1, applicationState: { state } };
    return { ...application, spec, status } as SparkApplication;
  };

  test('the two parts of the executors are the whole, and have no field in common', () => {
    fc.assert(fc.property(executors, (executor: any) => {
      const [only, rest] = [executorOnly(executor), withoutExecutorOnly(executor)];
      expect({ ...rest, ...only }).toEqual(executor);
      expect(Object.keys(rest).filter((field) => field in only || (EXECUTOR_ONLY as readonly string[]).includes(field))).toEqual([]);
    }));
  });

  test('an edit keeps the driver if, and only if, it changes nothing but fields of executors alone', () => {
    fc.assert(fc.property(specs, specs, fc.boolean(), fc.constantFrom(SUBMITTED, RUNNING, UNKNOWN), (started, other, isOfExecutors, state) => {
      const spec = isOfExecutors
        ? { ...started, executor: { ...withoutExecutorOnly(started.executor), ...executorOnly(other.executor) } } as SparkApplicationSpec
        : other;
      const rest = ({ executor, ...fields }: SparkApplicationSpec) => specHash({ ...fields, executor: withoutExecutorOnly(executor) } as SparkApplicationSpec);
      const isSame = specHash(spec) === specHash(started);
      const application = edited(started, spec, state);
      expect(isSpecChanged(application, true)).toBe(rest(spec) !== rest(started));
      expect(changedExecutors(application, true) !== undefined).toBe(!isSame && rest(spec) === rest(started));
      expect([isSpecChanged(application), changedExecutors(application)]).toEqual([!isSame, undefined]);
    }));
  });

  test.each([FAILING, SUCCEEDING, COMPLETED, FAILED])('an application that is %s has no driver to keep: it is run again, as after any edit', (state) => {
    const spec = { ...SPEC, executor: { ...SPEC.executor, tolerations: [] } } as SparkApplicationSpec;
    expect([isSpecChanged(edited(SPEC, spec, state), true), changedExecutors(edited(SPEC, spec, state), true)]).toEqual([true, undefined]);
    expect(isSpecChanged(edited(SPEC, SPEC, state), true)).toBe(false);
  });

  test('an attempt that began without them, and a specification that is not kept, are run again', () => {
    const spec = { ...SPEC, executor: { ...SPEC.executor, tolerations: [] } } as SparkApplicationSpec;
    const application = edited(SPEC, spec, RUNNING);
    expect(isSpecChanged({ ...application, status: { ...application.status!, specHash: specHash(SPEC) } }, true)).toBe(true);
    expect(isSpecChanged({ ...application, cut: { hash: 'h' } }, true)).toBe(true);
    expect(specHashOf({ ...application, cut: { hash: 'h' } }, true)).toBe('h');
  });
});
