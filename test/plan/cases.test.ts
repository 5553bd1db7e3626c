/* Each mistake is found at synthesis, by sparkctl, the webhook and the operator, in the same words. */
import { Testing } from 'cdk8s';
import { ApiSparkApplication } from '../../src/constructs/api-spark-application';
import { problemText } from '../../src/model/problem';
import type { WholeApplication } from '../../src/model/spark-application';
import { sparkApplicationValidator } from '../../src/operator/admission/validate/spark-application';
import { choose } from '../../src/operator/kinds/spark-application/choice';
import type { Performer } from '../../src/operator/kinds/spark-application/performer';
import { planApplication } from '../../src/plan/plan-application';
import { findingsOf } from '../../src/sparkctl/manifests/findings';
import { problemsOf } from '../constructs/synthesis';
import { creation, world } from '../operator/admission/validate/questions';
import { application, type Changes } from './application';

type Row = readonly [path: string, severity: 'error' | 'ineffective' | 'warning', what: string, changes: Changes];

const conf = (key: string, value: string): Changes => ({ spec: { sparkConf: { [key]: value } } });
const mounted = (mountPath: string) => ({ spec: { volumes: [{ name: 'a', emptyDir: {} }] }, driver: { volumeMounts: [{ name: 'a', mountPath }] } });
const dynamic = (more: object, sparkConf?: { [key: string]: string }): Changes => ({ spec: { dynamicAllocation: { enabled: true, ...more }, sparkConf } });

const ROWS: readonly Row[] = [
  ['spec.driver.memory', 'error', 'a heap with which no driver starts', { driver: { memory: '256m' } }],
  ['spec.executor.memory', 'error', 'a heap with which no executor starts', { executor: { memory: '449m' } }],
  ['spec.sparkConf[spark.driver.memory]', 'error', 'such a heap as a property', conf('spark.driver.memory', '256m')],
  ['spec.sparkConf[spark.executor.memory]', 'error', 'a size that this Spark does not read', conf('spark.executor.memory', '4Gi')],
  ['spec.sparkConf[spark.driver.memory]', 'error', 'a heap that the JVM reads otherwise', conf('spark.driver.memory', '4096')],
  ['spec.driver.memory', 'warning', 'a heap in units that this Spark does not read', { driver: { memory: '4Gi' } }],
  ['spec.executor.memoryOverhead', 'warning', 'an overhead in such units', { executor: { memoryOverhead: '1GiB' } }],
  ['spec.sparkVersion', 'ineffective', 'no version', { spec: { sparkVersion: '' } }],
  ['spec.sparkVersion', 'ineffective', 'a tag', { spec: { sparkVersion: 'latest' } }],
  ['spec.sparkVersion', 'ineffective', 'an old version', { spec: { sparkVersion: '2.4.8' } }],
  ['spec.sparkVersion', 'ineffective', 'a version with a letter', { spec: { sparkVersion: 'v4.1.1' } }],
  ['spec.sparkVersion', 'warning', 'a version of the future', { spec: { sparkVersion: '9.0.0' } }],
  ['spec.mainApplicationFile', 'error', 'a file of the submitter', { spec: { mainApplicationFile: 'main.py' } }],
  ['spec.type', 'ineffective', 'Python with a jar', { spec: { type: 'Python' as never } }],
  ['spec.deps.packages', 'error', 'no Maven coordinate', { spec: { deps: { packages: ['org.example:a:1', 'a:b'] } } }],
  ['spec.deps.excludePackages', 'error', 'an exclusion with a version', { spec: { deps: { excludePackages: ['a:b:c'] } } }],
  ['spec.sparkConf[spark.jars.packages]', 'error', 'no Maven coordinate as a property', conf('spark.jars.packages', 'avro')],
  ['spec.dynamicAllocation.shuffleTrackingEnabled', 'error', 'shuffle data that nothing keeps', dynamic({ shuffleTrackingEnabled: false })],
  ['spec.sparkConf[spark.dynamicAllocation.shuffleTracking.enabled]', 'error', 'the same by properties', {
    spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.shuffleTracking.enabled': 'false' } },
  }],
  ['spec.executor.instances', 'ineffective', 'more executors than the maximum', { ...dynamic({ maxExecutors: 2 }), executor: { instances: 3 } }],
  ['spec.sparkConf[spark.dynamicAllocation.initialExecutors]', 'ineffective', 'a beginning above the maximum', {
    spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.maxExecutors': '2', 'spark.dynamicAllocation.initialExecutors': '3' } },
  }],
  ['spec.executor.labels[spark-role]', 'error', 'a label of Spark', { executor: { labels: { 'spark-role': 'x' } } }],
  ['spec.sparkConf[spark.kubernetes.executor.label.spark-app-selector]', 'error', 'a label of Spark as a property', conf('spark.kubernetes.executor.label.spark-app-selector', 'x')],
  ['spec.executor.labels[app]', 'error', 'a placeholder before Spark 4.0', { spec: { sparkVersion: '3.5.8' }, executor: { labels: { app: '{{APP_ID}}' } } }],
  ['spec.nodeSelector[a b]', 'error', 'a key that no node has', { spec: { nodeSelector: { 'a b': 'c' } } }],
  ['spec.executor.nodeSelector[disk]', 'error', 'a value that no node has', { executor: { nodeSelector: { disk: 's s d' } } }],
  ['spec.sparkConf[spark.kubernetes.driver.node.selector.disk]', 'warning', 'a label of the driver\'s node that a field replaces', {
    spec: { nodeSelector: { disk: 'ssd' }, sparkConf: { 'spark.kubernetes.driver.node.selector.disk': 'hdd' } },
  }],
  ['spec.driver.memoryOverheadFactor', 'warning', 'a factor beside an overhead', { driver: { memoryOverheadFactor: '0.2', memoryOverhead: '1g' } }],
  ['spec.memoryOverheadFactor', 'warning', 'a factor that both roles replace', {
    spec: { memoryOverheadFactor: '0.2' }, driver: { memoryOverheadFactor: '0.3' }, executor: { memoryOverhead: '1g' },
  }],
  ['spec.driver.coreRequest', 'error', 'millions of cores', { driver: { coreRequest: '500M' } }],
  ['spec.sparkConf[spark.kubernetes.executor.limit.cores]', 'error', 'millions of cores as a property', conf('spark.kubernetes.executor.limit.cores', '500M')],
  ['spec.hadoopConf[fs.s3a.secret.key]', 'ineffective', 'a secret', { spec: { hadoopConf: { 'fs.s3a.secret.key': 'hunter2' } } }],
  ['spec.sparkConf[spark.hadoop.fs.s3a.secret.key]', 'ineffective', 'a secret as a property', conf('spark.hadoop.fs.s3a.secret.key', 'hunter2')],
  ['spec.sparkConf[spark.ssl.keyPassword]', 'ineffective', 'a secret of Spark', conf('spark.ssl.keyPassword', 'hunter2')],
  ['spec.hadoopConf[spark.hadoop.fs.s3a.endpoint]', 'ineffective', 'a doubled prefix', { spec: { hadoopConf: { 'spark.hadoop.fs.s3a.endpoint': 'x' } } }],
  ['spec.image', 'error', 'an image with a blank', { spec: { image: 'spark 4' } }],
  ['spec.executor.image', 'error', 'an image of executors with a blank', { executor: { image: 'spark 4' } }],
  ['spec.imagePullSecrets[0]', 'error', 'no name of a Secret', { spec: { imagePullSecrets: ['My Secret'] } }],
  ['spec.sparkConf[spark.kubernetes.node.selector.a b]', 'error', 'a key that no node has as a property', conf('spark.kubernetes.node.selector.a b', 'c')],
  ['spec.sparkConf[spark.kubernetes.container.image]', 'error', 'an image with a blank as a property', {
    spec: { image: undefined, sparkConf: { 'spark.kubernetes.container.image': 'spark 4' } },
  }],
  ['spec.sparkConf[spark.kubernetes.container.image.pullSecrets]', 'error', 'no name of a Secret as a property', conf('spark.kubernetes.container.image.pullSecrets', 'a,B C')],
  ['spec.sparkConf[spark.dynamicAllocation.enabled]', 'error', 'no boolean', conf('spark.dynamicAllocation.enabled', 'maybe')],
  ['spec.sparkConf[spark.memory.offHeap.enabled]', 'error', 'off-heap memory without a size', conf('spark.memory.offHeap.enabled', 'true')],
  ['spec.sparkConf[spark.memory.offHeap.size]', 'error', 'no size of off-heap memory', conf('spark.memory.offHeap.size', 'x')],
  ['spec.sparkConf[spark.memory.offHeap.size]', 'error', 'too little off-heap memory', {
    spec: { sparkConf: { 'spark.memory.offHeap.enabled': 'true', 'spark.memory.offHeap.size': '1000' } },
  }],
  ['spec.sparkConf[spark.task.cpus]', 'error', 'more cores for a task than an executor has', conf('spark.task.cpus', '4')],
  ['spec.sparkConf[spark.kubernetes.executor.podNamePrefix]', 'error', 'no beginning of names', conf('spark.kubernetes.executor.podNamePrefix', 'A_B')],
  ['spec.driver.serviceAccount', 'error', 'no name of a service account', { driver: { serviceAccount: 'Me' } }],
  ['spec.executor.priorityClassName', 'error', 'no name of a priority class', { executor: { priorityClassName: 'High!' } }],
  ['spec.driver.volumeMounts[0].mountPath', 'error', 'a folder without a slash', mounted('data')],
  ['spec.volumes[1].name', 'error', 'two volumes of a name', { spec: { volumes: [{ name: 'a', emptyDir: {} }, { name: 'a', emptyDir: {} }] } }],
  ['spec.driver.configMaps[0].name', 'error', 'no name of a ConfigMap', { driver: { configMaps: [{ name: 'My Map', path: '/a' }] } }],
  ['spec.sparkConfigMap', 'error', 'no name of a ConfigMap for Spark', { spec: { sparkConfigMap: 'My Map' } }],
  ['spec.hadoopConfigMap', 'error', 'no name of a ConfigMap for Hadoop', { spec: { hadoopConfigMap: 'My Map' } }],
  ['spec.executor.envFrom[0].secretRef.name', 'error', 'no name of a Secret for variables', { executor: { envFrom: [{ secretRef: { name: 'A B' } }] } }],
  ['spec.driver.env[0].valueFrom', 'error', 'two sources of a variable', {
    driver: { env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
  }],
  ['spec.driver.env[0].valueFrom.secretKeyRef.name', 'error', 'no name of a Secret for a variable', {
    driver: { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'A B', key: 'c' } } }] },
  }],
  ['spec.driver.env[0].valueFrom', 'error', 'a variable without a source', { driver: { env: [{ name: 'A', valueFrom: {} }] } }],
  ['spec.executor.envFrom[0]', 'error', 'variables without a source', { executor: { envFrom: [{}] } }],
  ['spec.driver.gpu.name', 'error', 'a resource without a domain', { driver: { gpu: { name: 'gpu', quantity: 1 } } }],
  ['spec.executor.volumeMounts[0].subPath', 'error', 'a path out of the volume', {
    spec: { volumes: [{ name: 'a', emptyDir: {} }] }, executor: { volumeMounts: [{ name: 'a', mountPath: '/a', subPath: '../a' }] },
  }],
  ['spec.sparkConf[spark.kubernetes.executor.volumes.emptyDir.a.mount.subPath]', 'error', 'a path out of the volume as a property', {
    spec: { sparkConf: { 'spark.kubernetes.executor.volumes.emptyDir.a.mount.path': '/a', 'spark.kubernetes.executor.volumes.emptyDir.a.mount.subPath': '/b' } },
  }],
  ['spec.executor.tolerations[0].value', 'error', 'a toleration of any value with a value', { executor: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } }],
  ['spec.driver.template.spec.tolerations[0].key', 'error', 'a toleration without a key', { driver: { template: { spec: { containers: [], tolerations: [{ value: 'b' }] } } } }],
  ['spec.driver.tolerations[0].tolerationSeconds', 'error', 'seconds of a taint that evicts no pod', { driver: { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }] } }],
  ['spec.driver.hostAliases[0].ip', 'error', 'no IP address', { driver: { hostAliases: [{ ip: 'x', hostnames: ['a'] }] } }],
  ['spec.driver.securityContext.runAsUser', 'error', 'no number of a user', { driver: { securityContext: { runAsUser: -1 } } }],
  ['spec.executor.podSecurityContext.fsGroup', 'error', 'no number of a group', { executor: { podSecurityContext: { fsGroup: 2 ** 31 } } }],
  ['spec.driver.sidecars[0].name', 'error', 'no name of a container', { driver: { sidecars: [{ name: 'A', image: 'a' }] } }],
  ['spec.sparkUIOptions.serviceLabels[a b]', 'error', 'a label that is none', { spec: { sparkUIOptions: { serviceLabels: { 'a b': 'c' } } } }],
  ['spec.driverIngressOptions[0].ingressURLFormat', 'error', 'a host that is none', {
    spec: { driverIngressOptions: [{ servicePort: 8080, servicePortName: 'ui', ingressURLFormat: '{{$appName}}_ui.example.org' }] },
  }],
  ['spec.driver.kubernetesMaster', 'error', 'no URL of an API server', { driver: { kubernetesMaster: 'x' } }],
  ['spec.restartPolicy.backoff.maxInterval', 'ineffective', 'a maximum below the first wait', {
    spec: { restartPolicy: { type: 'OnFailure' as never, onFailureRetries: 3, onFailureRetryInterval: 60, backoff: { type: 'Exponential' as never, maxInterval: 10 } } },
  }],
];

const SUBMISSION = { mode: 'auto', sparkUser: 'spark' } as const;

/** Messages of sparkctl, the webhook and the operator. */
async function answersOf(changes: Changes) {
  const { metadata, spec } = application(changes);
  const object = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: metadata.name, namespace: metadata.namespace }, spec };
  const sparkctl = findingsOf(JSON.parse(JSON.stringify(object)), 'application');
  const answer = await sparkApplicationValidator({ ...world(), submission: SUBMISSION })(creation('SparkApplication', { metadata, spec }));
  return { synthesis: synthesisOf({ metadata, spec }), sparkctl, webhook: [answer.message ?? '', ...(answer.warnings ?? [])].join('\n'), operator: operatorOf({ metadata, spec }) };
}

function synthesisOf({ metadata: { name, namespace }, spec }: Pick<WholeApplication, 'metadata' | 'spec'>): string {
  return problemsOf(new ApiSparkApplication(Testing.chart(), 'pi', { metadata: { name, namespace }, spec })).join('\n');
}

function operatorOf(given: Pick<WholeApplication, 'metadata' | 'spec'>): string {
  const status = { submissionID: 'a', submissionAttempts: 1, lastSubmissionAttemptTime: '2026-01-01T00:00:00Z', driverInfo: { podName: 'pi-driver' } };
  try {
    const { submission } = choose({ submission: SUBMISSION } as Performer, { ...given, status } as unknown as WholeApplication);
    return submission.objects.warnings.map(problemText).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(ROWS)('%s (%s): %s', async (path, severity, _, changes) => {
  const found = planApplication(application(changes), { submission: SUBMISSION }).problems;
  const [problem] = found.filter((each) => each.path === path);
  expect({ found, severity: problem?.severity ?? 'error' }).toMatchObject({ severity });
  const text = problemText(problem!);

  const { synthesis, sparkctl, webhook, operator } = await answersOf(changes);
  // Synthesis and sparkctl check for an operator that can run spark-submit, and so explain files otherwise.
  const words = path === 'spec.mainApplicationFile' ? expect.stringContaining(path) : text;
  expect(sparkctl.map(({ severity: level, message }) => ({ level, message }))).toContainEqual({ level: severity === 'error' ? 'error' : 'warning', message: words });
  if (severity === 'warning') expect(synthesis).toBe('');
  else expect(synthesis).toEqual(path === 'spec.mainApplicationFile' ? words : expect.stringContaining(`[test/pi] ${text}`));
  expect(webhook).toContain(severity === 'error' ? text : text.slice(0, 200));
  if (severity === 'error') expect(operator).toContain(text);
});

test('a valid application has no problems', () => {
  expect(planApplication(application(), { submission: SUBMISSION })).toMatchObject({ problems: [], submittable: { submission: { kind: 'native' } } });
});

test('all mistakes are found in one pass, and none that follows from another', () => {
  const { problems } = planApplication(application({
    spec: { sparkConf: { 'spark.executor.memory': 'lots', 'spark.driver.port': '0', 'spark.kubernetes.driver.request.cores': 'x' } },
    driver: { memoryLimit: '100Mi' },
    executor: { labels: { 'a b': 'c' }, sidecars: [{ name: 'a', image: 'a' }, { name: 'a', image: 'b' }] },
  }), { submission: SUBMISSION });
  expect(problems.filter(({ severity = 'error' }) => severity === 'error').map(({ path }) => path).sort()).toEqual([
    'spec.driver.memoryLimit', 'spec.executor.labels[a b]', 'spec.executor.sidecars[1].name', 'spec.sparkConf[spark.driver.port]',
    'spec.sparkConf[spark.executor.memory]', 'spec.sparkConf[spark.kubernetes.driver.request.cores]',
  ]);
});
