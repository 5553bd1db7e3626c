/*
 * Fields that a pod template cannot carry. Drivers of spark-submit and executors are built from the
 * operator's input for Spark, and then pass the webhook. It changes only pods with fields that were
 * left to it, and afterwards has nothing to do.
 */
import fc from 'fast-check';
import { applied } from '../operator/admission/apply-patch';
import { creation, world } from '../operator/admission/mutate/world';
import { CONTEXT } from './application';
import { executorOf } from './executor-model';
import { merged } from './merged';
import { WRITTEN_FIELDS, type WrittenField } from './written-fields';
import { ANNOTATION_LEFT_TO_WEBHOOK } from '../../src/api/labels';
import { podMutator } from '../../src/operator/admission/mutate/pod';
import type { AdmissionHandler } from '../../src/operator/admission/review';
import { customizePod } from '../../src/plan/pods/customize';
import type { PodTemplate } from '../../src/plan/pods/pod-template';
import { SubmissionError } from '../../src/plan/errors';
import { leftToWebhook, type SubmissionWay } from '../../src/plan/left-to-webhook';
import { buildSubmission } from '../../src/plan/native/build';
import { planNative, planSparkSubmit } from '../../src/plan/plan';
import { customizationOf, mainContainer, prepareSubmission, type PreparedSubmission } from '../../src/plan/prepare';
import type { Role } from '../../src/plan/properties/role';
import type { SubmittedApplication } from '../../src/plan/properties/properties';
import { problemText } from '../../src/model/problem';
import { fewest } from '../helpers/fewest';

const NEWEST = '4.3.0';
const VERSIONS = ['4.0.2', '4.1.1', NEWEST];
/** Fields that speak of what Spark sets, too. */
const CONFLICTING = /^spec\.(sparkConfigMap|hadoopConfigMap)|^spec\.(driver|executor)\.(env\[|memoryLimit|gpu|lifecycle)/;
/** Fields of pods that are not part of Spark's input. */
const ONTO_PODS = /^spec\.(sparkConfigMap|hadoopConfigMap|batchScheduler)|^spec\.(driver|executor)\.(env\b|envFrom|memoryLimit|gpu|lifecycle|configMaps|volumeMounts|affinity|tolerations|podSec|secur|sched|sidec|initC|dnsC|termin|hostA|ports|priorityC)/;
const WAYS: readonly SubmissionWay[] = ['native', 'spark-submit'];
const ROLES: readonly Role[] = ['driver', 'executor'];

/** Fields that Spark sets when it builds pods. */
const CONFLICTS: readonly WrittenField[] = [
  ...ROLES.flatMap((role): WrittenField[] => [
    ...['SPARK_USER', 'SPARK_LOCAL_DIRS', 'SPARK_CONF_DIR', 'SPARK_EXECUTOR_ID', 'SPARK_EXECUTOR_POD_IP', 'SPARK_DRIVER_BIND_ADDRESS', 'SPARK_CLASSPATH', 'HADOOP_CONF_DIR', 'PYSPARK_PYTHON', 'toString']
      .map((name) => ({ field: `spec.${role}.env[${name}]`, part: (mark: number) => ({ spec: { [role]: { env: [{ name, value: `value-${mark}` }] } } }) })),
    ...['SPARK_EXECUTOR_ID', 'SPARK_USER', 'VARIABLE', 'NOBODY']
      .map((name) => ({ field: `spec.${role}.env[REFERENCE]`, part: (mark: number) => ({ spec: { [role]: { env: [{ name: 'REFERENCE', value: `$(${name})-${mark}` }] } } }) })),
    { field: `spec.sparkConf[gpu of ${role}]`, part: (mark) => ({ spec: { sparkConf: { [`spark.${role}.resource.gpu.amount`]: String(mark), [`spark.${role}.resource.gpu.vendor`]: 'nvidia.com' } } }) },
  ]),
  ...Object.entries({
    'spark.decommission.enabled': ' True ', 'spark.executor.extraClassPath': '/jars', 'spark.pyspark.python': 'python3', 'spark.ui.custom.executor.log.url': 'http://logs',
    'spark.executorEnv.SPARK_USER': 'etl', 'spark.executorEnv.SPARK_LOCAL_DIRS': '/local',
  }).map(([key, value]) => ({ field: `spec.sparkConf[${key}]`, part: () => ({ spec: { sparkConf: { [key]: value } } }) })),
];
// The volumes of properties are not modelled in full.
const FIELDS = [...WRITTEN_FIELDS, ...CONFLICTS];
const MARKS = FIELDS.map((_, index) => 2001 + index);

function applicationOf(fields: readonly number[], sparkVersion: string): SubmittedApplication {
  const base = {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'pi', namespace: 'jobs', uid: 'uid', generation: 1 },
    status: { submissionID: CONTEXT.submissionID },
    spec: { type: 'Python', sparkVersion, image: 'spark', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {} },
  };
  return fields.map((index) => FIELDS[index]!.part(MARKS[index]!)).reduce(merged, base) as unknown as SubmittedApplication;
}

interface Built {
  readonly prepared: PreparedSubmission;
  readonly left: readonly string[];
  readonly pods: readonly any[];
  readonly told: string;
}

/** The pods that Spark builds, as the API server shows them to the webhook. */
function built(application: SubmittedApplication, way: SubmissionWay): Built {
  const prepared = prepareSubmission(application, { ...CONTEXT, podWebhook: true });
  const left = leftToWebhook(prepared, way);
  if (way === 'native') {
    const { driver, resources, warnings } = planNative(prepared);
    const template = resources.flatMap((object) => (object.kind === 'ConfigMap' ? object.data['podspec-configmap-key'] ?? [] : []))[0]!;
    return { prepared, left, pods: [driver, executorOf(JSON.parse(template) as PodTemplate, prepared)], told: warnings.map(problemText).join('\n') };
  }
  const { driverTemplate, executorTemplate, warnings } = planSparkSubmit(prepared);
  return { prepared, left, pods: [driverOf(prepared, driverTemplate), executorOf(executorTemplate, prepared)], told: warnings.map(problemText).join('\n') };
}

/**
 * Returns the driver that spark-submit builds from the template, by the steps that are compared
 * with real spark-submit.
 */
function driverOf(prepared: PreparedSubmission, driverTemplate: PodTemplate): any {
  const { metadata, context, identity, version, properties, application } = prepared;
  return buildSubmission({ properties, application, version, identity, namespace: metadata.namespace, sparkUser: context.sparkUser, submitTime: 0, driverTemplate, executorTemplate: '{}' }).driver;
}

/** Also where nothing is said to be left, so that it is seen whether that is so. */
const asked = (pod: any) => ({ ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [ANNOTATION_LEFT_TO_WEBHOOK]: 'all' } } });
const shown = (pod: any) => JSON.parse(JSON.stringify(asked(pod)));

async function mutated(pod: any, mutate: AdmissionHandler): Promise<any> {
  const answer = await mutate(creation(pod));
  expect(answer).toMatchObject({ allowed: true });
  expect(answer.warnings).toBeUndefined();
  return applied(pod, answer.patch);
}

/** Undefined for an application that is refused. */
async function check(fields: readonly number[], sparkVersion: string, way: SubmissionWay): Promise<Built & { readonly after: readonly any[] } | undefined> {
  const application = applicationOf(fields, sparkVersion);
  let result: Built;
  try {
    result = built(application, way);
  } catch (error) {
    if (!SubmissionError.is(error)) throw error;
    return undefined;
  }
  const { prepared, left, pods } = result;
  const before = pods.map(shown);
  const mutate = podMutator(world([application]));
  const after = await Promise.all(before.map((pod) => mutated(pod, mutate)));
  const changed = before.map((pod, index) => JSON.stringify(pod) !== JSON.stringify(after[index]));
  const marked = pods.map(({ metadata }) => metadata.annotations?.[ANNOTATION_LEFT_TO_WEBHOOK]);

  expect({ fields: fields.map((index) => FIELDS[index]!.field), left, changed: changed.some(Boolean) }).toEqual({ fields: expect.anything(), left, changed: left.length > 0 });
  // Pods say what is left for themselves. A driver for which nothing is waits for the webhook, too,
  // if its executors need it.
  const something = expect.stringMatching(/^spec\./);
  expect(marked).toEqual([changed[0] ? something : left.length > 0 ? 'none' : undefined, changed[1] ? something : undefined]);
  expect([...new Set(marked.flatMap((text) => (text === undefined || text === 'none' ? [] : text.split(','))))].sort()).toEqual([...left].sort());
  for (const [index, pod] of after.entries()) {
    expect(await mutated(pod, mutate)).toEqual(pod);
    // Nor is there anything left of all the fields.
    const role = ROLES[index]!;
    expect(customizePod(pod, customizationOf(prepared, role, mainContainer(prepared, role), 'pod')).pod).toBe(pod);
  }
  return { ...result, after };
}

describe.each(WAYS)('by %s', (way) => {
  const ALL = FIELDS.map(({ field }, index) => [`${index} ${field}`, index] as const);

  test.each(ALL)('%s has its effect, by the template or by the webhook', async (_, index) => {
    const result = await check([index], NEWEST, way);
    expect(result).toBeDefined();
    const { left, after } = result!;
    const { field } = FIELDS[index]!;
    const isOfExecutors = field.startsWith('spec.executor.');
    const isFound = JSON.stringify(isOfExecutors ? after[1] : after).includes(String(MARKS[index]));
    if (ONTO_PODS.test(field) || left.some((other) => field.startsWith(other))) expect({ field, isFound }).toEqual({ field, isFound: true });
  });

  test('each, beside each property with which Spark sets something itself', async () => {
    const indices = (isMeant: (field: string) => boolean) => FIELDS.flatMap(({ field }, index) => (isMeant(field) ? [index] : []));
    for (const property of indices((field) => /^spec\.sparkConf\[(gpu of|spark\.(decommission|executor\.extraClass|pyspark|ui\.custom|executorEnv\.SPARK|kubernetes\.hadoop))/.test(field))) {
      for (const field of indices((name) => CONFLICTING.test(name))) await check([property, field], NEWEST, way);
    }
  }, 240_000);

  test('any of them together', async () => {
    let done = 0;
    const field = fc.oneof({ weight: 2, arbitrary: fc.nat(FIELDS.length - 1) }, fc.integer({ min: WRITTEN_FIELDS.length, max: FIELDS.length - 1 }));
    const some = fc.uniqueArray(field, { minLength: 2, maxLength: 6 });
    await fc.assert(fc.asyncProperty(some, fc.constantFrom(...VERSIONS), async (fields, version) => {
      if (await check(fields, version, way)) done++;
    }), { numRuns: 150 });
    expect(done).toBeGreaterThanOrEqual(fewest(76));
  }, 240_000);
});

test('what another webhook has made of that which the template has brought stays', async () => {
  const application = merged(applicationOf([], NEWEST), {
    spec: { executor: { memoryLimit: '6g', sidecars: [{ name: 'side', image: 'docker.io/side' }], priorityClassName: 'low', env: [{ name: 'REGION', value: 'here' }] } },
  }) as SubmittedApplication;
  const executor = JSON.parse(JSON.stringify(shown(built(application, 'native').pods[1])).replace('docker.io/', 'mirror.example.org/').replace('"low"', '"lower"').replace('"here"', '"there"'));
  const { patch } = await podMutator(world([application]))(creation(executor));

  expect(patch).toEqual([{ op: 'replace', path: '/spec/containers/1/resources/limits/memory', value: '6Gi' }]);
});

test('what the template has brought stays as it is after an edit that does not run the application again', async () => {
  const monitoring = { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/agent.jar' } };
  const application = merged(applicationOf([], NEWEST), { spec: { monitoring, executor: { memoryLimit: '6g' } } }) as SubmittedApplication;
  const executor = shown(built(application, 'native').pods[1]);
  const edited = { ...application, metadata: { ...application.metadata, generation: 2 }, spec: { ...application.spec, timeToLiveSeconds: 60 } };
  const { patch } = await podMutator(world([edited]))(creation(executor));

  expect(patch).toEqual([{ op: 'replace', path: '/spec/containers/0/resources/limits/memory', value: '6Gi' }]);
});

describe('the warnings', () => {
  const warningsOf = (spec: any, podWebhook: boolean) => planNative(prepareSubmission(merged(applicationOf([], '4.1.1'), { spec }), { ...CONTEXT, podWebhook })).warnings.map(problemText);

  test.each<[string, object, readonly string[], readonly string[]]>([
    ['a memory limit', { executor: { memoryLimit: '6g' } }, [],
      ['spec.executor.memoryLimit has no effect: Spark itself sets the limit when it builds the pod, and only the operator\'s webhook can replace it']],
    ['a variable that is Spark\'s', { executor: { env: [{ name: 'SPARK_USER', value: 'me' }] } }, ['spec.executor.env[SPARK_USER] replaces SPARK_USER, which Spark sets itself'],
      ['spec.executor.env[SPARK_USER] is overridden by Spark\'s own']],
    ['a variable that needs one of Spark\'s', { executor: { env: [{ name: 'LOG', value: '/logs/$(SPARK_EXECUTOR_ID)' }] } }, [],
      ['spec.executor.env[LOG] refers to SPARK_EXECUTOR_ID, which is set after it, so Kubernetes does not expand the reference']],
    ['Hadoop\'s configuration twice', { hadoopConfigMap: 'mine', sparkConf: { 'spark.kubernetes.hadoop.configMapName': 'theirs' } },
      ['spec.sparkConf[spark.kubernetes.hadoop.configMapName] does not reach HADOOP_CONF_DIR, which spec.hadoopConfigMap sets'],
      ['spec.hadoopConfigMap does not reach HADOOP_CONF_DIR, which is set by spec.sparkConf[spark.kubernetes.hadoop.configMapName]']],
    ['GPUs twice', { executor: { gpu: { name: 'nvidia.com/gpu', quantity: 2 } }, sparkConf: { 'spark.executor.resource.gpu.amount': '1', 'spark.executor.resource.gpu.vendor': 'nvidia.com' } },
      ['spec.sparkConf[spark.executor.resource.gpu.amount] is overridden by spec.executor.gpu'], ['spec.executor.gpu is overridden by spec.sparkConf[spark.executor.resource.gpu.amount]']],
    ['a hook beside decommissioning', { executor: { lifecycle: { preStop: { exec: { command: ['x'] } } } }, sparkConf: { 'spark.decommission.enabled': 'true' } },
      ['spec.sparkConf[spark.decommission.enabled] has no effect on the lifecycle of executors, which spec.executor.lifecycle sets'],
      ['spec.executor.lifecycle is overridden by spec.sparkConf[spark.decommission.enabled]']],
  ])('%s: with the webhook, and without', (_, spec, withIt, without) => {
    const inDriver = (text: string) => /spec\.driver|HADOOP_CONF_DIR is|hadoop-properties/.test(text);
    expect(warningsOf(spec, true).filter((text) => !inDriver(text))).toEqual(expect.arrayContaining([...withIt]));
    expect(warningsOf(spec, true)).not.toEqual(expect.arrayContaining([...without]));
    expect(warningsOf(spec, false)).toEqual(expect.arrayContaining([...without]));
  });
});

test('a limit that executors would be refused for is refused at once, if it is going to count', () => {
  const plan = (podWebhook: boolean) => () => planNative(prepareSubmission(merged(applicationOf([], '4.1.1'), { spec: { executor: { memory: '2g', memoryLimit: '2g' } } }), { ...CONTEXT, podWebhook }));
  expect(plan(true)).toThrow('spec.executor.memoryLimit = "2g" is less than the 2867Mi that memory and overhead need; write at least 2867Mi, or lower spec.executor.memory');
  expect(plan(false)).not.toThrow();
});

test('without a webhook nothing is left to it: no pod depends on it', () => {
  const application = merged(applicationOf([], '4.1.1'), { spec: { executor: { memoryLimit: '6g' } } });
  expect(JSON.stringify(planNative(prepareSubmission(application, CONTEXT)))).not.toContain(ANNOTATION_LEFT_TO_WEBHOOK);
  expect(JSON.stringify(planSparkSubmit(prepareSubmission(application, CONTEXT)))).not.toContain(ANNOTATION_LEFT_TO_WEBHOOK);
});

test('a driver that is complete is not changed, also if what is known of its application is older', async () => {
  const of = (value: string) => merged(applicationOf([], '4.1.1'), { spec: { driver: { env: [{ name: 'SPARK_USER', value }] }, executor: { memoryLimit: '6g' } } }) as SubmittedApplication;
  const { driver } = planNative(prepareSubmission(of('new'), { ...CONTEXT, podWebhook: true }));
  expect(driver.metadata.annotations).toEqual({ [ANNOTATION_LEFT_TO_WEBHOOK]: 'none' });
  expect(await podMutator(world([of('old')]))(creation(driver))).toEqual({ allowed: true });
});

describe('with partial restarts', () => {
  const label = fc.constantFrom('a', 'b');
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  /** Fields of executors, as an edit writes them. */
  const edits = fc.record({
    affinity: some(fc.constantFrom('x', 'y').map((key) => ({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }] } } }))),
    nodeSelector: some(fc.dictionary(label, fc.constantFrom('1', '2'))),
    priorityClassName: some(fc.constantFrom('high', 'low')),
    schedulerName: some(fc.constantFrom('mine', 'other')),
    tolerations: some(fc.uniqueArray(fc.constantFrom('gpu', 'spot'), { maxLength: 2 }).map((keys) => keys.map((key) => ({ key, operator: 'Exists' })))),
  });
  /** Other places that decide where executors run, and another field that is left to the webhook. */
  const others = fc.record({
    template: some(fc.constant({ spec: { nodeSelector: { a: 'template' }, tolerations: [{ key: 'spot', operator: 'Exists' }], schedulerName: 'template' } })),
    sparkConf: some(fc.subarray(['spark.kubernetes.executor.node.selector.a', 'spark.kubernetes.node.selector.b', 'spark.kubernetes.executor.scheduler.name'])
      .map((keys) => Object.fromEntries(keys?.map((key) => [key, 'conf']) ?? []))),
    batchScheduler: some(fc.constant('volcano')),
    memoryLimit: some(fc.constant('6g')),
  });

  const applicationWith = ({ template, sparkConf, batchScheduler, memoryLimit }: any, executor: object) => merged(applicationOf([], NEWEST), {
    spec: { ...(sparkConf && { sparkConf }), ...(batchScheduler && { batchScheduler }), executor: JSON.parse(JSON.stringify({ template, memoryLimit, ...executor })) },
  }) as SubmittedApplication;

  async function executorAfter(started: SubmittedApplication, edited: SubmittedApplication, partialRestart: boolean): Promise<any> {
    const prepared = prepareSubmission(started, { ...CONTEXT, podWebhook: true, partialRestart });
    const template = planNative(prepared).resources.flatMap((object) => (object.kind === 'ConfigMap' ? object.data['podspec-configmap-key'] ?? [] : []))[0]!;
    const pod = JSON.parse(JSON.stringify(executorOf(JSON.parse(template) as PodTemplate, prepared)));
    const answer = await podMutator(world([edited]))(creation(pod));
    const { annotations: _, ...metadata } = applied(pod, answer.patch).metadata;
    return { ...applied(pod, answer.patch), metadata };
  }

  test('a new executor after an edit is that of an application which was submitted with the edit', async () => {
    await fc.assert(fc.asyncProperty(others, edits, edits, async (given, before, now) => {
      const [started, edited] = [applicationWith(given, before), applicationWith(given, now)];
      expect(await executorAfter(started, edited, true)).toEqual(await executorAfter(edited, edited, false));
    }), { numRuns: 100 });
  });

  test('quotas and batch schedulers see the executors with these fields', () => {
    const application = applicationWith({}, { priorityClassName: 'high', tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    const { executorTemplate, executorPod } = prepareSubmission(application, { ...CONTEXT, podWebhook: true, partialRestart: true });
    expect(executorPod.spec).toMatchObject({ priorityClassName: 'high', tolerations: [{ key: 'gpu' }] });
    expect(executorTemplate.spec).not.toHaveProperty('priorityClassName');
  });
});
