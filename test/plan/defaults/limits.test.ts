import { applyLayers, withLayers } from '../../../src/plan/defaults/apply';
import { GlobBudget, matchesGlob } from '../../../src/plan/defaults/glob';
import { timeLeft } from '../../../src/operator/kinds/spark-application/ttl';
import { RestartPolicyType } from '../../../src/api/restart-policy';
import { ApplicationState } from '../../../src/api/states';
import { application, type Changes } from '../application';
import { cluster, namespace, type Files } from './layers';

/** Returns the problems of a small application under the limits of the cluster. */
function problems(changes: Changes, limits: string, others: Omit<Files, 'limits'> = {}): string[] {
  return applyLayers(application(changes), { cluster: cluster({ limits, ...others }) }).violations.map(({ message }) => message);
}

test('a refusal names the place, the value, the limit, the ConfigMap, and what to write', () => {
  expect(problems({ executor: { instances: 30 } }, 'maxExecutors: 20')).toEqual([
    'spec.executor.instances = "30" is more than what ConfigMap spark-operator/spark-operator-defaults allows (limits.yaml: maxExecutors: 20); '
    + 'write at most 20, or ask who looks after the ConfigMap',
  ]);
});

function withTemplateLimit(cpu: string): Changes {
  return { executor: { template: { spec: { containers: [{ name: 'log', resources: { limits: { cpu: '99' } } }, { name: 'spark-kubernetes-executor', resources: { limits: { cpu } } }] } } } };
}

/** Each limit: what is just allowed, and what is too much, wherever it is written. */
test.each<[string, string, Changes, Changes, string]>([
  ['executors', 'maxExecutors: 20', { executor: { instances: 20 } }, { spec: { sparkConf: { 'spark.executor.instances': '21' } } }, 'spec.sparkConf[spark.executor.instances] = "21"'],
  ['executors of dynamic allocation', 'maxExecutors: 20', { spec: { dynamicAllocation: { enabled: true, maxExecutors: 20 } } }, { spec: { dynamicAllocation: { enabled: true } } }, 'spec.dynamicAllocation.maxExecutors is missing'],
  ['executors to begin with', 'maxExecutors: 20', {}, { spec: { dynamicAllocation: { enabled: true, maxExecutors: 20 } }, executor: { instances: 99 } }, 'spec.executor.instances = "99"'],
  ['cores', 'driver: {maxCores: 2}', { driver: { cores: 2 } }, { driver: { cores: 3 } }, 'spec.driver.cores = "3"'],
  ['CPU limit', 'executor: {maxCores: 1500m}', { executor: { coreLimit: '1.5' } }, { executor: { coreLimit: '1501m' } }, 'spec.executor.coreLimit = "1501m"'],
  ['CPU limit of a template', 'executor: {maxCores: 2}', withTemplateLimit('2'), withTemplateLimit('64'), 'spec.executor.template.spec.containers[spark-kubernetes-executor].resources.limits[cpu] = "64"'],
  ['memory with overhead', 'driver: {maxMemory: 1408m}', { driver: { memory: '1g' } }, { driver: { memory: '1025m' } }, 'spec.driver.memory makes a container of 1409 MiB'],
  ['memory by default', 'executor: {maxMemory: 1408Mi}', {}, { spec: { memoryOverheadFactor: '0.9' } }, 'spec.executor.memory makes a container of 1945 MiB'],
  ['memory of Python', 'executor: {maxMemory: 1408Mi}', {}, { spec: { mainApplicationFile: 'local:///a.py' }, executor: { memory: '1100m' } }, 'spec.executor.memory makes a container of 1540 MiB'],
  ['memory of Python, of which Java has none', 'executor: {maxMemory: 1408Mi}', { spec: { sparkConf: { 'spark.executor.pyspark.memory': '4g' } } }, { spec: { mainApplicationFile: 'local:///a.py', memoryOverheadFactor: '0.1', sparkConf: { 'spark.executor.pyspark.memory': '4g' } } }, 'spec.executor.memory makes a container of 5504 MiB'],
  ['memory outside of the heap', 'executor: {maxMemory: 2g}', {}, { spec: { sparkConf: { 'spark.memory.offHeap.enabled': 'true', 'spark.memory.offHeap.size': '1073741824' } } }, 'spec.executor.memory makes a container of 2432 MiB'],
  ['memory limit', 'driver: {maxMemory: 4g}', { driver: { memoryLimit: '4g' } }, { driver: { memoryLimit: '4.1g' } }, 'spec.driver.memoryLimit makes a container of 4199 MiB'],
  ['images', 'allowedImages: ["apache/spark:*", "log:1"]', { driver: { sidecars: [{ name: 'log', image: 'log:1' }] } }, { driver: { sidecars: [{ name: 'log', image: 'log:2' }] } }, 'spec.driver.sidecars[log].image = "log:2"'],
  ['images of templates', 'allowedImages: ["apache/*"]', {}, { executor: { template: { spec: { containers: [], initContainers: [{ name: 'i', image: 'x' }] } } } }, 'spec.executor.template.spec.initContainers[i].image = "x"'],
  ['images as volumes', 'allowedImages: ["apache/*"]', {}, { spec: { volumes: [{ name: 'v', image: { reference: 'x' } }] } }, 'spec.volumes[v].image.reference = "x"'],
  ['template files', 'allowedImages: ["*"]', {}, { spec: { sparkConf: { 'spark.kubernetes.driver.podTemplateFile': '/f' } } }, 'spec.sparkConf[spark.kubernetes.driver.podTemplateFile] names a file'],
  ['service accounts', 'allowedServiceAccounts: ["spark*"]', { driver: { serviceAccount: 'spark-a' } }, {}, 'spec.driver.serviceAccount = "default"'],
  ['service accounts of templates', 'allowedServiceAccounts: [spark]', { driver: { serviceAccount: 'spark' } }, { driver: { serviceAccount: 'spark' }, executor: { template: { spec: { containers: [], serviceAccountName: 'admin' } } } }, 'spec.executor.template.spec.serviceAccountName = "admin"'],
  ['properties', 'deniedSparkConf: ["spark.eventLog.*"]', { spec: { sparkConf: { 'spark.eventlog.dir': 'a' } } }, { spec: { sparkConf: { 'spark.eventLog.dir': 'a' } } }, 'spec.sparkConf[spark.eventLog.dir]'],
  ['properties of Hadoop', 'deniedSparkConf: ["spark.hadoop.fs.s3a.*"]', {}, { spec: { hadoopConf: { 'fs.s3a.endpoint': 'a' } } }, 'spec.hadoopConf[fs.s3a.endpoint]'],
  ['time to live', 'maxTimeToLiveSeconds: 60', { spec: { timeToLiveSeconds: 60 } }, { spec: { timeToLiveSeconds: 61 } }, 'spec.timeToLiveSeconds = "61"'],
  ['retries', 'maxRetries: 3', { spec: { restartPolicy: { type: RestartPolicyType.ON_FAILURE, onFailureRetries: 3 } } }, { spec: { restartPolicy: { type: RestartPolicyType.ON_FAILURE, onSubmissionFailureRetries: 4 } } }, 'spec.restartPolicy.onSubmissionFailureRetries = "4"'],
  ['retries without end', 'maxRetries: 3', {}, { spec: { restartPolicy: { type: RestartPolicyType.ALWAYS } } }, 'spec.restartPolicy.type = "Always" is without end'],
  ['what only the driver knows', 'maxExecutors: 20', {}, { spec: { sparkConf: { 'spark.executor.memory': '${env:SIZE}' } } }, 'spec.sparkConf[spark.executor.memory] = "${env:SIZE}" refers to what is known only in the driver'],
])('%s', (_, limits, allowed, refused, beginning) => {
  expect(problems(allowed, limits)).toEqual([]);
  const found = problems(refused, limits);
  expect(found).toHaveLength(1);
  expect(found[0]!.slice(0, beginning.length)).toBe(beginning);
});

test('unreadable values are rejected, not accepted', () => {
  expect(problems({ spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'maybe' } } }, 'maxExecutors: 20')).toEqual([
    'spec.sparkConf[spark.dynamicAllocation.enabled] = "maybe" is neither true nor false; write true or false',
  ]);
});

test.each([
  // Java's Integer.parseInt takes them.
  ['digits of another script', { spec: { sparkConf: { 'spark.executor.cores': '٦٤' } } }, 'spec.sparkConf[spark.executor.cores] = "٦٤"'],
  ['a long exponent', { executor: { coreLimit: '64e000' } }, 'spec.executor.coreLimit = "64e000"'],
  ['many zeros', { executor: { coreRequest: `${'0'.repeat(70)}64` } }, 'spec.executor.coreRequest = "0'],
  ['in a template', withTemplateLimit('64e000'), 'spec.executor.template.spec.containers[spark-kubernetes-executor].resources.limits[cpu] = "64e000"'],
])('an amount that cannot be read does not count as nothing: %s', (_, changes, beginning) => {
  const [problem] = problems(changes, 'executor: {maxCores: 2}');
  expect(problem?.slice(0, beginning.length)).toBe(beginning);
  expect(problem).toMatch(/is not a Kubernetes quantity/);
});

test('a template\'s CPU limit does not count where Spark sets another', () => {
  expect(problems({ executor: { ...withTemplateLimit('64').executor, coreLimit: '2' } }, 'executor: {maxCores: 2}')).toEqual([]);
});

test('an edit after the submission does not get round the limit of the time to live', () => {
  const layers = { cluster: cluster({ limits: 'maxTimeToLiveSeconds: 100' }), namespace: namespace({ limits: 'maxTimeToLiveSeconds: 60' }) };
  const left = (timeToLiveSeconds: number | undefined) => withLayers(application({ spec: { timeToLiveSeconds } }).spec, layers).spec.timeToLiveSeconds;
  expect([999_999_999, 60, 30, undefined].map(left)).toEqual([60, 60, 30, 60]);
  // A submission is refused for it, instead.
  expect(applyLayers(application({ spec: { timeToLiveSeconds: 999_999_999 } }), layers).violations).toHaveLength(2);
});

test('a new time to live counts for applications that have ended, also long ago', () => {
  const ended = (files: Files) => timeLeft({
    metadata: { name: 'pi', namespace: 'jobs', uid: 'u' },
    spec: withLayers(application().spec, { cluster: cluster(files) }).spec,
    status: { driverInfo: {}, applicationState: { state: ApplicationState.COMPLETED }, terminationTime: '2026-01-01T00:00:00Z' },
  }, 0, Date.parse('2026-02-01T00:00:00Z'));
  expect(ended({})).toBeUndefined();
  expect(ended({ defaults: 'timeToLiveSeconds: 60' })).toBeLessThan(0);
  expect(ended({ limits: 'maxTimeToLiveSeconds: 60' })).toBeLessThan(0);
});

test('of two limits of the time to live an application that says nothing gets the stricter one, and is not refused', () => {
  const [loose, strict] = ['maxTimeToLiveSeconds: 100', 'maxTimeToLiveSeconds: 60'];
  for (const [clusters, namespaces] of [[loose, strict], [strict, loose]] as const) {
    const { spec, violations } = applyLayers(application(), { cluster: cluster({ limits: clusters }), namespace: namespace({ limits: namespaces }) });
    expect([spec.timeToLiveSeconds, violations]).toEqual([60, []]);
  }
});

test('an application without a time to live gets the limit, which is reported', () => {
  const { spec, applied, violations } = applyLayers(application(), { cluster: cluster({ limits: 'maxTimeToLiveSeconds: 60' }) });
  expect([spec.timeToLiveSeconds, applied[0]!.fields, violations]).toEqual([60, ['spec.timeToLiveSeconds'], []]);
});

test('a ConfigMap can set values that users must not', () => {
  expect(problems({}, 'deniedSparkConf: ["spark.eventLog.*"]', { enforced: 'sparkConf: {spark.eventLog.dir: "s3a://logs"}' })).toEqual([]);
});

test('defaults count, too: they are compared with the limits', () => {
  expect(problems({}, 'maxExecutors: 2', { defaults: 'executor: {instances: 3}' })).toHaveLength(1);
});

test('the limits of cluster and namespace both hold, and each names its ConfigMap', () => {
  const refusalsOf = (instances: number) => applyLayers(application({ executor: { instances } }), {
    cluster: cluster({ limits: 'maxExecutors: 10' }), namespace: namespace({ limits: 'maxExecutors: 20' }),
  }).violations.map(({ message }) => /ConfigMap (\S+)\//.exec(message)![1]);
  expect([5, 15, 25].map(refusalsOf)).toEqual([[], ['spark-operator'], ['spark-operator', 'jobs']]);
});

test.each([
  ['a*', 'abc', true], ['a*', 'ba', false], ['*a*b*', 'xaxxb', true], ['*a*b', 'xabx', false], ['a?c', 'abc', true], ['a?c', 'ac', false],
  ['', '', true], ['*', '', true], ['a.c', 'abc', false], ['registry.example.org/*', 'registry.example.org.evil/x', false], ['**/x', 'a/b/x', true],
])('glob %s and %s: %s', (glob, text, expected) => {
  expect(matchesGlob(glob, text, new GlobBudget())).toBe(expected);
});

test('a character beyond 16 bits is one character of a glob', () => {
  expect(['?', '??', '*'].map((glob) => matchesGlob(glob, '😀', new GlobBudget()))).toEqual([true, false, true]);
});

test('a glob that is meant to take long does not', () => {
  expect(matchesGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(5_000), new GlobBudget())).toBe(false);
});
