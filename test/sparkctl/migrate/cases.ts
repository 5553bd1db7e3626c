/* Values of kubeflow's chart, each with what it becomes. */

/** Paths of all values in values.yaml of the chart 2.5.0-rc.0: below a prefix, names in braces. */
const PATHS = `
nameOverride fullnameOverride commonLabels
image. registry repository tag pullPolicy pullSecrets
hook. upgradeCrd image.registry image.repository image.tag resources.requests.cpu resources.requests.memory resources.limits.cpu resources.limits.memory
hook. nodeSelector affinity tolerations labels annotations
controller. replicas featureGates revisionHistoryLimit leaderElection.enable leaderElection.leaseDuration leaderElection.renewDeadline
controller. leaderElection.retryPeriod workers logLevel logEncoder driverPodCreationGracePeriod maxTrackedExecutorPerApp defaultTimeToLiveSeconds
controller. driverPodDisruptionBudget.enable kubeAPIQPS kubeAPIBurst scheduledSparkApplicationTimestampPrecision uiService.enable
controller. uiIngress.enable uiIngress.urlFormat uiIngress.ingressClassName uiIngress.tls uiIngress.annotations
controller. batchScheduler.enable batchScheduler.kubeSchedulerNames batchScheduler.default
controller. serviceAccount.create serviceAccount.name serviceAccount.annotations serviceAccount.automountServiceAccountToken
controller. rbac.create rbac.annotations labels annotations deploymentAnnotations volumes nodeSelector affinity tolerations priorityClassName
controller. podSecurityContext.fsGroup topologySpreadConstraints hostUsers env envFrom volumeMounts resources
controller. securityContext.readOnlyRootFilesystem securityContext.privileged securityContext.allowPrivilegeEscalation securityContext.runAsNonRoot
controller. securityContext.capabilities.drop securityContext.seccompProfile.type sidecars podDisruptionBudget.enable podDisruptionBudget.minAvailable
controller. pprof.enable pprof.port pprof.portName workqueueRateLimiter.bucketQPS workqueueRateLimiter.bucketSize
controller. workqueueRateLimiter.maxDelay.enable workqueueRateLimiter.maxDelay.duration
submitter. serviceUrl requestTimeout startupTimeout maxRetries initialBackoff startupProbe.periodSeconds startupProbe.failureThreshold
webhook. enable replicas revisionHistoryLimit leaderElection.enable logLevel logEncoder port portName failurePolicy timeoutSeconds kubeAPIQPS
webhook. kubeAPIBurst resourceQuotaEnforcement.enable serviceAccount.create serviceAccount.name serviceAccount.annotations
webhook. serviceAccount.automountServiceAccountToken rbac.create rbac.annotations labels annotations deploymentAnnotations sidecars volumes
webhook. nodeSelector affinity tolerations priorityClassName podSecurityContext.fsGroup topologySpreadConstraints hostUsers env envFrom volumeMounts
webhook. resources securityContext.readOnlyRootFilesystem securityContext.privileged securityContext.allowPrivilegeEscalation
webhook. securityContext.runAsNonRoot securityContext.capabilities.drop securityContext.seccompProfile.type podDisruptionBudget.enable
webhook. podDisruptionBudget.minAvailable
spark. jobNamespaces jobNamespaceSelector serviceAccount.create serviceAccount.name serviceAccount.annotations
spark. serviceAccount.automountServiceAccountToken rbac.create rbac.annotations
prometheus.metrics. enable port portName endpoint prefix jobSubmitLatencyBuckets jobStartLatencyBuckets labels
prometheus.podMonitor. create labels jobLabel podMetricsEndpoint.scheme podMetricsEndpoint.interval
certManager. enable issuerRef duration renewBefore
`;

/** All leaves of the chart's values. */
export const CHART_PATHS: readonly string[] = PATHS.trim().split('\n').flatMap((line) => {
  const [first = '', ...names] = line.split(' ');
  return first.endsWith('.') ? names.map((name) => `${first}${name}`) : [first, ...names];
});

/** A value of the chart and what it becomes. */
export interface ValueCase {
  readonly value: unknown;
  /** Props, in the form of a values file. @default - none */
  readonly props?: object;
  /** Part of the reason why it has no counterpart. @default - it has one */
  readonly loss?: string;
  /** Part of the note. @default - any */
  readonly note?: string;
  /** Further values on which it depends. */
  readonly with?: Readonly<Record<string, unknown>>;
}

const HOOK: ValueCase = { value: 'x', note: '`sparkctl install` and `kubectl apply` do it' };
const SUBMITTER: ValueCase = { value: 7, note: 'submits applications itself' };
const PPROF: ValueCase = { value: 'x', loss: 'no Go program' };
const LABELS = { team: 'platform' };
const IMAGE: ValueCase = { value: 'example', loss: "of kubeflow's operator" };
const TOLERATION = { key: 'pool', operator: 'Exists' };
const AFFINITY = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'Exists' }] }] } } };
const SPREAD = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' };
const SIDECAR = { name: 'proxy', image: 'example.org/proxy:1', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } };

const VOLUMES = (own: string) => [{ name: own, emptyDir: {} }, { name: 'ca', configMap: { name: 'ca' } }];

/** Cases of a part's pods. @param wrap puts props at their place */
function podCases(from: string, own: string, pod: string, wrap: (props: object) => object): Record<string, ValueCase> {
  const cases: Record<string, ValueCase> = {
    'replicas': { value: '3', props: { replicas: 3 } },
    'revisionHistoryLimit': { value: 2, props: { revisionHistoryLimit: 2 } },
    'serviceAccount.create': { value: false, props: { createServiceAccount: false, serviceAccountName: 'default' } },
    'serviceAccount.name': { value: `${from}-account`, props: { serviceAccountName: `${from}-account` } },
    'serviceAccount.annotations': { value: { 'example.org/role': from }, props: { serviceAccountAnnotations: { 'example.org/role': from } } },
    'serviceAccount.automountServiceAccountToken': { value: false, props: { automountServiceAccountToken: false }, note: 'needs a projected token' },
    'rbac.create': { value: false, props: { createRoles: false }, note: 'need the rules of this operator' },
    'rbac.annotations': { value: LABELS, props: { roleAnnotations: LABELS } },
    'labels': { value: LABELS, props: { podLabels: LABELS } },
    'annotations': { value: { 'example.org/a': 'b' }, props: { podAnnotations: { 'example.org/a': 'b' } } },
    'deploymentAnnotations': { value: LABELS, props: { deploymentAnnotations: LABELS } },
    'volumes': { value: VOLUMES(own), props: { volumes: [{ name: 'ca', configMap: { name: 'ca' } }] }, note: `without ${own}` },
    'volumeMounts': {
      value: [{ name: own, mountPath: '/x' }, { name: 'ca', mountPath: '/ca' }], with: { [`${from}.volumes`]: VOLUMES(own) }, props: { volumeMounts: [{ name: 'ca', mountPath: '/ca' }] },
    },
    'nodeSelector': { value: { pool: 'system' }, props: { nodeSelector: { pool: 'system' } } },
    'affinity': { value: AFFINITY, props: { affinity: AFFINITY } },
    'tolerations': { value: [TOLERATION], props: { tolerations: [TOLERATION] } },
    'priorityClassName': { value: 'system-cluster-critical', props: { priorityClassName: 'system-cluster-critical' } },
    'podSecurityContext': { value: { fsGroup: 185, supplementalGroups: [7] }, props: { podSecurityContext: { supplementalGroups: [7] } } },
    'topologySpreadConstraints': {
      value: [SPREAD], props: { topologySpreadConstraints: [{ ...SPREAD, labelSelector: { matchLabels: { 'app.kubernetes.io/name': pod } } }] },
    },
    'hostUsers': { value: false, props: { hostUsers: false } },
    'env': { value: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }], props: { env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }] } },
    'envFrom': { value: [{ secretRef: { name: 'proxy' } }], props: { envFrom: [{ secretRef: { name: 'proxy' } }] } },
    'resources': {
      value: { requests: { 'cpu': '200m', 'memory': '300M', 'ephemeral-storage': '1Gi' }, limits: { cpu: 1, memory: '1Gi' } },
      props: { resources: { cpuRequest: 0.2, memoryRequest: '287Mi', cpuLimit: 1, memoryLimit: '1024Mi' } },
      loss: 'requests.ephemeral-storage has no prop', note: 'the memory was for a JVM',
    },
    'securityContext': { value: { runAsUser: 1000, privileged: false }, props: { securityContext: { runAsUser: 1000 } } },
    'sidecars': { value: [SIDECAR], props: { sidecars: [SIDECAR] }, note: 'restricted' },
    'podDisruptionBudget.enable': {
      value: true, props: { disruptionBudget: { minAvailable: 1 } }, with: { [`${from}.replicas`]: 3 },
    },
    'podDisruptionBudget.minAvailable': {
      value: 2, props: { disruptionBudget: { minAvailable: 2 } }, with: { [`${from}.replicas`]: 3, [`${from}.podDisruptionBudget.enable`]: true },
    },
  };
  return Object.fromEntries(Object.entries(cases).map(([path, { props, ...each }]) => [
    `${from}.${path}`, { ...each, ...(props && { props: wrap(props) }) },
  ]));
}

const OF_INGRESS = { 'controller.uiIngress.enable': true, 'controller.uiIngress.urlFormat': '{{$appName}}.example.org' };
const OF_BATCH = { 'controller.batchScheduler.enable': true, 'controller.batchScheduler.kubeSchedulerNames': ['gang'] };
const OF_CERTIFICATES = { 'certManager.enable': true };
const OF_MONITOR = { 'prometheus.podMonitor.create': true };
const onIngress = (props: object) => ({ webUI: { byIngress: props } });
const onMonitor = (props: object) => ({ metrics: { monitor: { podMonitor: props } } });
const onCertManager = (props: object) => ({ webhook: { certificates: { certManager: props } } });

/** A case for each value of the table, other than those at their defaults. */
export const CASES: Readonly<Record<string, ValueCase>> = {
  'nameOverride': { value: 'spark-two', props: { name: 'spark-operator-spark-two' } },
  'fullnameOverride': { value: 'spark', props: { name: 'spark' } },
  'commonLabels': { value: LABELS, props: { labels: LABELS } },
  'image.registry': IMAGE,
  'image.repository': IMAGE,
  'image.tag': IMAGE,
  'image.pullPolicy': { value: 'Always', props: { imagePullPolicy: 'Always' } },
  'image.pullSecrets': { value: [{ name: 'registry' }], props: { imagePullSecrets: ['registry'] } },
  'hook.upgradeCrd': { ...HOOK, value: true },
  ...Object.fromEntries(['image.registry', 'image.repository', 'image.tag', 'resources', 'nodeSelector', 'affinity', 'tolerations', 'labels', 'annotations']
    .map((name) => [`hook.${name}`, HOOK])),
  'controller.featureGates': {
    value: [{ name: 'PartialRestart', enabled: true }, { name: 'RestSubmitter', enabled: true }, { name: 'LoadSparkDefaults', enabled: false }, { name: 'New', enabled: true }],
    props: { webhook: { partialRestart: true } }, note: 'PartialRestart: ', loss: 'New: this gate is unknown',
  },
  'controller.leaderElection.enable': { value: false, note: 'stays on' },
  'controller.leaderElection.leaseDuration': { value: '30s', props: { leaderElection: { leaseDuration: '30s' } } },
  'controller.leaderElection.renewDeadline': { value: '8s', props: { leaderElection: { renewDeadline: '8s' } } },
  'controller.leaderElection.retryPeriod': { value: '1s', props: { leaderElection: { retryPeriod: '1s' } } },
  'controller.workers': { value: 20, props: { workers: 20 } },
  'controller.logLevel': { value: '2', props: { logLevel: 'debug' }, note: '2 is no level' },
  'controller.logEncoder': { value: 'json', props: { logEncoder: 'json' } },
  'controller.driverPodCreationGracePeriod': { value: '20s', note: 'need not wait' },
  'controller.maxTrackedExecutorPerApp': { value: 500, props: { maxTrackedExecutors: 500 } },
  'controller.defaultTimeToLiveSeconds': {
    value: 604800, props: { timeToLive: '604800s' }, with: { 'controller.featureGates': [{ name: 'DefaultTimeToLive', enabled: true }] },
  },
  'controller.driverPodDisruptionBudget.enable': { value: true, props: { driverDisruptionBudgets: true } },
  'controller.kubeAPIQPS': { value: 50, note: 'left out' },
  'controller.kubeAPIBurst': { value: 100, note: 'left out' },
  'controller.scheduledSparkApplicationTimestampPrecision': { value: 'millis', props: { flags: ['--scheduled-spark-application-timestamp-precision=millis'] } },
  'controller.workqueueRateLimiter.bucketQPS': { value: 5, note: 'backoff' },
  'controller.workqueueRateLimiter.bucketSize': { value: 5, note: 'backoff' },
  'controller.workqueueRateLimiter.maxDelay.enable': { value: false, note: 'backoff' },
  'controller.workqueueRateLimiter.maxDelay.duration': { value: '30s', props: { flags: ['--workqueue-ratelimiter-max-delay=30s'] } },
  'controller.pprof.enable': { ...PPROF, value: true },
  'controller.pprof.port': PPROF,
  'controller.pprof.portName': PPROF,
  'controller.uiService.enable': { value: false, props: { webUI: 'none' } },
  'controller.uiIngress.enable': { value: true, note: 'driverIngress', with: OF_INGRESS },
  'controller.uiIngress.urlFormat': { value: '{{$appName}}.example.net', props: onIngress({ urlFormat: '{{$appName}}.example.net' }), with: OF_INGRESS },
  'controller.uiIngress.ingressClassName': { value: 'nginx', props: onIngress({ ingressClassName: 'nginx' }), with: OF_INGRESS },
  'controller.uiIngress.tls': { value: [{ secretName: 'tls' }], props: onIngress({ tls: [{ secretName: 'tls' }] }), with: OF_INGRESS },
  'controller.uiIngress.annotations': { value: LABELS, props: onIngress({ annotations: LABELS }), with: OF_INGRESS },
  'controller.batchScheduler.enable': { value: true, props: { batchScheduling: {} } },
  'controller.batchScheduler.kubeSchedulerNames': { value: ['other'], props: { batchScheduling: { kubeSchedulers: ['other'] } }, with: OF_BATCH },
  'controller.batchScheduler.default': { value: 'gang', props: { batchScheduling: { defaultScheduler: 'gang' } }, with: OF_BATCH },
  ...podCases('controller', 'tmp', 'spark-operator', (props) => props),
  ...Object.fromEntries(['serviceUrl', 'requestTimeout', 'startupTimeout', 'maxRetries', 'initialBackoff', 'startupProbe.periodSeconds', 'startupProbe.failureThreshold']
    .map((name) => [`submitter.${name}`, SUBMITTER])),
  'webhook.enable': { value: false, note: 'none' },
  'webhook.leaderElection.enable': { value: false, note: 'none has to lead' },
  'webhook.logLevel': { value: 'debug', note: "the operator's logLevel" },
  'webhook.logEncoder': { value: 'json', note: "the operator's logEncoder" },
  'webhook.port': { value: 9444, props: { webhook: { port: 9444 } } },
  'webhook.portName': { value: 'hook', note: 'always named webhook' },
  'webhook.failurePolicy': { value: 'Ignore', props: { webhook: { failurePolicy: 'Ignore', podFailurePolicy: 'Ignore' } } },
  'webhook.timeoutSeconds': { value: 7, props: { webhook: { timeout: '7s', podTimeout: '7s' } } },
  'webhook.kubeAPIQPS': { value: 50, note: "the operator's kubeApiQps" },
  'webhook.kubeAPIBurst': { value: 50, note: "the operator's kubeApiBurst" },
  'webhook.resourceQuotaEnforcement.enable': { value: true, props: { webhook: { resourceQuotas: true } } },
  ...podCases('webhook', 'serving-certs', 'spark-operator-webhook', (deployment) => ({ webhook: { deployment } })),
  'certManager.enable': { value: true, props: onCertManager({}) },
  'certManager.issuerRef': {
    value: { name: 'ca', kind: 'ClusterIssuer', group: 'cert-manager.io' }, with: OF_CERTIFICATES,
    props: onCertManager({ issuerName: 'ca', issuerKind: 'ClusterIssuer', issuerGroup: 'cert-manager.io' }),
  },
  'certManager.duration': { value: '2160h', props: onCertManager({ lifetime: '2160h' }), with: OF_CERTIFICATES },
  'certManager.renewBefore': { value: '720h', props: onCertManager({ renewBefore: '720h' }), with: OF_CERTIFICATES },
  'spark.jobNamespaces': { value: ['team-a', 'team-b'], props: { jobNamespaces: ['team-a', 'team-b'] } },
  'spark.jobNamespaceSelector': { value: 'spark=yes, env == prod', props: { namespaceSelector: { spark: 'yes', env: 'prod' } } },
  'spark.serviceAccount.create': { value: false, props: { driverServiceAccount: { create: false } } },
  'spark.serviceAccount.name': { value: 'jobs', props: { driverServiceAccount: { name: 'jobs' } } },
  'spark.serviceAccount.annotations': { value: LABELS, props: { driverServiceAccount: { annotations: LABELS } } },
  'spark.serviceAccount.automountServiceAccountToken': { value: false, loss: 'without their token' },
  'spark.rbac.create': { value: false, props: { driverServiceAccount: { createRoles: false } } },
  'spark.rbac.annotations': { value: LABELS, props: { driverServiceAccount: { roleAnnotations: LABELS } } },
  'prometheus.metrics.enable': { value: false, props: { metrics: { enabled: false } } },
  'prometheus.metrics.port': { value: 9090, props: { metrics: { port: 9090 } } },
  'prometheus.metrics.portName': { value: 'prom', loss: 'always named metrics' },
  'prometheus.metrics.endpoint': { value: '/prom', loss: 'always /metrics' },
  'prometheus.metrics.prefix': { value: 'data_', props: { metrics: { prefix: 'data_' } } },
  'prometheus.metrics.jobSubmitLatencyBuckets': { value: '1,2', props: { flags: ['--metrics-job-submit-latency-buckets=1,2'] } },
  'prometheus.metrics.jobStartLatencyBuckets': { value: '30,60', props: { flags: ['--metrics-job-start-latency-buckets=30,60'] } },
  'prometheus.metrics.labels': { value: 'team, app_type', props: { metrics: { applicationLabels: ['team', 'app_type'] } } },
  'prometheus.podMonitor.create': { value: true, props: onMonitor({}) },
  'prometheus.podMonitor.labels': { value: LABELS, props: onMonitor({ labels: LABELS }), with: OF_MONITOR },
  'prometheus.podMonitor.jobLabel': { value: 'app', props: onMonitor({ jobLabel: 'app' }), with: OF_MONITOR },
  'prometheus.podMonitor.podMetricsEndpoint.scheme': { value: 'https', loss: 'served by HTTP', with: OF_MONITOR },
  'prometheus.podMonitor.podMetricsEndpoint.interval': { value: '15s', props: onMonitor({ interval: '15s' }), with: OF_MONITOR },
};
