import fc from 'fast-check';
import { applied } from '../apply-patch';
import { creation, update, world } from './world';
import { applicationFixtures } from '../../../helpers/application-fixtures';
import { CONTEXT } from '../../../plan/application';
import { sparkApplicationDefaulter } from '../../../../src/operator/admission/mutate/spark-application';
import type { AdmissionAnswer, AdmissionRequest } from '../../../../src/operator/admission/review';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { SubmissionError } from '../../../../src/plan/errors';
import { planNative } from '../../../../src/plan/plan';
import { prepareSubmission } from '../../../../src/plan/prepare';
import type { SubmittedApplication } from '../../../../src/plan/properties/properties';

const SPEC = { sparkVersion: '4.1.1', image: 'spark', mainApplicationFile: 'local:///pi.jar', mainClass: 'Pi', driver: {}, executor: {} };
const DEFAULTS = {
  type: 'Scala', mode: 'cluster', restartPolicy: { type: 'Never' }, driver: { cores: 1, memory: '1g' }, executor: {
    cores: 1, memory: '1g', instances: 1,
  },
};

const application = (spec: object, more: object = {}) => ({
  kind: 'SparkApplication', metadata: { name: 'pi', namespace: 'jobs', uid: 'app' }, spec, ...more,
});
const answerTo = (request: AdmissionRequest, in_ = world()) => sparkApplicationDefaulter(in_)(request) as AdmissionAnswer;
/** Returns the specification as it is stored. */
const stored = (spec: object) => applied(application(spec), answerTo(creation(application(spec))).patch).spec;
const inState = (state: string) => ({ status: { applicationState: { state } } });

describe('the webhook fills in missing fields', () => {
  test.each<[string, object, object]>([
    ['all of them', {}, DEFAULTS],
    ['but keeps existing ones', {
      type: 'Java', mode: 'client', driver: { cores: 2, memory: '4g' }, executor: { cores: 3, memory: '5g', instances: 7 },
    },
    {
      type: 'Java', mode: 'client', restartPolicy: { type: 'Never' }, driver: { cores: 2, memory: '4g' }, executor: {
        cores: 3, memory: '5g', instances: 7,
      },
    }],
    ['type: by the name of the file, as in Spark', { mainApplicationFile: 'local:///pi.py' }, { type: 'Python' }],
    ['type of R', { mainApplicationFile: 'local:///pi.r' }, { type: 'R' }],
    ['restartPolicy: intervals, if it restarts', { restartPolicy: { type: 'OnFailure', onFailureRetries: 3 } },
      { restartPolicy: { type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 5, onSubmissionFailureRetryInterval: 5 } }],
    ['restartPolicy: an existing interval stays', { restartPolicy: { type: 'Always', onFailureRetryInterval: 0 } },
      { restartPolicy: { type: 'Always', onFailureRetryInterval: 0, onSubmissionFailureRetryInterval: 5 } }],
    ['restartPolicy without a type', { restartPolicy: { onFailureRetries: 3 } }, { restartPolicy: { onFailureRetries: 3, type: 'Never' } }],
    ['cores and memory that are in sparkConf stay there', {
      sparkConf: { 'spark.driver.cores': '2', 'spark.driver.memory': '2g', 'spark.executor.cores': '2', 'spark.executor.memory': '2g' },
    },
    { driver: {}, executor: { instances: 1 } }],
    ['the number of executors in sparkConf stays there', {
      sparkConf: { 'spark.executor.instances': '4' },
    }, { executor: { cores: 1, memory: '1g' } }],
    ['dynamic allocation: no number of executors, and shuffle tracking', { dynamicAllocation: { enabled: true, maxExecutors: 4 } },
      { executor: { cores: 1, memory: '1g' }, dynamicAllocation: { enabled: true, maxExecutors: 4, shuffleTrackingEnabled: true } }],
    ['dynamic allocation without shuffle tracking stays so', { dynamicAllocation: { enabled: true, shuffleTrackingEnabled: false } },
      { executor: { cores: 1, memory: '1g' }, dynamicAllocation: { enabled: true, shuffleTrackingEnabled: false } }],
    ['dynamic allocation in sparkConf, as Spark reads it', {
      sparkConf: { 'spark.dynamicAllocation.enabled': ' True ' },
    }, { executor: { cores: 1, memory: '1g' } }],
    ['dynamic allocation in sparkConf applies beside a field that is off', {
      sparkConf: { 'spark.dynamicAllocation.enabled': 'true' }, dynamicAllocation: { enabled: false },
    },
    { executor: { cores: 1, memory: '1g' }, dynamicAllocation: { enabled: false } }],
    ['dynamic allocation that is off', {
      sparkConf: { 'spark.dynamicAllocation.enabled': 'false' }, dynamicAllocation: { enabled: false },
    }, { executor: { cores: 1, memory: '1g', instances: 1 } }],
    ['an empty text is a missing field', {
      type: '', mode: '', driver: { memory: '' },
    }, { type: 'Scala', mode: 'cluster', driver: { cores: 1, memory: '1g' } }],
  ])('%s', (_, spec, expected) => {
    expect(stored({ ...SPEC, ...spec })).toEqual({ ...SPEC, ...spec, ...DEFAULTS, ...expected });
  });

  test('the patch contains only that', () => {
    expect(answerTo(creation(application({ ...SPEC, ...DEFAULTS, driver: { memory: '1g', labels: { a: 'b' } } }))).patch).toEqual([
      { op: 'add', path: '/spec/driver/cores', value: 1 },
    ]);
  });

  test('invalid fields are left to the API server, which refuses them', () => {
    expect(stored({
      driver: 1, executor: [], restartPolicy: 'x', sparkConf: [], dynamicAllocation: null, mainApplicationFile: { toString: 1 },
    }))
      .toEqual({
        driver: 1, executor: [], restartPolicy: 'x', sparkConf: [], dynamicAllocation: null, mainApplicationFile: { toString: 1 },
        type: 'Scala', mode: 'cluster',
      });
  });
});

describe('the webhook writes nothing', () => {
  const old = application(SPEC);
  const edited = (more: object = {}) => application({ ...SPEC, image: 'newer' }, more);

  test.each<[string, AdmissionRequest, ReturnType<typeof world>?]>([
    ['in a namespace of another operator', creation(application(SPEC), { namespace: 'other' })],
    ['where a ConfigMap can have defaults: the written fields would take precedence', creation(application(SPEC)), world([], {
      defaults: { current: () => ({ kind: 'ready', layers: {} }) },
    })],
    ['with the status', update(old, edited(), { subResource: 'status' })],
    ['when it is deleted', creation(application(SPEC), { operation: 'DELETE', object: undefined })],
    ['when it is being deleted', update(old, { ...edited(), metadata: { ...old.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' } })],
    ['with labels or finalizers: the application would run again', update(old, {
      ...old, metadata: { ...old.metadata, labels: { a: 'b' } },
    })],
    ...[
      'SUBMITTED', 'RUNNING', 'PENDING_RERUN', 'COMPLETED', 'FAILED', 'SUSPENDED',
    ].map((state): [string, AdmissionRequest] => [`in the state ${state}`, update(old, edited(inState(state)))]),
  ])('%s', (...[, request, in_]) => {
    expect(answerTo(request, in_)).toEqual({ allowed: true });
  });

  test.each(['', 'INVALIDATING'])('except for an edit in the state "%s"', (state) => {
    expect(answerTo(update(old, edited(inState(state)))).patch).toContainEqual({ op: 'add', path: '/spec/type', value: 'Scala' });
  });
});

describe.each(['', 'RUNNING', 'COMPLETED'])('the same manifest again, in the state "%s", changes nothing', (state) => {
  test.each(applicationFixtures().map(({ file, manifest }) => [file, manifest.spec] as const))('%s', (_, spec) => {
    const is = application(stored(spec), inState(state));
    const again = application(spec, inState(state));
    expect(applied(again, answerTo(update(is, again)).patch)).toEqual(is);
    expect(answerTo(update(is, is))).toEqual({ allowed: true });
    expect(answerTo(creation(is))).toEqual({ allowed: true });
  });
});

/** Returns everything that the operator creates and reports for an application. */
function outcomeOf(spec: any): unknown {
  try {
    return JSON.stringify(planNative(prepareSubmission({
      metadata: { name: 'pi', namespace: 'jobs', uid: 'app' }, spec,
    } as SubmittedApplication, CONTEXT)));
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return error.message;
  }
}

describe('an application means the same with and without the defaults', () => {
  test.each(applicationFixtures().map(({ file, manifest }) => [file, manifest.spec] as const))('%s', (_, spec) => {
    expect(outcomeOf(stored(spec))).toBe(outcomeOf(spec));
  });

  const maybe = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
  const pod = {
    cores: fc.constantFrom(1, 2), memory: fc.constantFrom('1g', '512m', ''), coreRequest: fc.constantFrom('100m'),
    memoryLimit: fc.constantFrom('9g'),
  };
  const conf = maybe({
    ...Object.fromEntries(['driver', 'executor'].flatMap((role) => [
      [`spark.${role}.cores`, fc.constantFrom('1', '3')], [`spark.${role}.memory`, fc.constantFrom('1g', '3g', '')],
    ])),
    'spark.executor.instances': fc.constantFrom('3', ''),
    'spark.dynamicAllocation.enabled': fc.constantFrom('true', ' TRUE ', 'false', 'yes', ''),
    'spark.dynamicAllocation.shuffleTracking.enabled': fc.constantFrom('true', 'false'),
  });
  const spec = maybe({
    mode: fc.constantFrom('cluster', 'client'),
    restartPolicy: maybe({ type: fc.constantFrom('Never', 'OnFailure'), onFailureRetries: fc.constant(2) }),
    driver: maybe(pod),
    executor: maybe({ ...pod, instances: fc.constantFrom(1, 2) }),
    sparkConf: conf,
    dynamicAllocation: maybe({ enabled: fc.boolean(), minExecutors: fc.constantFrom(0, 2), shuffleTrackingEnabled: fc.boolean() }),
  });

  test('with any fields', () => {
    fc.assert(fc.property(spec, fc.constantFrom('py', 'jar', 'R'), (given, kind) => {
      const type = { py: 'Python', jar: 'Scala', R: 'R' }[kind];
      const before = { type, ...SPEC, mainApplicationFile: `local:///pi.${kind}`, ...given };
      expect(outcomeOf(stored(before))).toBe(outcomeOf(before));
      expect(stored(stored(before))).toEqual(stored(before));
      // Only the API server would refuse this.
      const { type: _, ...untyped } = before;
      expect(stored(untyped)).toEqual(stored(before));
    }), { numRuns: 300 });
  });
});

test('there is an answer to any application', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<any>;
  const strange = fc.record(Object.fromEntries([
    'type', 'mode', 'mainApplicationFile', 'restartPolicy', 'driver', 'executor', 'sparkConf', 'dynamicAllocation',
  ].map((field) => [field, json])), { requiredKeys: [] });
  fc.assert(fc.property(fc.oneof(json, strange), json, (spec, status) => {
    const object = { kind: 'SparkApplication', metadata: { name: 'pi' }, spec, status } as unknown as SparkApplication;
    for (const request of [creation(object), update(application(SPEC), object)]) {
      const answer = answerTo(request);
      expect(answer.allowed).toBe(true);
      applied(object, answer.patch);
    }
  }));
});
