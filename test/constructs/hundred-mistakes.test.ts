/* A hundred known mistakes in examples/platform, and the layer that finds each of them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration, Size } from 'cdk8s';
import type { Node } from 'constructs';
import { parseAllDocuments } from 'yaml';
import {
  AccessSubject, BatchScheduler, DynamicAllocation, EventLogStorage, LocalDir, Monitoring, NetworkPeer, NetworkPort, RestartPolicy, Schedule,
  SparkApplication, type SparkApplicationProps, SparkApplicationType, SparkJobNamespace, SparkMemory, SparkOperator, WebUI,
} from '../../src';
import type { WholeApplication } from '../../src/model/spark-application';
import { sparkApplicationValidator } from '../../src/operator/admission/validate/spark-application';
import { choose } from '../../src/operator/kinds/spark-application/choice';
import type { Performer } from '../../src/operator/kinds/spark-application/performer';
import { runExample } from '../helpers/example-program';
import { creation, world, type WorldChanges } from '../operator/admission/validate/questions';
import { cluster } from '../plan/defaults/layers';

interface Mistake {
  /** Path of the construct. */
  readonly at: string;
  /** Props in addition to those of the example. */
  readonly props?: object | (() => object);
  /** A call on the construct, or another construct next to it. */
  readonly after?: (construct: any) => void;
  /** A part of the message, which no other mistake has. */
  readonly problem: string;
}

/** A mistake that synthesis cannot find. */
interface Later extends Omit<Mistake, 'problem' | 'after'> {
  readonly layer: 'webhook' | 'operator' | 'nobody';
  readonly problem?: string;
  /** The cluster when the application is admitted. */
  readonly admission?: WorldChanges;
  /** The cluster when the operator submits it. */
  readonly submission?: WorldChanges;
}

const ONE_EXECUTOR: WorldChanges = { layers: { cluster: cluster({ limits: 'maxExecutors: 1' }) } };

function gpuQuota({ hard, used }: { readonly hard: number; readonly used: number }): any {
  const gpus = (count: number) => ({ 'requests.nvidia.com/gpu': `${count}` });
  const metadata = { name: 'spark', namespace: 'research' };
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: gpus(hard) }, status: { hard: gpus(hard), used: gpus(used) } };
}

const OPERATOR = 'platform/operator';
const HISTORY = 'platform/history';
const conf = (key: string, value: string) => ({ sparkConf: { [key]: value } });
/** Adds another application next to a construct. */
const added = ({ scope }: Node, id: string, props: Partial<SparkApplicationProps>) => new SparkApplication(scope!, id, {
  type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///a.py', metadata: { name: id }, ...props,
});
const teamOf = ({ root }: Node, id: string) => root.node.findChild('platform').node.findChild(id) as SparkJobNamespace;
const wrongValue = (value: unknown): any => value;

/** Mistakes that can be in one platform. Synthesis lists all of them. */
const TOGETHER: { readonly [name: string]: Mistake } = {
  'applications in the namespace of the operator': { at: OPERATOR, props: { jobNamespaces: ['spark-operator'] }, problem: "= \"spark-operator\" is the operator's own namespace" },
  'a namespace with a blank': { at: OPERATOR, props: { jobNamespaces: ['Ads Team'] }, problem: '= "Ads Team" is not the name of a namespace' },
  'a namespace twice in the list': { at: OPERATOR, props: { jobNamespaces: ['audit', 'audit'] }, problem: '= "audit" is in the list twice' },
  'a namespace in two places': { at: OPERATOR, props: { jobNamespaces: ['ads'] }, problem: '[platform/ads] name = "ads" is already in jobNamespaces' },
  'no name of a Lease': { at: OPERATOR, props: { leaderElection: { leaseName: 'Lease 1' } }, problem: 'leaderElection.leaseName = "Lease 1"' },
  'a Lease shorter than its deadline': { at: OPERATOR, props: { leaderElection: { leaseDuration: Duration.seconds(5) } }, problem: 'leaderElection.leaseDuration = "5000 ms"' },
  'no name of a pull secret': { at: OPERATOR, props: { imagePullSecrets: ['Registry Key'] }, problem: 'imagePullSecrets[0] = "Registry Key"' },
  'no name of a priority class': { at: OPERATOR, props: { priorityClassName: 'Very High' }, problem: 'priorityClassName = "Very High"' },
  'no number of workers': { at: OPERATOR, props: { workers: 0 }, problem: 'workers = 0' },
  'a burst of no calls': { at: OPERATOR, props: { kubeApiBurst: 0 }, problem: 'kubeApiBurst = 0' },
  'a time to live as a text': { at: OPERATOR, props: { timeToLive: wrongValue('7d') }, problem: 'timeToLive = "7d" must be a Duration' },
  'a policy as a text': { at: 'ads-jobs/clicks', props: { restartPolicy: 'Always' }, problem: 'restartPolicy = "Always" must be an instance of RestartPolicy' },
  'web UIs as a text': { at: OPERATOR, props: { webUI: '{{$appName}}.example.org' }, problem: 'webUI = "{{$appName}}.example.org" must be an instance of WebUI' },
  'memory as a text': { at: OPERATOR, props: { resources: { memoryLimit: wrongValue('1Gi') } }, problem: 'resources.memoryLimit = "1Gi" must be a Size' },
  'the label of the Deployment': { at: OPERATOR, props: { podLabels: { 'app.kubernetes.io/name': 'x' } }, problem: 'podLabels[app.kubernetes.io/name]' },
  'a label that is none': { at: OPERATOR, props: { podLabels: { 'a b': 'x' } }, problem: 'podLabels[a b]' },
  'a variable of the construct': { at: OPERATOR, props: { env: [{ name: 'POD_NAME', value: 'x' }] }, problem: 'env[POD_NAME]' },
  'no port of the API server': { at: OPERATOR, props: { networkPolicy: { apiServerPorts: [0] } }, problem: 'networkPolicy.apiServerPorts[0]' },
  'the port of metrics for the webhook': { at: OPERATOR, props: { webhook: { port: 8080 } }, problem: 'webhook.port' },
  'a webhook that takes a minute': { at: OPERATOR, props: { webhook: { timeout: Duration.minutes(1) } }, problem: 'webhook.timeout' },
  'a webhook with the account of the operator': { at: OPERATOR, props: { webhook: { deployment: { serviceAccountName: 'spark-operator' } } }, problem: 'webhook.deployment.serviceAccountName' },
  'a webhook that overrides the defaults': { at: OPERATOR, props: { webhook: { defaulting: true } }, problem: 'webhook.defaulting' },
  'a URL as host of the console': { at: OPERATOR, props: { console: { hosts: ['https://spark.example.org'] } }, problem: 'console.hosts[1]' },
  'a cluster without a name': { at: OPERATOR, props: { console: { clusterName: ' ' } }, problem: 'console.clusterName' },
  'a console with the account of the operator': { at: OPERATOR, props: { console: { serviceAccountName: 'spark-operator' } }, problem: 'console.serviceAccountName' },
  'an unknown scheduler': { at: OPERATOR, props: { batchScheduling: { defaultScheduler: 'slurm' } }, problem: 'batchScheduling.defaultScheduler = "slurm"' },
  'a built-in scheduler once more': { at: OPERATOR, props: { batchScheduling: { kubeSchedulers: ['volcano'] } }, problem: 'batchScheduling.kubeSchedulers[0] = "volcano"' },
  'an unknown flag': { at: OPERATOR, props: { flags: ['--log-levels=debug'] }, problem: 'log-levels' },
  'a flag of the construct': { at: OPERATOR, props: { flags: ['--webhook-port=1'] }, problem: '"--webhook-port=1" conflicts' },
  'two operators for a namespace': {
    at: OPERATOR, problem: '[platform/second] jobNamespaces = "research" is also watched',
    after: ({ node }) => new SparkOperator(node.scope, 'second', { installCrds: false, namespace: 'second', jobNamespaces: ['research'] }),
  },

  'a node selector that selects nothing': { at: OPERATOR, props: { nodeSelector: { pool: 's s d' } }, problem: 'nodeSelector[pool]' },
  'an image with a blank': { at: OPERATOR, props: { image: 'spark operator' }, problem: '[platform/operator] image = "spark operator"' },

  'a quota of half an application': { at: 'platform/ads', props: { quota: { applications: 1.5 } }, problem: '[platform/ads] quota.applications' },
  'an operator here and elsewhere': { at: 'platform/ads', props: { operatorNamespace: 'operators' }, problem: '[platform/ads] operatorNamespace' },
  'a label that podSecurity sets': { at: 'platform/ads', props: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } }, problem: '[platform/ads] labels[pod-security.kubernetes.io/enforce]' },
  'a CPU limit of nothing': { at: 'platform/ads', props: { containerLimits: { maxCpu: 0 } }, problem: '[platform/ads] containerLimits.maxCpu' },
  'an annotation that limits set': { at: 'platform/payments', props: { annotations: { 'sparkoperator.k8s.io/allowed-images': '*' } }, problem: '[platform/payments] annotations[sparkoperator.k8s.io/allowed-images]' },
  'memory of a quota as a text': { at: 'platform/payments', props: { quota: { storage: wrongValue('64Gi') } }, problem: '[platform/payments] quota.storage = "64Gi" must be a Size' },
  'an unknown level of Pod Security': { at: 'platform/payments', props: { podSecurity: wrongValue('strict') }, problem: '[platform/payments] podSecurity = "strict"' },
  'a label with a blank': { at: 'platform/payments', props: { labels: { team: 'the payments' } }, problem: '[platform/payments] labels[team]' },
  'no name of a service account': { at: 'platform/payments', props: { operatorServiceAccountName: 'Spark Operator' }, problem: '[platform/payments] operatorServiceAccountName' },
  'a network that nothing isolates': { at: 'platform/research', props: { isolated: false }, problem: '[platform/research] network has no effect' },
  'labels of a namespace that is not created': { at: 'platform/research', props: { create: false, labels: { team: 'research' } }, problem: '[platform/research] labels belongs to the namespace' },
  'the same namespace twice': {
    at: 'platform/research', problem: '[platform/again]', after: ({ node }) => new SparkJobNamespace(node.scope, 'again', { name: 'research' }),
  },

  'a server older than its applications': { at: HISTORY, props: { sparkVersion: '3.5.8' }, problem: '[platform/history] sparkVersion = "3.5.8" is older' },
  'an image without a connector': { at: HISTORY, props: { image: undefined }, problem: '[platform/history] image is missing' },
  'memory without place for a JVM': { at: HISTORY, props: { memory: Size.mebibytes(100) }, problem: '[platform/history] memory' },
  'less than no CPU': { at: HISTORY, props: { cpu: -1 }, problem: '[platform/history] cpu' },
  'a cache without place': { at: HISTORY, props: { cache: Size.mebibytes(10) }, problem: '[platform/history] cache' },
  'to keep no event logs': { at: HISTORY, props: { retention: { maxApplications: 0 } }, problem: '[platform/history] retention.maxApplications' },
  'root': { at: HISTORY, props: { userId: 0 }, problem: '[platform/history] userId' },
  'a host with a blank': { at: HISTORY, props: { ingress: { host: 'the history' } }, problem: '[platform/history] ingress.host' },
  'a pause of half a second': { at: HISTORY, props: { updateInterval: Duration.millis(500) }, problem: '[platform/history] updateInterval' },
  'an Ingress and a route': { at: HISTORY, props: { httpRoute: { gateways: [{ namespace: 'a', name: 'b' }] } }, problem: '[platform/history] httpRoute' },
  'a password as a property': { at: HISTORY, props: conf('spark.ssl.keyPassword', 'hunter2'), problem: '[platform/history] sparkConf[spark.ssl.keyPassword]' },
  'a variable with a sign of equality': { at: HISTORY, props: { env: { 'A=B': 'c' } }, problem: '[platform/history] env[A=B]' },
  'no key of a Secret': { at: HISTORY, props: { secretEnv: { A: { name: 'a', key: 'b c' } } }, problem: '[platform/history] env[A].valueFrom.secretKeyRef.key' },
  'a Service with a dot': { at: HISTORY, props: { name: 'history.server' }, problem: '[platform/history] name' },

  'no main class': { at: 'ads-jobs/clicks', props: { mainClass: undefined }, problem: '[ads-jobs/clicks] mainClass is missing' },
  'no Maven coordinate': { at: 'ads-jobs/clicks', props: { deps: { packages: ['kafka-clients'] } }, problem: '[ads-jobs/clicks] deps.packages = "kafka-clients"' },
  'a secret as a property': { at: 'ads-jobs/clicks', props: conf('spark.hadoop.fs.s3a.secret.key', 'hunter2'), problem: '[ads-jobs/clicks] sparkConf[spark.hadoop.fs.s3a.secret.key]' },
  'a doubled prefix': { at: 'ads-jobs/clicks', props: { hadoopConf: { 'spark.hadoop.fs.s3a.endpoint': 'x' } }, problem: '[ads-jobs/clicks] hadoopConf[spark.hadoop.fs.s3a.endpoint]' },
  'a property without its prefix': { at: 'ads-jobs/clicks', props: conf('sql.shuffle.partitions', '4'), problem: '[ads-jobs/clicks] sparkConf[sql.shuffle.partitions]' },
  'a heap as a Java option': { at: 'ads-jobs/clicks', props: { driver: { javaOptions: '-Xmx4g' } }, problem: '[ads-jobs/clicks] driver.javaOptions = "-Xmx4g"' },
  'a property as a Java option': { at: 'ads-jobs/clicks', props: { executor: { javaOptions: '-Dspark.ui.port=1' } }, problem: '[ads-jobs/clicks] executor.javaOptions = "-Dspark.ui.port' },
  'a label of Spark': { at: 'ads-jobs/clicks', props: { executor: { labels: { 'spark-role': 'x' } } }, problem: '[ads-jobs/clicks] executor.labels[spark-role]' },
  'a variable twice': { at: 'ads-jobs/clicks', props: { pods: { secretEnv: { STAGE: { name: 'a', key: 'b' } }, env: { STAGE: 'test' } } }, problem: '[ads-jobs/clicks] pods.env[STAGE] is set twice' },
  'a Secret at a relative path': { at: 'ads-jobs/clicks', after: (app) => app.mountSecret('keys', 'mnt/keys'), problem: '[ads-jobs/clicks] driver.secrets[0].path = "mnt/keys"' },
  'a URL of lineage without a scheme': { at: 'ads-jobs/clicks', props: { openLineage: { url: 'marquez' } }, problem: '[ads-jobs/clicks] openLineage.url = "marquez"' },
  'a heap with which no driver starts': { at: 'ads-jobs/clicks', props: { driver: { memory: Size.mebibytes(256) } }, problem: '[ads-jobs/clicks] driver.memory' },
  'millions of cores': { at: 'ads-jobs/clicks', props: { executor: { coreRequest: '500M' } }, problem: '[ads-jobs/clicks] executor.coreRequest = "500M"' },
  'the same application twice': {
    at: 'ads-jobs/clicks', problem: '[ads-jobs/copy] metadata.name = "clicks"',
    after: ({ node }) => added(node, 'copy', { metadata: { name: 'clicks', namespace: 'ads' } }),
  },
  'a namespace without an operator': {
    at: 'ads-jobs/clicks', problem: '[ads-jobs/lost] metadata.namespace = "marketing" is watched by no operator',
    after: ({ node }) => added(node, 'lost', { metadata: { name: 'lost', namespace: 'marketing' }, strict: true }),
  },

  'a typo in a name of a prop': { at: 'ads-jobs/sessions', props: { executor: { memroy: Size.gibibytes(4) } }, problem: '[ads-jobs/sessions] executor.memroy' },
  'half a core': { at: 'ads-jobs/sessions', props: { driver: { cores: 0.5 } }, problem: '[ads-jobs/sessions] driver.cores' },
  'a port that is none': { at: 'ads-jobs/sessions', props: { ui: { port: 70000 } }, problem: '[ads-jobs/sessions] ui.port' },
  'an unknown pull policy': { at: 'ads-jobs/sessions', props: { imagePullPolicy: wrongValue('Sometimes') }, problem: '[ads-jobs/sessions] imagePullPolicy' },
  'a number as an argument': { at: 'ads-jobs/sessions', props: { arguments: wrongValue([3]) }, problem: '[ads-jobs/sessions] arguments[0]' },
  'a number as a property': { at: 'ads-jobs/sessions', props: { sparkConf: { 'spark.sql.shuffle.partitions': wrongValue(800) } }, problem: '[ads-jobs/sessions] sparkConf[spark.sql.shuffle.partitions]' },
  'a negative factor': { at: 'ads-jobs/sessions', props: { memoryOverheadFactor: -1 }, problem: '[ads-jobs/sessions] memoryOverheadFactor' },
  'memory in kilobytes of a text': { at: 'ads-jobs/sessions', props: { executor: { memory: wrongValue('16Gi') } }, problem: '[ads-jobs/sessions] executor.memory' },

  'a jar as Python': { at: 'ads-jobs/attribution', props: { type: SparkApplicationType.PYTHON }, problem: '[ads-jobs/attribution] type' },
  'more executors than the maximum': { at: 'ads-jobs/attribution', props: { executor: { instances: 30 } }, problem: '[ads-jobs/attribution] executor.instances = "30" is more than dynamicAllocation.maxExecutors' },
  'no name of an application': { at: 'ads-jobs/attribution', props: { metadata: { name: 'Attribution_2' } }, problem: '[ads-jobs/attribution] metadata.name = "Attribution_2"' },
  'two local folders at one path': { at: 'ads-jobs/attribution', props: { localDirs: [LocalDir.emptyDir({ path: '/a' }), LocalDir.emptyDir({ path: '/a' })] }, problem: '[ads-jobs/attribution] executor.volumeMounts[1] is mounted at /a' },
  'a tag as version': { at: 'ads-jobs/attribution', props: { sparkVersion: 'latest' }, problem: '[ads-jobs/attribution] sparkVersion is "latest"' },

  'no time zone': { at: 'ads-jobs/compaction', props: { timeZone: 'Berlin' }, problem: '[ads-jobs/compaction] timeZone = "Berlin"' },
  'no number of runs to keep': { at: 'ads-jobs/compaction', props: { successfulRunHistoryLimit: -1 }, problem: '[ads-jobs/compaction] successfulRunHistoryLimit' },
  'a deadline of nothing': { at: 'ads-jobs/compaction', props: { startingDeadline: Duration.seconds(0) }, problem: '[ads-jobs/compaction] startingDeadline' },
  'an unknown policy': { at: 'ads-jobs/compaction', props: { concurrency: wrongValue('Never') }, problem: '[ads-jobs/compaction] concurrency' },

  'an image that the namespace does not allow': { at: 'payments-jobs/ledger', props: { image: 'docker.io/other/spark:4' }, problem: '[payments-jobs/ledger] image = "docker.io/other/spark:4"' },
  'more memory than the limit of executors': { at: 'payments-jobs/ledger', props: { executor: { memory: Size.gibibytes(64) } }, problem: '[payments-jobs/ledger] executor.memory' },
  'more retries than the limit': { at: 'payments-jobs/ledger', props: { restartPolicy: RestartPolicy.onFailure({ retries: 50 }) }, problem: '[payments-jobs/ledger] restartPolicy' },
  'a file of the submitter': { at: 'payments-jobs/ledger', props: { mainApplicationFile: 'ledger.jar' }, problem: '[payments-jobs/ledger] mainApplicationFile = "ledger.jar"' },
  'another namespace than that of its team': { at: 'payments-jobs/ledger', props: { metadata: { namespace: 'ads' } }, problem: '[payments-jobs/ledger] metadata.namespace = "ads" is not that of jobNamespace' },
  'a mount of a volume that is not there': { at: 'payments-jobs/fraud-scores', props: { volumes: [{ name: 'other', emptyDir: {} }], executor: { volumeMounts: [{ name: 'model', mountPath: '/m' }] } }, problem: '[payments-jobs/fraud-scores] executor.volumeMounts' },
  'two volumes of a name': { at: 'payments-jobs/settlement', props: { volumes: [{ name: 'a', emptyDir: {} }, { name: 'a', emptyDir: {} }] }, problem: '[payments-jobs/settlement] volumes[1]' },
  'a relative path of a mount': { at: 'payments-jobs/settlement', props: { driver: { volumeMounts: [{ name: 'a', mountPath: 'a' }] } }, problem: '[payments-jobs/settlement] driver.volumeMounts[0].mountPath = "a"' },
  'a limit below the request': { at: 'payments-jobs/settlement', props: { driver: { cores: 2, coreLimit: '1' } }, problem: '[payments-jobs/settlement] driver.coreLimit = "1"' },
  'a limit below memory and overhead': { at: 'payments-jobs/settlement', props: { driver: { memoryLimit: Size.gibibytes(2) } }, problem: '[payments-jobs/settlement] driver.memoryLimit' },
  'a toleration that none is': { at: 'payments-jobs/settlement', props: { executor: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } }, problem: '[payments-jobs/settlement] executor.tolerations' },
  'a port that Spark has': { at: 'payments-jobs/settlement', props: { monitoring: Monitoring.jmxExporter({ jar: '/a.jar', port: 7079 }) }, problem: '[payments-jobs/settlement] monitoring.jmxExporter.port' },
  'a heap of a schedule': { at: 'payments-jobs/report', props: { template: { driver: { memory: Size.mebibytes(100) } } }, problem: '[payments-jobs/report] template.driver.memory' },
  'a Secret of a schedule': { at: 'payments-jobs/report', props: { template: { driver: { secretEnv: { A: { name: 'a', key: 'b c' } } } } }, problem: '[payments-jobs/report] template.driver.env[A]' },

  'more memory than the quota': {
    at: 'ads-jobs/compaction', problem: '[ads-jobs/many] executor.instances = "40" is more than ResourceQuota ads/spark',
    after: ({ node }) => added(node, 'many', { jobNamespace: teamOf(node, 'ads'), executor: { instances: 40, memory: Size.gibibytes(40) } }),
  },
  'more cores than the limit of executors': {
    at: 'ads-jobs/compaction', problem: '[ads-jobs/wide] executor.cores',
    after: ({ node }) => added(node, 'wide', { jobNamespace: teamOf(node, 'ads'), executor: { cores: 16 } }),
  },
  'more executors than the limit': { at: 'research-jobs/features', props: { dynamicAllocation: DynamicAllocation.upTo(60) }, problem: '[research-jobs/features] dynamicAllocation.maxExecutors' },
  'a version of the future': { at: 'research-jobs/features', props: { sparkVersion: '9.0.0' }, problem: '[research-jobs/features] sparkVersion is "9.0.0"' },
  'a property that a field replaces': { at: 'research-jobs/features', props: { executor: { cores: 2 }, ...conf('spark.executor.cores', '1') }, problem: '[research-jobs/features] sparkConf[spark.executor.cores] is overridden by executor.cores' },
  'a resource without a domain': { at: 'research-jobs/training', props: { driver: { gpu: { name: 'gpu', quantity: 1 } } }, problem: '[research-jobs/training] driver.gpu.name' },
  'a label that no node has': { at: 'research-jobs/training', props: { executor: { nodeSelector: { disk: 's s d' } } }, problem: '[research-jobs/training] executor.nodeSelector[disk]' },
  'a sidecar with capital letters': { at: 'research-jobs/training', props: { driver: { sidecars: [{ name: 'Proxy', image: 'a' }] } }, problem: '[research-jobs/training] driver.sidecars[0].name' },
  'a server with a dot': { at: 'research-jobs/notebooks', props: { metadata: { name: 'note.books' } }, problem: '[research-jobs/notebooks] metadata.name = "note.books"' },
  'a port of a server that its Service does not know': { at: 'research-jobs/notebooks', props: conf('spark.connect.grpc.binding.port', '1'), problem: '[research-jobs/notebooks] sparkConf[spark.connect.grpc.binding.port] = "1" must be 15002' },
  'a server without enough memory': { at: 'research-jobs/notebooks', props: { server: { memory: Size.mebibytes(64) } }, problem: '[research-jobs/notebooks] server.memory' },
};

/** Mistakes that hide others: a factory rejects its arguments at once, or a check needs valid values. */
const ALONE: { readonly [name: string]: Mistake } = {
  'an unknown level of the log': { at: OPERATOR, props: { flags: ['--log-level=loud'] }, problem: '--log-level=loud' },
  'a scheduler that the operator has not enabled': { at: 'payments-jobs/settlement', props: { batchScheduler: BatchScheduler.volcano() }, problem: '[payments-jobs/settlement] batchScheduler does not schedule the application as a gang' },
  'no time of a server': { at: 'research-jobs/notebooks', props: { idleTimeToLive: Duration.millis(500) }, problem: '[research-jobs/notebooks] idleTimeToLive' },
  'more GPUs than the quota': { at: 'research-jobs/training', props: { executor: { instances: 20 } }, problem: '[research-jobs/training] executor.instances = "20" is more than ResourceQuota research/spark' },
  'a cron expression with a wrong minute': { at: 'ads-jobs/compaction', props: () => ({ schedule: Schedule.cron('61 3 * * *') }), problem: 'Schedule.cron' },
  'a schedule without an end of its field': { at: 'ads-jobs/compaction', props: () => ({ schedule: Schedule.at({ hour: '25' }) }), problem: 'Schedule.at' },
  'fewer executors at most than at least': { at: 'ads-jobs/sessions', props: () => ({ dynamicAllocation: DynamicAllocation.between(5, 2) }), problem: 'minExecutors = 5 must not be greater' },
  'retries below zero': { at: 'ads-jobs/clicks', props: () => ({ restartPolicy: RestartPolicy.onFailure({ retries: -1 }) }), problem: 'RestartPolicy.onFailure: retries' },
  'a schedule as a text': { at: 'ads-jobs/compaction', props: { schedule: '0 3 * * *' }, problem: 'schedule = "0 3 * * *" must be an instance of Schedule' },
  'a namespace as a text': { at: 'ads-jobs/clicks', props: { jobNamespace: 'ads' }, problem: 'jobNamespace = "ads" must be an instance of SparkJobNamespace' },
  'a profile as a map': { at: 'ads-jobs/clicks', props: { profile: { sparkVersion: '4.1.1' } }, problem: 'profile must be an instance of SparkProfile' },
  'an operator as a text': { at: 'platform/ads', props: { operator: 'spark-operator' }, problem: 'operator = "spark-operator" must be an instance of SparkOperator' },
  'a store that is a text': { at: HISTORY, props: { eventLogs: 's3a://logs' }, problem: 'eventLogs = "s3a://logs" must be an instance of EventLogStorage' },
  'half a size of Spark': { at: 'ads-jobs/clicks', props: () => ({ driver: { memory: SparkMemory.parse('1.5g') } }), problem: 'SparkMemory.parse' },
  'an address that is none': { at: 'platform/ads', props: () => ({ network: { egress: [{ peers: [NetworkPeer.addresses('10.0.0.0/33')] }] } }), problem: 'NetworkPeer.addresses' },
  'a port beyond the last': { at: 'platform/ads', props: () => ({ network: { egress: [{ peers: [], ports: [NetworkPort.tcp(70000)] }] } }), problem: 'NetworkPort.tcp' },
  'a group without a name': { at: 'platform/ads', props: () => ({ users: [AccessSubject.group('')] }), problem: 'AccessSubject (Group): name = "" is empty' },
  'a bucket with a folder': { at: HISTORY, props: () => ({ eventLogs: EventLogStorage.s3('logs/spark') }), problem: 'EventLogStorage.s3' },
  'a URL without the name of the application': { at: OPERATOR, props: () => ({ webUI: WebUI.byIngress({ urlFormat: 'spark.example.org' }) }), problem: 'WebUI.byIngress' },
};

/** Mistakes that depend on the cluster, or on what is in images and files. */
const LATER: { readonly [name: string]: Later } = {
  'more GPUs than the quota has left': {
    layer: 'webhook', at: 'research-jobs/training', admission: { quotas: () => Promise.resolve([gpuQuota({ hard: 8, used: 6 })]) }, problem: 'is more than ResourceQuota research/spark has room for',
  },
  'a limit that is lower since the synthesis': { layer: 'webhook', at: 'ads-jobs/clicks', admission: ONE_EXECUTOR, problem: 'limits.yaml: maxExecutors: 1' },
  'a limit that is lower since the admission': { layer: 'operator', at: 'ads-jobs/clicks', submission: ONE_EXECUTOR, problem: 'limits.yaml: maxExecutors: 1' },
  'defaults with an error of syntax since the admission': { layer: 'operator', at: 'ads-jobs/clicks', submission: { unusable: 'defaults.yaml is not YAML' }, problem: 'defaults.yaml is not YAML' },
  'a typo in a property': { layer: 'nobody', at: 'ads-jobs/clicks', props: conf('spark.sql.shufle.partitions', '4') },
  'a size of a property that Spark reads later': { layer: 'nobody', at: 'ads-jobs/clicks', props: conf('spark.driver.maxResultSize', '4Gi') },
  'a file system that Spark does not have': { layer: 'nobody', at: 'ads-jobs/clicks', props: { mainApplicationFile: 's3://ads-artifacts/clicks.jar' } },
  'a Secret that is not there': { layer: 'nobody', at: 'ads-jobs/clicks', props: { driver: { secretEnv: { A: { name: 'kafka-2', key: 'a' } } } } },
  'an image that is not there': { layer: 'nobody', at: 'ads-jobs/clicks', props: { image: 'registry.example.org/platform/spark:4.1.1-s4' } },
  'another version than that of the image': { layer: 'nobody', at: 'ads-jobs/clicks', props: { sparkVersion: '4.0.1' } },
  'a pod that Pod Security rejects': { layer: 'nobody', at: 'payments-jobs/settlement', props: { driver: { securityContext: { privileged: true } } } },
};

/** Adds settings to props: maps are merged, lists joined, and other values replaced. */
function merged(props: any, more: any): any {
  if (Array.isArray(props) && Array.isArray(more)) return [...props, ...more];
  const isMap = (value: unknown) => Object.prototype.toString.call(value) === '[object Object]' && Object.getPrototypeOf(value) === Object.prototype;
  if (!isMap(props) || !isMap(more)) return more;
  return { ...props, ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, merged(props[key], value)])) };
}

/** A synthesis of the platform. */
interface Synthesis {
  readonly problems: readonly string[];
  readonly objects: readonly any[];
  readonly files: readonly string[];
}

/** Synthesizes the platform with mistakes, and without the definitions, which take most of the time. */
function platformWith(mistakes: readonly Pick<Mistake, 'at' | 'props' | 'after'>[]): Synthesis {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  const outdir = join(folder, 'dist');
  const at = (path: string) => [{ at: OPERATOR, props: { installCrds: false } }, ...mistakes].filter((mistake): mistake is Mistake => mistake.at === path);
  const withMistakes = (path: string, props: any) => (
    at(path).reduce((all, { props: more = {} }) => merged(all, typeof more === 'function' ? more() : more), props)
  );
  const found = (problems: readonly string[]): Synthesis => {
    const files = existsSync(outdir) ? readdirSync(outdir) : [];
    return { problems, files, objects: files.flatMap((file) => parseAllDocuments(readFileSync(join(outdir, file), 'utf8')).map((document) => document.toJS())) };
  };
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    runExample('platform', outdir, withMistakes, (path, construct) => at(path).forEach(({ after }) => after?.(construct)));
    return found([]);
  } catch (error) {
    const [first, ...problems] = (error as Error).message.split('\n  ');
    return found(first === 'Validation failed with the following errors:' ? problems : [first!]);
  } finally {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the first layer after synthesis that rejects an application, and its message. */
async function rejectedBy({ metadata, spec }: any, { admission, submission }: Later): Promise<{ readonly layer: string; readonly message: string }> {
  const review = creation('SparkApplication', { metadata, spec }, { namespace: metadata.namespace });
  const answer = await sparkApplicationValidator({ ...world(admission), isSelected: () => true })(review);
  if (!answer.allowed) return { layer: 'webhook', message: answer.message! };
  const status = { submissionID: 'a', submissionAttempts: 1, lastSubmissionAttemptTime: '2026-01-01T00:00:00Z', driverInfo: { podName: 'driver' } };
  try {
    choose(world(submission) as unknown as Performer, { metadata: { ...metadata, uid: 'uid-1' }, spec, status } as unknown as WholeApplication);
    return { layer: 'nobody', message: '' };
  } catch (error) {
    return { layer: 'operator', message: (error as Error).message };
  }
}

test('the platform has no problems', () => {
  const { problems, files } = platformWith([]);
  expect({ problems, files: files.length }).toEqual({ problems: [], files: 4 });
});

test('one synthesis lists at least 90 mistakes, and writes no file', () => {
  const { problems, files } = platformWith(Object.values(TOGETHER));
  expect(files).toEqual([]);
  // Of each mistake there is a problem that belongs to no other one.
  const ofOne = problems.filter((text) => Object.values(TOGETHER).filter(({ problem }) => text.includes(problem)).length === 1);
  const missed = Object.entries(TOGETHER).filter(([, { problem }]) => !ofOne.some((text) => text.includes(problem)));
  expect({ missed: missed.map(([name]) => name), problems: missed.length > 0 ? problems : [] }).toEqual({ missed: [], problems: [] });
  expect(new Set(Object.values(TOGETHER).map(({ problem }) => problem)).size).toBeGreaterThanOrEqual(90);
});

test.each(Object.entries(ALONE))('%s is found alone, and no file is written', (_, mistake) => {
  const { problems, files } = platformWith([mistake]);
  expect({ problems, files }).toEqual({ problems: [expect.stringContaining(mistake.problem)], files: [] });
});

let later: Synthesis;
beforeAll(() => {
  later = platformWith(Object.values(LATER));
});

test.each(Object.entries(LATER))('%s is not found by synthesis', async (_, mistake) => {
  const { problems, objects } = later;
  expect(problems).toEqual([]);
  const name = mistake.at.split('/').pop();
  const application = objects.find(({ kind, metadata }) => kind === 'SparkApplication' && metadata.name === name);
  const { layer, problem = '' } = mistake;
  expect(await rejectedBy(application, mistake)).toEqual({ layer, message: expect.stringContaining(problem) });
});

test('there are at least a hundred', () => {
  expect([TOGETHER, ALONE, LATER].flatMap((table) => Object.keys(table)).length).toBeGreaterThanOrEqual(100);
});
