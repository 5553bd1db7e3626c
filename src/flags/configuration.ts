import { batchSchedulerSettings, withoutEffectByBatchScheduling } from './batch-schedulers';
import { isGateOn, PARTIAL_RESTART, withoutEffectByGates } from './feature-gates';
import { parseCommandLine } from './parse';
import { DURATION, FlagReader } from './reader';
import { LOG_ENCODERS, LOG_LEVELS } from './table';
import { TIMESTAMP_PRECISIONS, type TimestampPrecision } from '../model/timestamp-precision';
import { UsageError } from '../text/usage-error';
import {
  addressIn, amountIn, bucketsIn, gatesIn, gatewaysIn, ingressTlsIn, listIn, logEncoderIn, logLevelIn,
  namespacesIn, objectNameIn, textsIn, zapLevelIn, type Address, type GatewayReference, type IngressTls,
  type LogEncoder, type LogLevel,
} from './values';
import { durationIn } from '../text/duration';
import { webhookConfiguration, webhookContradictions, withoutEffectByWebhook, type WebhookConfiguration } from './webhook';
import { problemOfSelector } from '../rules/label-selector';
import { SUBMISSION_MODES, type BatchSchedulerSettings, type SubmissionMode } from '../plan/settings';
import { isDnsLabel } from '../rules/names';

export { usage } from './table';
export { UsageError } from '../text/usage-error';
export type { Address, GatewayReference, IngressTls, LogLevel } from './values';
export type { WebhookConfiguration } from './webhook';

/** Selection of namespaces by names and by labels. */
export interface NamespaceSelection {
  /** Names of namespaces. */
  readonly names: readonly string[] | 'all';
  /** Label selector for further namespaces. */
  readonly selector?: string;
}

/** Configuration of the operator by its command line. */
export interface Configuration {
  /** Process to run: the complete operator, or only the admission webhook. */
  readonly command: 'controller' | 'webhook';
  /** Namespaces whose applications the operator runs. */
  readonly namespaces: NamespaceSelection;
  /** The operator's own namespace; undefined outside of a pod. */
  readonly ownNamespace: string | undefined;
  /** Kubeconfig file; by default, in a cluster, the pod's service account. */
  readonly kubeconfig?: string;
  /** Context of the kubeconfig. */
  readonly context?: string;
  /** Number of concurrent reconciles. */
  readonly workers: number;
  /** Maximum delay before a requeue after failures, in milliseconds; at most one minute. */
  readonly maxRetryDelay: number;
  /** Average calls of the Kubernetes API per second; 0 for no limit. */
  readonly kubeApiQps: number;
  /** Maximum burst of calls of the Kubernetes API. */
  readonly kubeApiBurst: number;
  /** Milliseconds after which the log reports namespaces whose caches are not synced. */
  readonly cacheSyncTimeout: number;
  /**
   * Maximum time that the creation or start of a driver waits for something that needs user action,
   * in milliseconds.
   */
  readonly driverStartTimeout: number;
  /** Whether edits of fields of executors alone keep the driver. It requires the webhook. */
  readonly partialRestart: boolean;
  /** Maximum number of executors in the status of an application. */
  readonly maxTrackedExecutors: number;
  /** Minimum time between two runs of a schedule, in milliseconds; 0 for none. */
  readonly minScheduleInterval: number;
  /** Seconds to keep a finished application that sets no timeToLiveSeconds; undefined for ever. */
  readonly defaultTimeToLiveSeconds: number | undefined;
  /** Whether the operator creates a PodDisruptionBudget for each driver. */
  readonly driverDisruptionBudget: boolean;
  /**
   * Whether the operator deletes Ingresses, HTTPRoutes and PodDisruptionBudgets that it created
   * under other flags.
   */
  readonly removeOrphans: boolean;
  /** Unit of the time in names of scheduled runs. */
  readonly timestampPrecision: TimestampPrecision;
  /** Name of the ConfigMaps with defaults and limits for applications; undefined for none. */
  readonly defaultsConfigMapName: string | undefined;
  /** Submission mode of applications that set none. */
  readonly submissionMode: SubmissionMode;
  /** Whether applications can set it by an annotation. */
  readonly submissionModeAnnotation: boolean;
  /** User in `SPARK_USER`, for which Spark runs. */
  readonly sparkUser: string;
  /** Deadline of a Pod that runs spark-submit, in milliseconds. */
  readonly sparkSubmitTimeout: number;
  /** Configuration of gang scheduling; undefined if it is off. */
  readonly batchSchedulers: BatchSchedulerSettings | undefined;
  /** Configuration of the access to drivers' web UIs. */
  readonly ui: UIConfiguration;
  /** The admission webhook. */
  readonly webhook: WebhookConfiguration;
  /** Configuration of leader election. */
  readonly leaderElection: LeaderElectionConfiguration;
  /** Configuration of the metrics for Prometheus. */
  readonly metrics: MetricsConfiguration;
  /** Address of /healthz and /readyz; undefined for none. */
  readonly health: Address | undefined;
  /** Minimum level of log entries. */
  readonly logLevel: LogLevel;
  /** Format of the log. */
  readonly logEncoder: LogEncoder;
  /** Given flags that have no effect, with the reasons. */
  readonly withoutEffect: Readonly<Record<string, string>>;
}

/** Configuration of the access to drivers' web UIs. */
export interface UIConfiguration {
  /** Whether the operator creates a Service for the web UI of each driver. */
  readonly service: boolean;
  /** Whether `driverIngressOptions` of applications create Ingresses or HTTPRoutes. */
  readonly driverIngress: boolean;
  /** Configuration of Ingresses and HTTPRoutes for web UIs and other ports of drivers. */
  readonly ingress: {
    /** Format of web UIs' URLs, with variables; undefined for none. */
    readonly urlFormat: string | undefined;
    /** Class of the Ingresses; undefined for the cluster's default. */
    readonly className: string | undefined;
    /** TLS of Ingresses whose application sets none. */
    readonly tls: IngressTls[];
    /** Annotations of Ingresses whose application sets none. */
    readonly annotations: Readonly<Record<string, string>>;
    /** Gateways for HTTPRoutes. If empty, the operator creates Ingresses instead. */
    readonly gateways: readonly GatewayReference[];
  };
}

/** Configuration of leader election. Times are in milliseconds. */
export interface LeaderElectionConfiguration {
  readonly enabled: boolean;
  readonly lockName: string;
  /** Undefined only if leader election is disabled. */
  readonly lockNamespace: string | undefined;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Configuration of the metrics for Prometheus. */
export interface MetricsConfiguration {
  /** Address of /metrics; undefined for none. */
  readonly address: Address | undefined;
  /** Prefix of the names of metrics about applications. */
  readonly prefix: string;
  /** Labels of applications to copy to their metrics. */
  readonly labels: readonly string[];
  /** Buckets in seconds of the time from creation to submission. */
  readonly submitLatencyBuckets: readonly number[];
  /** Buckets in seconds of the time from creation to the start of the driver. */
  readonly startLatencyBuckets: readonly number[];
}

/** Environment of the operator, from which defaults follow. */
export interface Environment {
  /** Whether it runs in a pod. */
  readonly inCluster: boolean;
  /** The pod's namespace. */
  readonly namespace?: string;
}

/**
 * Maximum retry delay, in milliseconds. A longer one, after an outage of the API server, would
 * delay applications when the server is back.
 */
const MAX_RETRY_DELAY = 60_000;

/** Expected value of a flag with buckets. */
const BUCKETS = 'write comma-separated numbers in ascending order';

/**
 * Parses a command line.
 *
 * @throws UsageError with all problems
 */
export function parseConfiguration(
  args: readonly string[], environment: Environment = { inCluster: false },
): Configuration | 'help' | 'version' {
  const line = parseCommandLine(args);
  if (line === 'help' || line === 'version') return line;
  const flags = new FlagReader(line.values);
  const webhook = webhookConfiguration(line, flags, environment.namespace);
  const batchSchedulers = flags.truth('enable-batch-scheduler') ? batchSchedulerSettings(flags) : undefined;
  const gates = flags.read('feature-gates', gatesIn, 'write comma-separated gates such as DefaultTimeToLive=true')
    ?? new Map<string, boolean>();
  const withoutEffect = {
    ...line.withoutEffect,
    ...withoutEffectByWebhook(line, webhook),
    ...withoutEffectByBatchScheduling(line.values, batchSchedulers !== undefined),
    ...withoutEffectByGates(line, gates, webhook.mode !== 'off'),
  };

  const configuration: Configuration = {
    command: line.command,
    namespaces: {
      names: line.values.namespaces === undefined
        ? (line.values['namespace-selector'] ? [] : 'all')
        : flags.read('namespaces', namespacesIn, 'write comma-separated names of namespaces, or "" for all'),
      selector: flags.optional('namespace-selector', (text) => (problemOfSelector(text)
        ? undefined
        : text), `${problemOfSelector(line.values['namespace-selector'] ?? '')}; write labels such as team=data,env in (test,prod)`),
    },
    ownNamespace: environment.namespace,
    kubeconfig: flags.text('kubeconfig'),
    context: flags.text('context'),
    workers: flags.number('controller-threads', 1),
    maxRetryDelay: Math.min(MAX_RETRY_DELAY, flags.read(
      'workqueue-ratelimiter-max-delay', (text) => durationIn(text) || undefined,
      `${DURATION}, longer than 0: without a delay, failures are retried at full speed`,
    )),
    kubeApiQps: flags.read('kube-api-qps', amountIn, 'write a number such as 20 or 20.5, or 0 for no limit'),
    kubeApiBurst: flags.number('kube-api-burst', 1),
    cacheSyncTimeout: flags.read('cache-sync-timeout', durationIn, DURATION),
    driverStartTimeout: flags.read('driver-start-timeout', durationIn, DURATION),
    partialRestart: webhook.mode !== 'off' && isGateOn(gates, PARTIAL_RESTART),
    maxTrackedExecutors: flags.number('max-tracked-executor-per-app', 0),
    minScheduleInterval: flags.read('min-schedule-interval', durationIn, DURATION),
    defaultTimeToLiveSeconds: withoutEffect['default-time-to-live-seconds'] === undefined
      ? flags.number('default-time-to-live-seconds', 0) || undefined
      : undefined,
    driverDisruptionBudget: flags.truth('enable-driver-pdb'),
    removeOrphans: flags.truth('remove-orphans'),
    timestampPrecision: flags.read(
      'scheduled-spark-application-timestamp-precision', (text) => TIMESTAMP_PRECISIONS.find((unit) => unit === text),
      `write one of ${TIMESTAMP_PRECISIONS.join(', ')}`,
    ),
    defaultsConfigMapName: flags.optional('defaults-config-map', objectNameIn, 'write the name of a ConfigMap'),
    submissionMode: flags.read(
      'submission-mode', (text) => SUBMISSION_MODES.find((mode) => mode === text), `write one of ${SUBMISSION_MODES.join(', ')}`,
    ),
    submissionModeAnnotation: flags.truth('enable-submission-mode-annotation'),
    sparkUser: flags.read('spark-user', (text) => (/^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) ? text : undefined), 'write the name of a user'),
    sparkSubmitTimeout: flags.read('spark-submit-timeout', durationIn, DURATION),
    batchSchedulers,
    ui: {
      service: flags.truth('enable-ui-service'),
      driverIngress: flags.truth('enable-driver-ingress'),
      ingress: {
        urlFormat: flags.optional('ingress-url-format', (text) => (/\s/.test(text.trim())
          ? undefined
          : text.trim()), 'write a URL without spaces, such as {{$appName}}.example.org'),
        className: flags.optional('ingress-class-name', objectNameIn, 'write the name of an IngressClass'),
        tls: flags.optional('ingress-tls', ingressTlsIn, 'write JSON such as [{"hosts":["*.example.org"],"secretName":"certificate"}]')
          ?? [],
        annotations: flags.optional('ingress-annotations', textsIn, 'write JSON such as {"name":"value"}') ?? {},
        gateways: flags.optional('ui-gateway', gatewaysIn, 'write NAMESPACE/NAME of a Gateway, and /SECTION for one of its listeners')
          ?? [],
      },
    },
    webhook,
    leaderElection: {
      enabled: line.command === 'controller' && (flags.has('leader-election') ? flags.truth('leader-election') : environment.inCluster),
      lockName: flags.read('leader-election-lock-name', objectNameIn, 'write the name of a Lease'),
      lockNamespace: flags.optional(
        'leader-election-lock-namespace', (text) => (isDnsLabel(text) ? text : undefined), 'write the name of a namespace',
      ) ?? environment.namespace,
      leaseDuration: flags.read('leader-election-lease-duration', durationIn, DURATION),
      renewDeadline: flags.read('leader-election-renew-deadline', durationIn, DURATION),
      retryPeriod: flags.read('leader-election-retry-period', durationIn, DURATION),
    },
    metrics: {
      address: flags.truth('enable-metrics')
        ? flags.read('metrics-bind-address', addressIn, 'write [HOST]:PORT, or 0 for none') ?? undefined
        : undefined,
      prefix: flags.read('metrics-prefix', (text) => (/^[a-zA-Z_:][\w:-]*$|^$/.test(text)
        ? text
        : undefined), 'write letters, digits and underscores'),
      labels: flags.read('metrics-labels', (text) => listIn(text).filter(Boolean), 'write names of labels'),
      submitLatencyBuckets: flags.read('metrics-job-submit-latency-buckets', bucketsIn, BUCKETS),
      startLatencyBuckets: flags.read('metrics-job-start-latency-buckets', bucketsIn, BUCKETS),
    },
    health: flags.read('health-probe-bind-address', addressIn, 'write [HOST]:PORT, or 0 for none') ?? undefined,
    logLevel: flags.optional('log-level', logLevelIn, `write one of ${LOG_LEVELS.join(', ')}`)
      ?? flags.optional('zap-log-level', zapLevelIn, `write one of ${LOG_LEVELS.join(', ')}, or a number`) ?? 'info',
    logEncoder: flags.optional('log-encoder', logEncoderIn, `write one of ${LOG_ENCODERS.join(', ')}`)
      ?? flags.optional('zap-encoder', logEncoderIn, `write one of ${LOG_ENCODERS.join(', ')}`) ?? 'json',
    withoutEffect,
  };
  const problems = [...flags.problems, ...contradictions(configuration), ...webhookContradictions(line, webhook, {
    'metrics-bind-address': configuration.metrics.address?.port, 'health-probe-bind-address': configuration.health?.port,
  })];
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return configuration;
}

/** Returns contradictions between flags that are valid on their own. */
function contradictions(
  { leaderElection: { enabled, lockNamespace, leaseDuration, renewDeadline, retryPeriod } }: Configuration,
): string[] {
  const problems: string[] = [];
  // Unreadable values cause no second error: comparisons with NaN and undefined are false.
  if (leaseDuration <= renewDeadline) {
    problems.push(
      '--leader-election-lease-duration must be longer than --leader-election-renew-deadline, or two replicas could lead at once',
    );
  }
  if (renewDeadline <= retryPeriod * 1.2) {
    problems.push(
      '--leader-election-renew-deadline must be longer than 1.2 times --leader-election-retry-period, '
        + 'or one slow call would end the leadership',
    );
  }
  if (leaseDuration < 1_000) problems.push('--leader-election-lease-duration must be at least 1s, as a Lease has whole seconds');
  if (retryPeriod <= 0) problems.push('--leader-election-retry-period must be longer than 0');
  if (enabled && lockNamespace === undefined) problems.push('--leader-election outside a pod needs --leader-election-lock-namespace');
  return problems;
}
