/*
 * The rules, who enforces each, and the message: the table of docs/reference/admission-rules.md. A test sends each
 * example to the enforcing layer, and another one compares the documentation.
 */
import type { Kind, WorldChanges } from './validate/questions';
import { inTheWay } from '../../../src/operator/kinds/spark-application/belonging';
import { cluster } from '../../plan/defaults/layers';

/** One rule with an example that breaks it. */
export interface Rule {
  /** The rule as a sentence. */
  readonly rule: string;
  readonly kind: Kind;
  /**
   * The first layer that enforces it. `CRD`: the API server, by schema and CEL. `policy`: the API
   * server, by a ValidatingAdmissionPolicy, and the webhook where there are no policies. `webhook`:
   * the operator's webhook. `operator`: the submission of the application; the status contains the
   * reason.
   */
  readonly layer: 'CRD' | 'policy' | 'webhook' | 'operator';
  /** Changes of the `spec` of a small valid object, and its `metadata`. */
  readonly change: object;
  /** Settings of the operator, if they matter. */
  readonly operator?: WorldChanges;
  /** The expected message. */
  readonly message: string;
}

/** Limits of the examples. */
export const LIMITS = cluster({
  limits: 'maxExecutors: 4\nallowedImages: [apache/spark*]\nallowedServiceAccounts: [default, spark]\nexecutor: { maxCores: 4, '
    + 'maxMemory: 8g }\nmaxRetries: 3\ndeniedSparkConf: [spark.ui.*]\nallowedServiceTypes: [ClusterIP]\nallowedServiceAnnotations: '
    + '[prometheus.io/*]',
});

const limited: WorldChanges = { layers: { cluster: LIMITS } };

/** A quota of the examples. */
export const QUOTA = {
  metadata: { namespace: 'jobs', name: 'compute' },
  spec: { hard: { 'requests.cpu': '10', 'requests.memory': '16Gi' } },
  status: { hard: { 'requests.cpu': '10', 'requests.memory': '16Gi' }, used: { 'requests.cpu': '4', 'requests.memory': '2Gi' } },
};

const filled: WorldChanges = { quotas: () => Promise.resolve([QUOTA]) };

const conf = (key: string, value: string) => ({ sparkConf: { [key]: value } });
const template = (spec: object, metadata?: object) => ({ template: { ...(metadata && { metadata }), spec } });

/** All rules except those of the CRDs. */
export const RULES: readonly Rule[] = [
  /* Namespaces. */
  {
    rule: 'An application runs in its own namespace', kind: 'SparkApplication', layer: 'policy',
    change: conf('spark.kubernetes.namespace', 'kube-system'),
    message: 'spec.sparkConf[spark.kubernetes.namespace] = "kube-system" is not the namespace of the application, jobs; remove it, or '
      + 'create the application in the other namespace',
  },
  {
    rule: 'Its pods run there, too', kind: 'SparkApplication', layer: 'policy',
    change: { executor: template({ containers: [] }, { namespace: 'kube-system' }) },
    message: 'spec.executor.template.metadata.namespace = "kube-system" is not the namespace of the application, jobs; remove it',
  },
  {
    rule: 'The runs of a schedule run in its namespace', kind: 'ScheduledSparkApplication', layer: 'policy',
    change: { template: conf('spark.kubernetes.namespace', 'kube-system') },
    message: 'spec.template.sparkConf[spark.kubernetes.namespace] = "kube-system" is not the namespace of the application, jobs; '
      + 'remove it, or create the application in the other namespace',
  },

  /* The program. */
  { rule: 'The class with the main method is named', kind: 'SparkApplication', layer: 'webhook', change: { mainClass: undefined }, message: 'spec.mainClass is missing, and spark-submit does not open a local: jar to look for it; name the class with the main method' },
  { rule: 'Files are in the image or where the driver can load them from', kind: 'SparkApplication', layer: 'webhook', change: { mainApplicationFile: '/home/me/app.jar' }, message: 'spec.mainApplicationFile = "/home/me/app.jar" is a file of your machine, which the operator cannot read; put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI, or set spark.kubernetes.file.upload.path to upload the file of the image' },
  { rule: 'So are dependencies', kind: 'SparkApplication', layer: 'webhook', change: { deps: { jars: ['lib/a.jar'] } }, message: 'spec.deps.jars = "lib/a.jar" is a file of your machine, which the operator cannot read; put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI, or set spark.kubernetes.file.upload.path to upload the file of the image' },
  { rule: 'Without spark-submit, each dependency is named', kind: 'SparkApplication', layer: 'webhook', operator: { mode: 'native' }, change: { deps: { jars: ['s3a://bucket/*.jar'] } }, message: 'spec.deps.jars = "s3a://bucket/*.jar" is a pattern, which the operator cannot expand; name each file. Or write auto for --submission-mode: spark-submit could submit it' },
  { rule: 'The way to submit is one that there is', kind: 'SparkApplication', layer: 'webhook', change: { metadata: { annotations: { 'sparkoperator.k8s.io/submission-mode': 'fast' } } }, message: 'metadata.annotations[sparkoperator.k8s.io/submission-mode] = "fast" is not a way to submit; write auto, native, spark-submit, or remove it' },
  { rule: 'Administrators can decide alone how applications are submitted', kind: 'SparkApplication', layer: 'webhook', operator: { modeAnnotation: false }, change: { metadata: { annotations: { 'sparkoperator.k8s.io/submission-mode': 'native' } } }, message: 'metadata.annotations[sparkoperator.k8s.io/submission-mode] = "native" is not allowed by the operator (--enable-submission-mode-annotation=false); remove it, or ask who looks after the operator' },
  { rule: 'No proxy user beside a login', kind: 'SparkApplication', layer: 'webhook', change: { proxyUser: 'alice', ...conf('spark.kerberos.principal', 'bob@EXAMPLE.ORG') }, message: 'spec.proxyUser = "alice" is not allowed together with spark.kerberos.principal; remove one of the two' },
  { rule: 'A driver is no client of a Spark Connect server', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.remote', 'sc://elsewhere'), message: 'spec.sparkConf[spark.remote] = "sc://elsewhere" is where a server for Spark Connect is, which has no driver of its own; remove it' },
  { rule: 'A driver binds to the address of its pod', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.driver.bindAddress', '0.0.0.0'), message: "spec.sparkConf[spark.driver.bindAddress] = \"0.0.0.0\" is not allowed on Kubernetes: the driver binds to its pod's address; remove it" },
  { rule: 'Without spark-submit, no feature steps', kind: 'SparkApplication', layer: 'webhook', operator: { mode: 'native' }, change: conf('spark.kubernetes.driver.pod.featureSteps', 'org.example.Step'), message: 'spec.sparkConf[spark.kubernetes.driver.pod.featureSteps] = "org.example.Step" names code that would run inside the submitter; remove it and describe the pod in spec.driver. Or write auto for --submission-mode: spark-submit could submit it' },
  { rule: 'No files of the submitter as templates', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.kubernetes.driver.podTemplateFile', '/etc/shadow'), message: 'spec.sparkConf[spark.kubernetes.driver.podTemplateFile] = "/etc/shadow" is a file that the submitter would read; write the template into spec.driver.template' },
  { rule: 'No identity to submit with', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.kubernetes.authenticate.submission.oauthTokenFile', '/token'), message: 'spec.sparkConf[spark.kubernetes.authenticate.submission.oauthTokenFile] is an identity to submit with, which the operator does not use; remove it' },
  { rule: 'No context of a kubeconfig', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.kubernetes.context', 'admin'), message: 'spec.sparkConf[spark.kubernetes.context] = "admin" is a context of a kubeconfig on the machine that submits; remove it' },
  { rule: 'No login of the submitter', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.kerberos.keytab', '/etc/krb5.keytab'), message: 'spec.sparkConf[spark.kerberos.keytab] = "/etc/krb5.keytab" is a file that the submitter would log in with and put into a Secret; mount it from a Secret and write local:///path' },

  /* Sizes and numbers. */
  {
    rule: 'Sizes in sparkConf are as Spark reads them', kind: 'SparkApplication', layer: 'webhook',
    change: conf('spark.executor.memoryOverhead', '1Gi'),
    message: 'spec.sparkConf[spark.executor.memoryOverhead] = "1Gi" is not a size as Spark writes it; write a whole number and a unit, '
      + 'such as 512m or 4g (not 4Gi)',
  },
  {
    rule: 'Numbers in sparkConf are numbers', kind: 'SparkApplication', layer: 'webhook', change: conf('spark.driver.port', 'http'),
    message: 'spec.sparkConf[spark.driver.port] = "http" is not a port that a Service can have; write a whole number from 1 to 65535',
  },
  {
    rule: 'Dynamic allocation in sparkConf is one that Spark starts with', kind: 'SparkApplication', layer: 'webhook',
    change: {
      sparkConf: {
        'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.minExecutors': '4',
        'spark.dynamicAllocation.maxExecutors': '2',
      },
    },
    message: 'spec.sparkConf[spark.dynamicAllocation.minExecutors] = "4" must not be greater than '
      + 'spec.sparkConf[spark.dynamicAllocation.maxExecutors], 2; lower it, or raise the other',
  },
  {
    rule: 'A limit of CPU is not below the request', kind: 'SparkApplication', layer: 'webhook',
    change: { executor: { cores: 4, coreLimit: '2' } },
    message: 'spec.executor.coreLimit = "2" is less than what the pod requests, spec.executor.cores = 4; raise it, or write a lower spec.executor.coreRequest',
  },
  {
    rule: 'A limit of memory is not below what the pod requests', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { memory: '4g', memoryLimit: '4g' } },
    message: 'spec.driver.memoryLimit = "4g" is less than the 4505Mi that memory and overhead need; write at least 4505Mi, or lower spec.driver.memory',
  },

  /* Pods. */
  {
    rule: 'A template is one', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: template({ containers: [{ name: 'a', ports: [{ containerPort: 'http' }] }] }) },
    message: 'spec.driver.template.spec.containers[0].ports[0].containerPort = "http" must be a whole number, without quotes',
  },
  {
    rule: 'Labels are labels', kind: 'SparkApplication', layer: 'webhook', change: { executor: { labels: { team: 'a b' } } },
    message: 'spec.executor.labels[team] = "a b" must have at most 63 letters, digits, \'-\', \'_\' and \'.\', and begin and end with a letter or digit; write another value',
  },
  {
    rule: 'Annotations have names', kind: 'SparkApplication', layer: 'webhook', change: { driver: { annotations: { 'my note': '' } } },
    message: 'spec.driver.annotations[my note] is not the name of an annotation, such as team or example.org/team; write another name',
  },
  {
    rule: 'Variables have names', kind: 'SparkApplication', layer: 'webhook', change: { driver: { envVars: { 'A=B': '' } } },
    message: "spec.driver.envVars[A=B] is not the name of an environment variable; write letters, digits and '_'",
  },
  {
    rule: 'Containers have names of their own', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { sidecars: [{ name: 'proxy', image: 'envoy' }, { name: 'proxy', image: 'nginx' }] } },
    message: 'spec.driver.sidecars[1].name = "proxy" is the name of another container of the pod, with other content; choose another name, or remove one of the two',
  },
  {
    rule: "No other container has the name of Spark's", kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { sidecars: [{ name: 'spark-kubernetes-driver', image: 'envoy' }] } },
    message: "spec.driver.sidecars[0].name = \"spark-kubernetes-driver\" is the name of Spark's container; choose another name, or remove one of the two",
  },
  {
    rule: 'Containers in templates have names of their own', kind: 'SparkApplication', layer: 'webhook',
    change: { executor: template({ containers: [{ name: 'spark' }, { name: 'a' }, { name: 'a' }] }) },
    message: 'spec.executor.template.spec.containers[1] = "a" has the name of another container of the pod; choose another name',
  },
  {
    rule: 'A new Pod has no ephemeral containers', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: template({ containers: [], ephemeralContainers: [{ name: 'debug', image: 'busybox' }] }) },
    message: 'spec.driver.template.spec.ephemeralContainers is rejected by Kubernetes in a new Pod: write it as a sidecar, '
      + 'in containers',
  },
  {
    rule: 'Volumes have names', kind: 'SparkApplication', layer: 'webhook', change: { volumes: [{ name: 'My_Data', emptyDir: {} }] },
    message: "spec.volumes[0].name = \"My_Data\" is not the name of a volume; write at most 63 lower-case letters, digits and '-'",
  },
  {
    rule: 'Mounted volumes exist, also with a template', kind: 'SparkApplication', layer: 'webhook',
    change: { executor: { template: { spec: { containers: [] } }, volumeMounts: [{ name: 'nowhere', mountPath: '/data' }] } },
    message: 'spec.executor.volumeMounts[0] = "nowhere" names no volume; add it to spec.volumes',
  },
  {
    rule: 'One mount at a path', kind: 'SparkApplication', layer: 'webhook',
    change: {
      volumes: [
        { name: 'a', emptyDir: {} }, { name: 'b', emptyDir: {} },
      ], driver: { volumeMounts: [{ name: 'a', mountPath: '/data' }, { name: 'b', mountPath: '/data' }] },
    },
    message: "spec.driver.volumeMounts[1] = \"/data\" is where the volume a is mounted in Spark's container; choose another path, or remove one of the two",
  },
  {
    rule: 'A Secret that Spark mounts makes a name of a volume', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { secrets: [{ name: 'a.b', path: '/a', secretType: 'Generic' }] } },
    message: 'spec.driver.secrets[0] names the Secret a.b, but Spark names its volume a.b-volume, and names of volumes have at most 63 characters and no dots; mount the Secret by spec.volumes and spec.driver.volumeMounts, with another name for the volume',
  },
  {
    rule: 'Ports have names of their own', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { ports: [{ name: 'spark-ui', protocol: 'TCP', containerPort: 9000 }] } },
    message: 'spec.driver.ports[0] = "spark-ui" is the name of port 4040/TCP of the same container; choose another name',
  },
  {
    rule: 'The heap is set by memory, not by an option of the JVM', kind: 'SparkApplication', layer: 'webhook',
    change: { driver: { javaOptions: '-XX:+UseG1GC -Xmx4g' } },
    message: 'spec.driver.javaOptions = "-Xmx4g" must not have -Xmx, which Spark rejects; set spec.driver.memory',
  },
  {
    rule: 'Properties of Spark are no options of the JVM of executors', kind: 'SparkApplication', layer: 'webhook',
    change: { executor: { javaOptions: '-Dspark.x=1' } },
    message: 'spec.executor.javaOptions = "-Dspark.x" must not have properties of Spark, which Spark rejects; write them in sparkConf',
  },

  /* Objects of others. */
  {
    rule: "The name of the driver's Pod is free", kind: 'SparkApplication', layer: 'operator', change: { driver: { podName: 'taken' } },
    message: inTheWay('Pod', 'taken', 'foreign'),
  },
  {
    rule: 'There is an image; until the submission, defaults can supply it', kind: 'SparkApplication', layer: 'operator',
    change: { image: undefined },
    message: 'spec.image is missing, and spec.executor.image too; name the image of driver and executors, such as apache/spark:4.1.1',
  },

  /* Limits. */
  {
    rule: 'Properties that sparkConf must not have are no options of the JVM of drivers either', kind: 'SparkApplication',
    layer: 'webhook',
    change: {
      driver: {
        env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Dspark.kubernetes.authenticate.executor.serviceAccountName=admin' }],
      },
    },
    message: 'spec.driver.env[JAVA_TOOL_OPTIONS] sets spark.kubernetes.authenticate.executor.serviceAccountName, which is not allowed '
      + 'as an option: the field for it decides; set spec.executor.serviceAccount',
  },
  {
    rule: 'Limits: number of executors', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { executor: { instances: 9 } },
    message: 'spec.executor.instances = "9" is more than what ConfigMap spark-operator/spark-operator-defaults allows (limits.yaml: '
      + 'maxExecutors: 4); write at most 4, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: number of executors of dynamic allocation, wherever it is written', kind: 'SparkApplication', layer: 'webhook',
    operator: limited, change: conf('spark.dynamicAllocation.enabled', 'true'),
    message: 'spec.dynamicAllocation.maxExecutors is missing, so that Spark can add more executors than what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: maxExecutors: 4); write at most 4, or ask who looks after the '
      + 'ConfigMap',
  },
  {
    rule: 'Limits: cores', kind: 'SparkApplication', layer: 'webhook', operator: limited, change: { executor: { cores: 8 } },
    message: 'spec.executor.cores = "8" is more than what ConfigMap spark-operator/spark-operator-defaults allows (limits.yaml: '
      + 'executor.maxCores: 4); write at most 4, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: memory', kind: 'SparkApplication', layer: 'webhook', operator: limited, change: { executor: { memory: '8g' } },
    message: 'spec.executor.memory makes a container of 9011 MiB, with all that is outside of the heap: more than what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: executor.maxMemory: 8g); write less, or ask who looks after the '
      + 'ConfigMap',
  },
  {
    rule: 'Limits: images', kind: 'SparkApplication', layer: 'webhook', operator: limited, change: { image: 'example.org/miner:1' },
    message: 'spec.image = "example.org/miner:1" is not among what ConfigMap spark-operator/spark-operator-defaults allows '
      + '(limits.yaml: allowedImages: apache/spark*); write one of those images, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: service accounts', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { driver: { serviceAccount: 'admin' } },
    message: 'spec.driver.serviceAccount = "admin" is not among what ConfigMap spark-operator/spark-operator-defaults allows '
      + '(limits.yaml: allowedServiceAccounts: default, spark); write one of those service accounts, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: service accounts of templates', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { executor: template({ containers: [], serviceAccountName: 'admin' }) },
    message: 'spec.executor.template.spec.serviceAccountName = "admin" is not among what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: allowedServiceAccounts: default, spark); write one of those '
      + 'service accounts, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: properties', kind: 'SparkApplication', layer: 'webhook', operator: limited, change: conf('spark.ui.port', '4041'),
    message: 'spec.sparkConf[spark.ui.port] is not among what ConfigMap spark-operator/spark-operator-defaults allows (limits.yaml: '
      + 'deniedSparkConf: spark.ui.*); remove it, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: properties as options of the JVM of the driver', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { driver: { javaOptions: '-Dspark.executor.memoryOverhead=9g' } },
    message: 'spec.driver.javaOptions sets spark.executor.memoryOverhead as an option, which is not compared with what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: any); write it in spec.sparkConf, or ask who looks after the '
      + 'ConfigMap',
  },
  {
    rule: 'Limits: types of Services', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { sparkUIOptions: { serviceType: 'LoadBalancer' } },
    message: 'spec.sparkUIOptions.serviceType = "LoadBalancer" is not among what ConfigMap spark-operator/spark-operator-defaults '
      + 'allows (limits.yaml: allowedServiceTypes: ClusterIP); write ClusterIP, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: annotations of Services', kind: 'SparkApplication', layer: 'webhook', operator: limited,
    change: { driver: { serviceAnnotations: { 'external-dns.alpha.kubernetes.io/hostname': 'a.example.org' } } },
    message: 'spec.driver.serviceAnnotations[external-dns.alpha.kubernetes.io/hostname] is not among what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: allowedServiceAnnotations: prometheus.io/*); remove it, or ask '
      + 'who looks after the ConfigMap',
  },
  {
    rule: 'Limits: retries', kind: 'SparkApplication', layer: 'webhook', operator: limited, change: { restartPolicy: { type: 'Always' } },
    message: 'spec.restartPolicy.type = "Always" is without end, and so more than what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: maxRetries: 3); write OnFailure with at most 3 retries, or ask '
      + 'who looks after the ConfigMap',
  },

  /* Quotas. */
  {
    rule: 'ResourceQuota: room for the driver and the executors at the beginning', kind: 'SparkApplication', layer: 'webhook',
    operator: filled, change: { executor: { instances: 8 } },
    message: 'spec.executor.instances = "8" is more than ResourceQuota jobs/compute has room for: the driver and 8 executors need 9 of '
      + 'requests.cpu, and 6 of 10 are left; write at most 5, or ask for less (spec.executor.cores, spec.executor.coreRequest), or try '
      + 'again when others have ended',
  },
  {
    rule: 'ResourceQuota: executors that dynamic allocation begins with', kind: 'SparkApplication', layer: 'webhook', operator: filled,
    change: { dynamicAllocation: { enabled: true, initialExecutors: 20, maxExecutors: 50 } },
    message: [
      'there are 2 reasons:',
      '  spec.dynamicAllocation.initialExecutors = "20" is more than ResourceQuota jobs/compute has room for: the driver and 20 '
        + 'executors need 21 of requests.cpu, and 6 of 10 are left; write at most 5, or ask for less (spec.executor.cores, '
        + 'spec.executor.coreRequest), or ask who looks after the quota for more',
      '  spec.dynamicAllocation.initialExecutors = "20" is more than ResourceQuota jobs/compute has room for: the driver and 20 '
        + 'executors need 29568Mi of requests.memory, and 14Gi of 16Gi are left; write at most 5, or ask for less (spec.executor.memory, '
        + 'spec.executor.memoryOverhead), or ask who looks after the quota for more',
    ].join('\n'),
  },
  {
    rule: 'ResourceQuota: memory with what is outside of the heap', kind: 'SparkApplication', layer: 'webhook', operator: filled,
    change: { executor: { memory: '13g' } },
    message: 'spec.executor.instances = "1" is more than ResourceQuota jobs/compute has room for: the driver and 1 executor need '
      + '16051Mi of requests.memory, and 14Gi of 16Gi are left; ask for less (spec.executor.memory, spec.executor.memoryOverhead, '
      + 'spec.driver.memory, spec.driver.memoryOverhead), or try again when others have ended',
  },

  /* Schedules. */
  {
    rule: 'The days of a schedule exist', kind: 'ScheduledSparkApplication', layer: 'webhook', change: { schedule: '0 0 31 2 *' },
    message: 'spec.schedule = "0 0 31 2 *" never has a run: those months have no such day; write another day, or other months',
  },
  {
    rule: 'Ranges of a schedule are not written backwards', kind: 'ScheduledSparkApplication', layer: 'webhook',
    change: { schedule: '0 0 * * fri-mon' },
    message: 'spec.schedule = "0 0 * * fri-mon" has 5-1 for the day of the week, which ends before it begins; write it as two, with a '
      + 'comma between them',
  },
  {
    rule: 'The time zone is known', kind: 'ScheduledSparkApplication', layer: 'webhook', change: { timeZone: 'Mars/Olympus' },
    message: 'spec.timeZone = "Mars/Olympus" is not a known time zone; write a name of the IANA database, such as Europe/Berlin or UTC',
  },
  {
    rule: 'Each run can be submitted', kind: 'ScheduledSparkApplication', layer: 'webhook',
    change: { template: { executor: { cores: 4, coreLimit: '2' } } },
    message: 'spec.template.executor.coreLimit = "2" is less than what the pod requests, spec.template.executor.cores = 4; raise it, or write a lower spec.template.executor.coreRequest',
  },
  {
    rule: 'Limits: time between two runs', kind: 'ScheduledSparkApplication', layer: 'webhook',
    operator: { minScheduleInterval: 900_000 }, change: { schedule: '*/5 * * * *' },
    message: 'spec.schedule = "*/5 * * * *" has runs 5m apart, which is less than the operator allows (--min-schedule-interval=15m); '
      + 'write a schedule with at least 15m between two runs, or ask the administrator of the operator',
  },
  {
    rule: 'Limits hold for each run', kind: 'ScheduledSparkApplication', layer: 'webhook', operator: limited,
    change: { template: { executor: { instances: 9 } } },
    message: 'spec.template.executor.instances = "9" is more than what ConfigMap spark-operator/spark-operator-defaults allows '
      + '(limits.yaml: maxExecutors: 4); write at most 4, or ask who looks after the ConfigMap',
  },

  /* Servers. */
  {
    rule: 'Server and executors have an image', kind: 'SparkConnect', layer: 'webhook', change: { image: undefined },
    message: 'spec.image is missing, and spec.executor.template.spec.containers[].image too; name the image of driver and executors, such as apache/spark:4.1.1',
  },
  {
    rule: 'A server and its executors run in its namespace', kind: 'SparkConnect', layer: 'policy',
    change: conf('spark.kubernetes.namespace', 'kube-system'),
    message: 'spec.sparkConf[spark.kubernetes.namespace] = "kube-system" is not the namespace of the application, jobs; remove it, or '
      + 'create the application in the other namespace',
  },
  {
    rule: 'Templates of a server name no other namespace', kind: 'SparkConnect', layer: 'policy',
    change: { server: template({ containers: [] }, { namespace: 'kube-system' }) },
    message: 'spec.server.template.metadata.namespace = "kube-system" is not the namespace of the application, jobs; remove it',
  },
  {
    rule: "The server takes connections at its Service's port", kind: 'SparkConnect', layer: 'webhook',
    change: conf('spark.connect.grpc.binding.port', '15003'),
    message: 'spec.sparkConf[spark.connect.grpc.binding.port] = "15003" must be 15002, the port of the server\'s Service: remove it',
  },
  {
    rule: 'There are executors, or dynamic allocation', kind: 'SparkConnect', layer: 'webhook', change: { executor: { instances: 0 } },
    message: 'spec.executor.instances = "0" is too few without dynamic allocation; write 1 or more, or set spec.dynamicAllocation.enabled: true',
  },
  {
    rule: 'A server is no client of another one', kind: 'SparkConnect', layer: 'webhook', change: conf('spark.remote', 'sc://elsewhere'),
    message: 'spec.sparkConf[spark.remote] = "sc://elsewhere" is where a server for Spark Connect is, which has no driver of its own; '
      + 'remove it',
  },
  {
    rule: 'The heap is set by memory, not by an option of the JVM', kind: 'SparkConnect', layer: 'webhook',
    change: conf('spark.driver.extraJavaOptions', '-Xmx4g'),
    message: 'spec.sparkConf[spark.driver.extraJavaOptions] = "-Xmx4g" must not have -Xmx, which Spark rejects; set spec.server.memory',
  },
  {
    rule: 'Sizes in sparkConf are as Spark reads them', kind: 'SparkConnect', layer: 'webhook',
    change: conf('spark.driver.memoryOverhead', '1Gi'),
    message: 'spec.sparkConf[spark.driver.memoryOverhead] = "1Gi" is not a size as Spark writes it; write a whole number and a unit, '
      + 'such as 512m or 4g (not 4Gi)',
  },
  {
    rule: 'Dynamic allocation in sparkConf is one that Spark starts with', kind: 'SparkConnect', layer: 'webhook',
    change: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.maxExecutors': '0' } },
    message: 'spec.sparkConf[spark.dynamicAllocation.maxExecutors] = "0" must be at least 1, as Spark does not start otherwise; '
      + 'write 1 or more, or remove it',
  },
  {
    rule: 'Templates are templates', kind: 'SparkConnect', layer: 'webhook', change: { server: template({ containers: 'none' }) },
    message: 'spec.server.template.spec.containers = "none" must be a list',
  },
  {
    rule: 'Labels are labels', kind: 'SparkConnect', layer: 'webhook',
    change: { server: { service: { metadata: { labels: { team: 'a b' } } } } },
    message: 'spec.server.service.metadata.labels[team] = "a b" must have at most 63 letters, digits, \'-\', \'_\' and \'.\', and '
      + 'begin and end with a letter or digit',
  },
  {
    rule: 'Limits: number of executors', kind: 'SparkConnect', layer: 'webhook', operator: limited,
    change: { executor: { instances: 9 } },
    message: 'spec.executor.instances = "9" is more than what ConfigMap spark-operator/spark-operator-defaults allows (limits.yaml: '
      + 'maxExecutors: 4); write at most 4, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: images, also those of templates', kind: 'SparkConnect', layer: 'webhook', operator: limited,
    change: {
      image: undefined, server: template({
        containers: [{ name: 'spark', image: 'example.org/miner:1' }],
      }), executor: template({ containers: [{ name: 'spark', image: 'apache/spark:4.1.1' }] }),
    },
    message: 'spec.server.template.spec.containers[].image = "example.org/miner:1" is not among what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: allowedImages: apache/spark*); write one of those images, or ask '
      + 'who looks after the ConfigMap',
  },
  {
    rule: 'Limits: types of Services', kind: 'SparkConnect', layer: 'webhook', operator: limited,
    change: { server: { service: { spec: { type: 'LoadBalancer' } } } },
    message: 'spec.server.service.spec.type = "LoadBalancer" is not among what ConfigMap spark-operator/spark-operator-defaults allows '
      + '(limits.yaml: allowedServiceTypes: ClusterIP); write ClusterIP, or ask who looks after the ConfigMap',
  },
  {
    rule: 'Limits: service accounts', kind: 'SparkConnect', layer: 'webhook', operator: limited,
    change: { server: template({ containers: [], serviceAccountName: 'admin' }) },
    message: 'spec.server.template.spec.serviceAccountName = "admin" is not among what ConfigMap '
      + 'spark-operator/spark-operator-defaults allows (limits.yaml: allowedServiceAccounts: default, spark); write one of those '
      + 'service accounts, or ask who looks after the ConfigMap',
  },
  {
    rule: 'ResourceQuota: room for the server and its executors', kind: 'SparkConnect', layer: 'webhook', operator: filled,
    change: { executor: { instances: 8, cores: 2 } },
    message: 'spec.executor.instances = "8" is more than ResourceQuota jobs/compute has room for: the server and 8 executors need 17 '
      + 'of requests.cpu, and 6 of 10 are left; write at most 2, or ask for less (spec.executor.cores, '
      + 'spec.sparkConf[spark.kubernetes.executor.request.cores]), or ask who looks after the quota for more',
  },
];
