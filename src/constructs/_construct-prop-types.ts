import { WebhookFailurePolicy } from './operator-webhook';
import { LogEncoder, LogLevel } from './operator-log';
import { OperatorNaming } from './operator-naming';
import { SubmissionMode } from './spark-operator-props';
import { ImagePullPolicy } from '../api/spark-application';
import type { SparkConnectProps } from './spark-connect-props';
import {
  duration, instanceOf, linkTo, named, number, object, oneOf, size, text, texts, truth, type Fields,
} from '../props/_prop-types';
import { LINK_PROP_TYPES } from '../props/_application-prop-types';
import {
  COMMON_POD_PROP_TYPES, POD_PROP_TYPES, WORKLOAD_PROP_TYPES, type PropTypesOf,
} from '../props/_workload-prop-types';

const peers = [instanceOf('NetworkPeer', '_toPeer')] as const;
const traffic = { peers, ports: [instanceOf('NetworkPort', '_toPort')] } as const;
const failurePolicy = oneOf(Object.values(WebhookFailurePolicy));
const resources = { cpuRequest: number, cpuLimit: number, memoryRequest: size, memoryLimit: size };
const exposure = {
  ingress: { host: text, ingressClassName: text, tlsSecretName: text, annotations: texts },
  httpRoute: { gateways: [{ namespace: text, name: text, sectionName: text }], hosts: [text], annotations: texts },
} as const;
const pod = {
  image: text, imagePullPolicy: oneOf(Object.values(ImagePullPolicy)), imagePullSecrets: [text], priorityClassName: text,
  nodeSelector: texts, tolerations: [object],
  affinity: object, podLabels: texts, podAnnotations: texts, serviceAccountAnnotations: texts,
} as const;

const account = {
  serviceAccountName: text, serviceAccountAnnotations: texts, createServiceAccount: truth, createRoles: truth, roleAnnotations: texts,
} as const;
const operatorPod = {
  ...pod, resources, topologySpreadConstraints: [object], env: [object], envFrom: [object], volumes: [named], volumeMounts: [named],
  automountServiceAccountToken: truth, sidecars: [named], podSecurityContext: object, securityContext: object, hostUsers: truth,
  deploymentAnnotations: texts,
  revisionHistoryLimit: number, disruptionBudget: { enabled: truth, minAvailable: number },
} as const;

/** @internal */
export const OPERATOR_PROP_TYPES = {
  ...operatorPod, ...account,
  namespace: text, name: text, naming: oneOf(Object.values(OperatorNaming)), labels: texts,
  driverServiceAccount: { name: text, annotations: texts, create: truth, createRoles: truth, roleAnnotations: texts },
  createNamespace: truth, installCrds: truth, jobNamespaces: [text], namespaceSelector: texts,
  namespaceSelectorExpression: text, allNamespaces: truth,
  createJobNamespaces: truth, replicas: number, defaultsConfigMapName: text, webUI: instanceOf('WebUI', '_toFlags'), driverIngress: truth,
  leaderElection: { leaseName: text, leaseDuration: duration, renewDeadline: duration, retryPeriod: duration },
  driverDisruptionBudgets: truth, removeOrphans: truth, timeToLive: duration, maxTrackedExecutors: number, minScheduleInterval: duration,
  workers: number, kubeApiQps: number, kubeApiBurst: number, driverStartTimeout: duration, sparkUser: text,
  submissionMode: oneOf(Object.values(SubmissionMode)),
  submissionModeAnnotation: truth, sparkSubmitTimeout: duration, batchScheduling: { kubeSchedulers: [text], defaultScheduler: text },
  metrics: { enabled: truth, port: number, prefix: text, applicationLabels: [text], monitor: instanceOf('PrometheusMonitor', '_toManifest') },
  networkPolicy: {
    metricsFrom: peers, healthFrom: peers, webhookFrom: peers, consoleFrom: peers, apiServer: peers, apiServerPorts: [number], dns: peers,
  },
  admissionPolicy: truth, userRoles: truth,
  webhook: {
    certificates: instanceOf('WebhookCertificates', '_setup'), deployment: { ...operatorPod, ...account, replicas: number },
    defaulting: truth, resourceQuotas: truth, partialRestart: truth,
    failurePolicy, podFailurePolicy: failurePolicy, timeout: duration, podTimeout: duration,
    port: number,
  },
  console: {
    ...exposure, ...account, clusterName: text, historyServerUrl: text, hosts: [text], tlsSecretName: text, replicas: number, resources,
  },
  logLevel: oneOf(Object.values(LogLevel)), logEncoder: oneOf(Object.values(LogEncoder)), flags: [text],
} as const satisfies Fields;

const podLimits = { maxCores: number, maxMemory: size };

/** @internal */
export const JOB_NAMESPACE_PROP_TYPES = {
  name: text, create: truth, labels: texts, annotations: texts, podSecurity: text, operator: linkTo('SparkOperator', 'addJobNamespace'),
  operatorNamespace: text, operatorServiceAccountName: text, serviceAccountName: text, serviceAccountAnnotations: texts,
  createServiceAccount: truth, createRoles: truth, roleAnnotations: texts, imagePullSecrets: [text],
  quota: { cpu: number, memory: size, pods: number, applications: number, gpus: number, storage: size, others: texts },
  containerLimits: { defaultCpu: number, defaultMemory: size, maxCpu: number, maxMemory: size },
  isolated: truth,
  network: { dns: traffic, apiServer: traffic, egress: [traffic], webUiFrom: peers, metricsFrom: peers, ingress: [traffic] },
  users: [instanceOf('AccessSubject', '_toSubject')], viewers: [instanceOf('AccessSubject', '_toSubject')], defaultsConfigMapName: text,
  defaults: instanceOf('SparkProfile', '_toSpec'), enforced: instanceOf('SparkProfile', '_toSpec'),
  limits: {
    maxExecutors: number, driver: podLimits, executor: podLimits, allowedImages: [text], allowedServiceAccounts: [text],
    deniedSparkConf: [text], allowedServiceTypes: [text], allowedServiceAnnotations: [text], maxTimeToLive: duration, maxRetries: number,
    minScheduleInterval: duration,
  },
} as const satisfies Fields;

/** @internal */
export const HISTORY_SERVER_PROP_TYPES = {
  ...pod, ...exposure, ...COMMON_POD_PROP_TYPES,
  sparkVersion: text, eventLogs: linkTo('EventLogStorage', '_toEventLogs'), name: text, namespace: text, memory: size, cpu: number, cache: size,
  retention: { maxAge: duration, maxApplications: number, interval: duration }, updateInterval: duration, sparkConf: texts,
  userId: number, userIdFromPlatform: truth, volumes: [named], javaOptions: text, isolated: truth, clients: peers, dns: traffic,
  egress: [traffic],
} as const satisfies Fields;

/** @internal */
export const CONNECT_PROP_TYPES = {
  ...WORKLOAD_PROP_TYPES, ...LINK_PROP_TYPES,
  profile: linkTo('SparkProfile', '_toSpec'),
  server: { ...POD_PROP_TYPES, serviceAccount: text, service: { name: text, type: text, labels: texts, annotations: texts } },
  restartPolicy: instanceOf('SparkConnectRestartPolicy', '_toConnectPolicy'), suspend: truth, idleTimeToLive: duration,
} as const satisfies PropTypesOf<SparkConnectProps>;
