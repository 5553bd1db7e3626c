import { batchSchedulerSettings, withoutEffectByBatchScheduling } from './batch-schedulers';
import { withoutEffectByGates } from './feature-gates';
import { parseCommandLine } from './parse';
import { DURATION, FlagReader } from './reader';
import { LOG_LEVELS } from './table';
import { TIMESTAMP_PRECISIONS, type TimestampPrecision } from '../model/timestamp-precision';
import { UsageError } from '../text/usage-error';
import {
  addressIn, amountIn, bucketsIn, foldersIn, gatesIn, gatewaysIn, ingressTlsIn, listIn, logLevelIn,
  namespacesIn, objectNameIn, textsIn, zapLevelIn, type Address, type GatewayReference, type IngressTls,
  type LogLevel,
} from './values';
import { durationIn } from '../text/duration';
import { webhookConfiguration, webhookContradictions, withoutEffectByWebhook, type WebhookConfiguration } from './webhook';
import type { BatchSchedulerSettings } from '../plan/schedulers/scheduler';
import { problemOfSelector } from '../rules/label-selector';
import { SUBMISSION_MODES, type SubmissionMode } from '../plan/settings';
import { isDnsLabel } from '../rules/names';

export { usage } from './table';
export { UsageError } from '../text/usage-error';
export type { Address, GatewayReference, IngressTls, LogLevel } from './values';
export type { WebhookConfiguration } from './webhook';

/** A selection of namespaces: those with a name, and those with labels. */
export interface NamespaceSelection {
  /** By name. */
  readonly names: readonly string[] | 'all';
  /** Also by labels. */
  readonly selector?: string;
}

/** What the operator is told on its command line. */
export interface Configuration {
  /** What is run: all of the operator, or the admission webhook alone. */
  readonly command: 'controller' | 'webhook';
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
  /** Minimum time between two runs of a schedule, in milliseconds; 0 for none. */
  readonly minScheduleInterval: number;
  /** Seconds after its end after which an application is deleted that does not say it itself; undefined for never. */
  readonly defaultTimeToLiveSeconds: number | undefined;
  /** Whether each driver gets a PodDisruptionBudget. */
  readonly driverDisruptionBudget: boolean;
  /** Whether Ingresses, HTTPRoutes and PodDisruptionBudgets that were made under other flags are removed. */
  readonly removeOrphans: boolean;
  /** The unit in which names of scheduled runs tell their time. */
  readonly timestampPrecision: TimestampPrecision;
  /** Name of the ConfigMaps with defaults and limits for applications; undefined for none. */
  readonly defaultsConfigMap: string | undefined;
  /** How applications are submitted that do not say it themselves. */
  readonly submissionMode: SubmissionMode;
  /** Whether applications can choose it by an annotation. */
  readonly submissionModeAnnotation: boolean;
  /** The user that Spark says it runs for (`SPARK_USER`). */
  readonly sparkUser: string;
  /** spark-submit, for what cannot be submitted natively. */
  readonly sparkSubmit: SparkSubmitConfiguration;
  /** How batch schedulers are told of applications; undefined: they are not. */
  readonly batchSchedulers: BatchSchedulerSettings | undefined;
  /** How the web UIs of drivers are reached. */
  readonly ui: UIConfiguration;
  /** The admission webhook. */
  readonly webhook: WebhookConfiguration;
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
export interface Environment {
  /** Whether it runs in a pod of a cluster. */
  readonly inCluster: boolean;
  /** The pod's namespace. */
  readonly namespace?: string;
}

/** A pause that grows for as long as the API server is away is not to keep applications waiting when it is back. In milliseconds. */
const LONGEST_RETRY_DELAY = 60_000;

/**
 * Reads a command line.
 *
 * @throws UsageError that names everything that is wrong
 */
export function parseConfiguration(args: readonly string[], environment: Environment = { inCluster: false }): Configuration | 'help' | 'version' {
  const line = parseCommandLine(args);
  if (line === 'help' || line === 'version') return line;
  const flags = new FlagReader(line.values);
  const webhook = webhookConfiguration(line, flags, environment.namespace);
  const batchSchedulers = flags.truth('enable-batch-scheduler') ? batchSchedulerSettings(flags) : undefined;
  const withoutEffect = {
    ...line.withoutEffect,
    ...withoutEffectByWebhook(line, webhook),
    ...withoutEffectByBatchScheduling(line.values, batchSchedulers !== undefined),
    ...withoutEffectByGates(line, flags.read('feature-gates', gatesIn, 'write gates such as DefaultTimeToLive=true with commas between them') ?? new Map()),
  };

  const configuration: Configuration = {
    command: line.command,
    namespaces: {
      names: line.values.namespaces === undefined
        ? (line.values['namespace-selector'] ? [] : 'all')
        : flags.read('namespaces', namespacesIn, 'write names of namespaces with commas between them, or "" for all'),
      selector: flags.optional('namespace-selector', (text) => (problemOfSelector(text) ? undefined : text), `${problemOfSelector(line.values['namespace-selector'] ?? '')}; write labels such as team=data,env in (test,prod)`),
    },
    ownNamespace: environment.namespace,
    kubeconfig: flags.text('kubeconfig'),
    context: flags.text('context'),
    workers: flags.number('controller-threads', 1),
    maxRetryDelay: Math.min(LONGEST_RETRY_DELAY, flags.read('workqueue-ratelimiter-max-delay', (text) => durationIn(text) || undefined, `${DURATION}, longer than 0: without a pause what fails is tried again at full speed`)),
    kubeApiQps: flags.read('kube-api-qps', amountIn, 'write a number such as 20 or 20.5, or 0 for no limit'),
    kubeApiBurst: flags.number('kube-api-burst', 1),
    cacheSyncTimeout: flags.read('cache-sync-timeout', durationIn, DURATION),
    driverStartTimeout: flags.read('driver-start-timeout', durationIn, DURATION),
    maxTrackedExecutors: flags.number('max-tracked-executor-per-app', 0),
    minScheduleInterval: flags.read('min-schedule-interval', durationIn, DURATION),
    defaultTimeToLiveSeconds: withoutEffect['default-time-to-live-seconds'] === undefined ? flags.number('default-time-to-live-seconds', 0) || undefined : undefined,
    driverDisruptionBudget: flags.truth('enable-driver-pdb'),
    removeOrphans: flags.truth('remove-orphans'),
    timestampPrecision: flags.read('scheduled-spark-application-timestamp-precision', (text) => TIMESTAMP_PRECISIONS.find((unit) => unit === text), `write one of ${TIMESTAMP_PRECISIONS.join(', ')}`),
    defaultsConfigMap: flags.optional('defaults-config-map', objectNameIn, 'write the name of a ConfigMap'),
    submissionMode: flags.read('submission-mode', (text) => SUBMISSION_MODES.find((mode) => mode === text), `write one of ${SUBMISSION_MODES.join(', ')}`),
    submissionModeAnnotation: flags.truth('enable-submission-mode-annotation'),
    sparkUser: flags.read('spark-user', (text) => (/^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) ? text : undefined), 'write the name of a user'),
    sparkSubmit: {
      timeout: flags.read('spark-submit-timeout', durationIn, DURATION),
      concurrency: flags.number('spark-submit-concurrency', 0) || undefined,
      folders: flags.read('spark-submit-folders', foldersIn, 'write absolute paths with commas between them, or nothing'),
      packages: flags.truth('spark-submit-packages'),
    },
    batchSchedulers,
    ui: {
      service: flags.truth('enable-ui-service'),
      driverIngress: flags.truth('enable-driver-ingress'),
      ingress: {
        urlFormat: flags.optional('ingress-url-format', (text) => (/\s/.test(text.trim()) ? undefined : text.trim()), 'write a URL without spaces, such as {{$appName}}.example.org'),
        className: flags.optional('ingress-class-name', objectNameIn, 'write the name of an IngressClass'),
        tls: flags.optional('ingress-tls', ingressTlsIn, 'write JSON such as [{"hosts":["*.example.org"],"secretName":"certificate"}]') ?? [],
        annotations: flags.optional('ingress-annotations', textsIn, 'write JSON such as {"name":"value"}') ?? {},
        gateways: flags.optional('ui-gateway', gatewaysIn, 'write NAMESPACE/NAME of a Gateway, and /SECTION for one of its listeners') ?? [],
      },
    },
    webhook,
    leaderElection: {
      enabled: line.command === 'controller' && (flags.has('leader-election') ? flags.truth('leader-election') : environment.inCluster),
      lockName: flags.read('leader-election-lock-name', objectNameIn, 'write the name of a Lease'),
      lockNamespace: flags.optional('leader-election-lock-namespace', (text) => (isDnsLabel(text) ? text : undefined), 'write the name of a namespace') ?? environment.namespace,
      leaseDuration: flags.read('leader-election-lease-duration', durationIn, DURATION),
      renewDeadline: flags.read('leader-election-renew-deadline', durationIn, DURATION),
      retryPeriod: flags.read('leader-election-retry-period', durationIn, DURATION),
    },
    metrics: {
      address: flags.truth('enable-metrics') ? flags.read('metrics-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined : undefined,
      prefix: flags.read('metrics-prefix', (text) => (/^[a-zA-Z_:][\w:-]*$|^$/.test(text) ? text : undefined), 'write letters, digits and underscores'),
      labels: listIn(line.values['metrics-labels'] ?? '').filter(Boolean),
      submitLatencyBuckets: flags.read('metrics-job-submit-latency-buckets', bucketsIn, 'write numbers that grow, with commas between them'),
      startLatencyBuckets: flags.read('metrics-job-start-latency-buckets', bucketsIn, 'write numbers that grow, with commas between them'),
    },
    health: flags.read('health-probe-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined,
    logLevel: flags.optional('log-level', logLevelIn, `write one of ${LOG_LEVELS.join(', ')}`) ?? flags.optional('zap-log-level', zapLevelIn, `write one of ${LOG_LEVELS.join(', ')}, or a number`) ?? 'info',
    withoutEffect,
  };
  const problems = [...flags.problems, ...contradictions(configuration), ...webhookContradictions(line, webhook, {
    'metrics-bind-address': configuration.metrics.address?.port, 'health-probe-bind-address': configuration.health?.port,
  })];
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
