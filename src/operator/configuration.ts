import { withoutEffectByGates } from './flags/feature-gates';
import { parseCommandLine } from './flags/parse';
import { FLAGS, LOG_LEVELS, type FlagName } from './flags/table';
import { UsageError } from './flags/usage-error';
import {
  addressIn, bucketsIn, durationIn, foldersIn, gatesIn, gatewaysIn, ingressTlsIn, isNamespace, listIn, logLevelIn, namespacesIn, objectNameIn, textsIn, truthIn,
  wholeNumber, zapLevelIn,
  type Address, type GatewayReference, type IngressTls, type LogLevel,
} from './flags/values';
import type { NamespaceSelection } from './namespaces/selected';
import { problemOfSelector } from './namespaces/label-selector';
import { SUBMISSION_MODES, type SubmissionMode } from './submission/choose';

export { usage } from './flags/table';
export { UsageError } from './flags/usage-error';
export type { Address, GatewayReference, IngressTls, LogLevel } from './flags/values';

/** What the operator is told on its command line. */
export interface Configuration {
  /** Namespaces whose applications are run. */
  readonly namespaces: NamespaceSelection;
  /** The operator's own namespace; undefined outside of a pod. */
  readonly ownNamespace: string | undefined;
  /** Kubeconfig file; inside a cluster the pod's service account is used. */
  readonly kubeconfig?: string;
  /** Context of the kubeconfig. */
  readonly context?: string;
  /** Applications that are looked at at the same time. */
  readonly workers: number;
  /** The longest pause before an application is looked at again after failures, in milliseconds; a minute at most. */
  readonly maxRetryDelay: number;
  /** Calls of the Kubernetes API a second, on average; 0 for no limit. */
  readonly kubeApiQps: number;
  /** Calls of the Kubernetes API at once. */
  readonly kubeApiBurst: number;
  /** After how many milliseconds the log tells which namespaces have not been read yet. */
  readonly cacheSyncTimeout: number;
  /** How long the creation or start of a driver may wait for what does not come by itself, in milliseconds. */
  readonly driverStartTimeout: number;
  /** Executors beyond this number are not recorded in the status. */
  readonly maxTrackedExecutors: number;
  /** Seconds after its end after which an application is deleted that does not say it itself; undefined for never. */
  readonly defaultTimeToLiveSeconds: number | undefined;
  /** Whether each driver gets a PodDisruptionBudget. */
  readonly driverDisruptionBudget: boolean;
  /** Whether Ingresses, HTTPRoutes and PodDisruptionBudgets that were made under other flags are removed. */
  readonly removeLeftovers: boolean;
  /** Name of the ConfigMaps with defaults and limits for applications; undefined for none. */
  readonly defaultsConfigMap: string | undefined;
  /** How applications are submitted that do not say it themselves. */
  readonly submissionMode: SubmissionMode;
  /** The user that Spark says it runs for (`SPARK_USER`). */
  readonly sparkUser: string;
  /** spark-submit, for what cannot be submitted natively. */
  readonly sparkSubmit: SparkSubmitConfiguration;
  /** How the web UIs of drivers are reached. */
  readonly ui: UIConfiguration;
  /** How replicas agree on the one that works. */
  readonly leaderElection: LeaderElectionConfiguration;
  /** What Prometheus reads. */
  readonly metrics: MetricsConfiguration;
  /** Where /healthz and /readyz are served. */
  readonly health: Address | undefined;
  /** What is logged: this level and graver. */
  readonly logLevel: LogLevel;
  /** Flags that were given but have no effect, and why. */
  readonly withoutEffect: Readonly<Record<string, string>>;
}

/** How spark-submit is run. */
export interface SparkSubmitConfiguration {
  /** Longer no run may take, in milliseconds. */
  readonly timeout: number;
  /** Runs at a time; undefined: as many as CPUs and memory allow. */
  readonly concurrency: number | undefined;
  /** Folders of the operator's container whose files applications may use. */
  readonly folders: readonly string[];
  /** Whether applications with Maven packages may be submitted by it. */
  readonly packages: boolean;
}

/** How the web UIs of drivers are reached. */
export interface UIConfiguration {
  /** Whether each driver gets a Service for it. */
  readonly service: boolean;
  /** Whether URLs lead to the ports that applications name, too. */
  readonly driverIngress: boolean;
  /** How URLs lead to it, and to other ports of drivers. */
  readonly ingress: {
    /** URL of web UIs, with variables; undefined: they have none. */
    readonly urlFormat: string | undefined;
    /** Class of the Ingresses; undefined for the cluster's default. */
    readonly className: string | undefined;
    /** TLS of Ingresses that do not say it themselves. */
    readonly tls: IngressTls[];
    /** Annotations of Ingresses that have none of their own. */
    readonly annotations: Readonly<Record<string, string>>;
    /** Gateways for HTTPRoutes in place of Ingresses; empty: Ingresses. */
    readonly gateways: readonly GatewayReference[];
  };
}

/** How replicas agree on the one that works. Times in milliseconds. */
export interface LeaderElectionConfiguration {
  readonly enabled: boolean;
  readonly lockName: string;
  /** Undefined only if it is not enabled. */
  readonly lockNamespace: string | undefined;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** What Prometheus reads. */
export interface MetricsConfiguration {
  /** Where /metrics is served; undefined for nowhere. */
  readonly address: Address | undefined;
  /** What the names of metrics about applications begin with. */
  readonly prefix: string;
  /** Labels of applications that their metrics get. */
  readonly labels: readonly string[];
  /** Buckets, in seconds, of the time from creation to submission. */
  readonly submitLatencyBuckets: readonly number[];
  /** Buckets, in seconds, of the time from creation to the driver's start. */
  readonly startLatencyBuckets: readonly number[];
}

/** Where the operator runs, as far as defaults depend on it. */
export interface Surroundings {
  /** Whether it runs in a pod of a cluster. */
  readonly inCluster: boolean;
  /** The pod's namespace. */
  readonly namespace?: string;
}

const DURATION = 'write a duration such as 90s, 5m or 1h30m';

/** A pause that grows for as long as the API server is away is not to keep applications waiting when it is back. In milliseconds. */
const LONGEST_RETRY_DELAY = 60_000;

/**
 * Reads a command line.
 *
 * @throws UsageError that names everything that is wrong
 */
export function parseConfiguration(args: readonly string[], surroundings: Surroundings = { inCluster: false }): Configuration | 'help' | 'version' {
  const line = parseCommandLine(args);
  if (line === 'help' || line === 'version') return line;
  const problems: string[] = [];
  const read = <T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T => {
    const text = line.values[name] ?? FLAGS[name].default ?? '';
    const value = convert(text);
    if (value === undefined) problems.push(`--${name}=${text}: ${expected}`);
    return value as T;
  };
  /** For flags that may be left out, or empty as charts write them. */
  const optional = <T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T | undefined =>
    (line.values[name] ? read(name, convert, expected) : undefined);
  const truth = (name: FlagName) => read(name, truthIn, 'write true or false');
  const number = (name: FlagName, least: number) => read(name, (text) => wholeNumber(text, least), `write a whole number of at least ${least}`);
  const withoutEffect = {
    ...line.withoutEffect,
    ...withoutEffectByGates(line, read('feature-gates', gatesIn, 'write gates such as DefaultTimeToLive=true with commas between them') ?? new Map()),
  };
  const anyText = (name: FlagName) => line.values[name] || undefined;

  const configuration: Configuration = {
    namespaces: {
      names: line.values.namespaces === undefined
        ? (line.values['namespace-selector'] ? [] : 'all')
        : read('namespaces', namespacesIn, 'write names of namespaces with commas between them, or "" for all'),
      selector: optional('namespace-selector', (text) => (problemOfSelector(text) ? undefined : text), `${problemOfSelector(line.values['namespace-selector'] ?? '')}; write labels such as team=data,env in (test,prod)`),
    },
    ownNamespace: surroundings.namespace,
    kubeconfig: anyText('kubeconfig'),
    context: anyText('context'),
    workers: number('controller-threads', 1),
    maxRetryDelay: Math.min(LONGEST_RETRY_DELAY, read('workqueue-ratelimiter-max-delay', (text) => durationIn(text) || undefined, `${DURATION}, longer than 0: without a pause what fails is tried again at full speed`)),
    kubeApiQps: number('kube-api-qps', 0),
    kubeApiBurst: number('kube-api-burst', 1),
    cacheSyncTimeout: read('cache-sync-timeout', durationIn, DURATION),
    driverStartTimeout: read('driver-start-timeout', durationIn, DURATION),
    maxTrackedExecutors: number('max-tracked-executor-per-app', 0),
    defaultTimeToLiveSeconds: withoutEffect['default-time-to-live-seconds'] === undefined ? number('default-time-to-live-seconds', 0) || undefined : undefined,
    driverDisruptionBudget: truth('enable-driver-pdb'),
    removeLeftovers: truth('remove-leftovers'),
    defaultsConfigMap: optional('defaults-config-map', objectNameIn, 'write the name of a ConfigMap'),
    submissionMode: read('submission-mode', (text) => SUBMISSION_MODES.find((mode) => mode === text), `write one of ${SUBMISSION_MODES.join(', ')}`),
    sparkUser: read('spark-user', (text) => (/^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) ? text : undefined), 'write the name of a user'),
    sparkSubmit: {
      timeout: read('spark-submit-timeout', durationIn, DURATION),
      concurrency: number('spark-submit-concurrency', 0) || undefined,
      folders: read('spark-submit-folders', foldersIn, 'write absolute paths with commas between them, or nothing'),
      packages: truth('spark-submit-packages'),
    },
    ui: {
      service: truth('enable-ui-service'),
      driverIngress: truth('enable-driver-ingress'),
      ingress: {
        urlFormat: optional('ingress-url-format', (text) => (/\s/.test(text.trim()) ? undefined : text.trim()), 'write a URL without spaces, such as {{$appName}}.example.org'),
        className: optional('ingress-class-name', objectNameIn, 'write the name of an IngressClass'),
        tls: optional('ingress-tls', ingressTlsIn, 'write JSON such as [{"hosts":["*.example.org"],"secretName":"certificate"}]') ?? [],
        annotations: optional('ingress-annotations', textsIn, 'write JSON such as {"name":"value"}') ?? {},
        gateways: optional('ui-gateway', gatewaysIn, 'write NAMESPACE/NAME of a Gateway, and /SECTION for one of its listeners') ?? [],
      },
    },
    leaderElection: {
      enabled: line.values['leader-election'] === undefined ? surroundings.inCluster : truth('leader-election'),
      lockName: read('leader-election-lock-name', objectNameIn, 'write the name of a Lease'),
      lockNamespace: optional('leader-election-lock-namespace', (text) => (isNamespace(text) ? text : undefined), 'write the name of a namespace') ?? surroundings.namespace,
      leaseDuration: read('leader-election-lease-duration', durationIn, DURATION),
      renewDeadline: read('leader-election-renew-deadline', durationIn, DURATION),
      retryPeriod: read('leader-election-retry-period', durationIn, DURATION),
    },
    metrics: {
      address: truth('enable-metrics') ? read('metrics-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined : undefined,
      prefix: read('metrics-prefix', (text) => (/^[a-zA-Z_:][\w:-]*$|^$/.test(text) ? text : undefined), 'write letters, digits and underscores'),
      labels: listIn(line.values['metrics-labels'] ?? '').filter(Boolean),
      submitLatencyBuckets: read('metrics-job-submit-latency-buckets', bucketsIn, 'write numbers that grow, with commas between them'),
      startLatencyBuckets: read('metrics-job-start-latency-buckets', bucketsIn, 'write numbers that grow, with commas between them'),
    },
    health: read('health-probe-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined,
    logLevel: optional('log-level', logLevelIn, `write one of ${LOG_LEVELS.join(', ')}`) ?? optional('zap-log-level', zapLevelIn, `write one of ${LOG_LEVELS.join(', ')}, or a number`) ?? 'info',
    withoutEffect,
  };
  problems.push(...contradictions(configuration));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return configuration;
}

/** What flags that are right by themselves say against each other. */
function contradictions({ leaderElection: { enabled, lockNamespace, leaseDuration, renewDeadline, retryPeriod } }: Configuration): string[] {
  const problems: string[] = [];
  // With numbers that could not be read there is nothing to compare: NaN and undefined compare as false.
  if (leaseDuration <= renewDeadline) problems.push('--leader-election-lease-duration must be longer than --leader-election-renew-deadline, or two replicas could work at once');
  if (renewDeadline <= retryPeriod * 1.2) problems.push('--leader-election-renew-deadline must be longer than 1.2 times --leader-election-retry-period, or one slow call would cost the lead');
  if (leaseDuration < 1_000) problems.push('--leader-election-lease-duration must be at least 1s, as a Lease counts in seconds');
  if (retryPeriod <= 0) problems.push('--leader-election-retry-period must be longer than 0');
  if (enabled && lockNamespace === undefined) problems.push('--leader-election outside of a pod needs --leader-election-lock-namespace');
  return problems;
}
