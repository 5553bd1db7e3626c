import { WebhookFailurePolicy } from './operator-webhook';
import { LogLevel, SubmissionMode } from './spark-operator-props';
import { ImagePullPolicy } from '../api/spark-application';
import type { Problem } from '../model/problem';
import type { CommonPodProps } from '../props/common-pod-props';
import { isDuration, isSize } from '../props/_check';
import { knownFields } from '../rules/known-fields';

/**
 * Accepted values of a prop: a check, a list of something, or the props of an object.
 * @internal
 */
export type Kind = Check | readonly [Kind] | Fields;
/** @internal */
export type Fields = { readonly [prop: string]: Kind };

/** @internal */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  /** The rest of a sentence that starts with the prop. */
  readonly reason: string;
  /** Class of the value, if the prop needs one of this package. */
  readonly type?: string;
  /** Valid values, if there are few. */
  readonly words?: readonly string[];
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const check = (reason: string, accepts: (value: any) => boolean): Check => ({ reason, accepts });
const instanceOf = (type: string, method: string): Check => ({
  ...check(`must be an instance of ${type}`, (value) => method in Object(value)), type,
});
const oneOf = (words: readonly string[]): Check => ({
  ...check(`must be one of ${words.join(', ')}`, (value) => words.includes(value)), words,
});

/** @internal */
export const text = check('must be a string', (value) => typeof value === 'string');
/** @internal */
export const number = check('must be a number', (value) => typeof value === 'number');
/** @internal */
export const truth = check('must be true or false', (value) => typeof value === 'boolean');
/** @internal */
export const size = check('must be a Size, such as Size.gibibytes(4)', isSize);
/** @internal */
export const duration = check('must be a Duration, such as Duration.minutes(5)', isDuration);
const object = check('must be an object', isObject);
/** @internal */
export const texts = check('must be an object with strings', isObject);

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

/** Lists without which the object around them means nothing. */
const REQUIRED = ['peers', 'gateways'];

/** @internal */
export const OPERATOR_KINDS = {
  ...pod,
  namespace: text, createNamespace: truth, installCrds: truth, jobNamespaces: [text], namespaceSelector: texts, allNamespaces: truth,
  createJobNamespaces: truth, replicas: number, defaultsConfigMap: text, webUI: instanceOf('WebUI', '_toFlags'), driverIngress: truth,
  leaderElection: { leaseName: text, leaseDuration: duration, renewDeadline: duration, retryPeriod: duration },
  driverDisruptionBudgets: truth, removeOrphans: truth, timeToLive: duration, maxTrackedExecutors: number, minScheduleInterval: duration,
  workers: number, kubeApiQps: number, kubeApiBurst: number, driverStartTimeout: duration, sparkUser: text,
  submissionMode: oneOf(Object.values(SubmissionMode)),
  submissionModeAnnotation: truth, sparkSubmitTimeout: duration, batchScheduling: { kubeSchedulers: [text], defaultScheduler: text },
  metrics: { enabled: truth, prefix: text, applicationLabels: [text], monitor: instanceOf('PrometheusMonitor', '_toManifest') },
  networkPolicy: {
    metricsFrom: peers, healthFrom: peers, webhookFrom: peers, consoleFrom: peers, apiServer: peers, apiServerPorts: [number], dns: peers,
  },
  admissionPolicy: truth,
  webhook: {
    certificates: instanceOf('WebhookCertificates', '_setup'), deployment: { replicas: number, resources, serviceAccountName: text },
    defaulting: truth, resourceQuotas: truth, failurePolicy, podFailurePolicy: failurePolicy, timeout: duration, podTimeout: duration,
    port: number,
  },
  console: {
    ...exposure, clusterName: text, hosts: [text], tlsSecretName: text, replicas: number, resources, serviceAccountName: text,
  },
  logLevel: oneOf(Object.values(LogLevel)), flags: [text], resources,
  topologySpreadConstraints: [object], env: [object], serviceAccountName: text,
} as const satisfies Fields;

const podLimits = { maxCores: number, maxMemory: size };

/** @internal */
export const JOB_NAMESPACE_KINDS = {
  name: text, create: truth, labels: texts, annotations: texts, podSecurity: text, operator: instanceOf('SparkOperator', 'addJobNamespace'),
  operatorNamespace: text, operatorServiceAccountName: text, serviceAccountName: text, serviceAccountAnnotations: texts,
  imagePullSecrets: [text],
  quota: { cpu: number, memory: size, pods: number, applications: number, gpus: number, storage: size, others: texts },
  containerLimits: { defaultCpu: number, defaultMemory: size, maxCpu: number, maxMemory: size },
  isolated: truth,
  network: { dns: traffic, apiServer: traffic, egress: [traffic], webUiFrom: peers, metricsFrom: peers, ingress: [traffic] },
  users: [instanceOf('AccessSubject', '_toSubject')], viewers: [instanceOf('AccessSubject', '_toSubject')], defaultsConfigMap: text,
  defaults: instanceOf('SparkProfile', '_toSpec'), enforced: instanceOf('SparkProfile', '_toSpec'),
  limits: {
    maxExecutors: number, driver: podLimits, executor: podLimits, allowedImages: [text], allowedServiceAccounts: [text],
    deniedSparkConf: [text], allowedServiceTypes: [text], allowedServiceAnnotations: [text], maxTimeToLive: duration, maxRetries: number,
    minScheduleInterval: duration,
  },
} as const satisfies Fields;

/** @internal */
export const COMMON_POD_KINDS = {
  env: texts, secretEnv: object, extraEnv: [object], envFrom: [object], secrets: [object], configMaps: [object], volumeMounts: [object],
  nodeSelector: texts, affinity: object, tolerations: [object], priorityClassName: text, schedulerName: text,
  podSecurityContext: object, securityContext: object, sidecars: [object], initContainers: [object], lifecycle: object,
  terminationGracePeriod: duration, hostAliases: [object], dnsConfig: object, shareProcessNamespace: truth,
} as const satisfies { readonly [prop in keyof CommonPodProps]-?: Kind };

/** @internal */
export const HISTORY_SERVER_KINDS = {
  ...pod, ...exposure, ...COMMON_POD_KINDS,
  sparkVersion: text, eventLogs: instanceOf('EventLogStorage', '_toSpec'), name: text, namespace: text, memory: size, cpu: number, cache: size,
  retention: { maxAge: duration, maxApplications: number, interval: duration }, updateInterval: duration, sparkConf: texts,
  userId: number, userIdFromPlatform: truth, volumes: [object], javaOptions: text, isolated: truth, clients: peers, dns: traffic,
  egress: [traffic],
} as const satisfies Fields;

/**
 * Checks the kinds of all values, because a JavaScript program can pass any value.
 *
 * @returns the problems, and the props without wrong values, unknown names and undefined entries,
 * with which a construct can find its other problems
 * @internal
 */
export function checkedProps<T extends object>(given: T, kinds: Fields): { readonly props: T; readonly problems: Problem[] } {
  const problems: Problem[] = [];
  const props = accepted('', given, kinds, (problem) => problems.push(problem)) as T | undefined;
  return { props: props ?? {} as T, problems };
}

/** Returns the part of a value that a kind accepts; undefined if there is none. */
function accepted(path: string, value: unknown, kind: Kind, report: (problem: Problem) => void): unknown {
  if (value === undefined) return undefined;
  const refuse = (reason: string): undefined => {
    report({ path: path || 'props', value, reason });
    return undefined;
  };
  if (Array.isArray(kind)) {
    if (!Array.isArray(value)) return refuse('must be a list');
    const entries = value.map((each, index) => accepted(`${path}[${index}]`, each, kind[0], report));
    return entries.filter((each) => each !== undefined);
  }
  if (isCheck(kind)) {
    if (!kind.accepts(value)) return refuse(kind.reason);
    return kind === texts ? textsOf(path, value as object, report) : value;
  }
  if (!isObject(value)) return refuse('must be an object');
  const names = Object.keys(kind);
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, each] of Object.entries(value as object)) {
    if (each !== undefined && !names.includes(name)) {
      report({ path: `${prefix}${name}`, value: each, reason: 'is not a prop', remedy: knownFields(name, names), unknown: true });
    }
  }
  const missing = REQUIRED.find((name) => names.includes(name) && (value as Fields)[name] === undefined);
  if (missing !== undefined) {
    report({ path: `${prefix}${missing}`, reason: 'is required' });
    return undefined;
  }
  const entries = Object.fromEntries(names.flatMap((name) => {
    const each = accepted(`${prefix}${name}`, (value as Fields)[name], (kind as Fields)[name]!, report);
    return each === undefined ? [] : [[name, each]];
  }));
  return REQUIRED.some((name) => names.includes(name) && entries[name] === undefined) ? undefined : entries;
}

/** Returns the strings of a map. */
function textsOf(path: string, map: object, report: (problem: Problem) => void): object {
  return Object.fromEntries(Object.entries(map).filter(([key, each]) => {
    if (each !== undefined && typeof each !== 'string') report({ path: `${path}[${key}]`, value: each, reason: 'must be a string, in quotes' });
    return typeof each === 'string';
  }));
}

/**
 * Whether a kind is a check.
 * @internal
 */
export function isCheck(kind: Kind): kind is Check {
  return 'accepts' in kind;
}
