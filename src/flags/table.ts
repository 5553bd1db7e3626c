import { DEFAULT_LOCK } from '../model/installation';

/** A flag of the operator. */
export interface Flag {
  readonly help: string;
  /**
   * Form of its value. The value `true|false` is optional and true by default. A value that ends in
   * `…` is a list, and its flag can be repeated.
   */
  readonly value: string;
  /** Text of the default value. @default - nothing */
  readonly default?: string;
  /** Text for --help in place of the default. */
  readonly defaultHelp?: string;
}

/** Minimum levels of log entries. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Formats of the log. */
export const LOG_ENCODERS = ['json', 'console'] as const;

const BOOLEAN = 'true|false';

/**
 * All flags, in the groups and the order of --help. Flags have the names and values of
 * kubeflow/spark-operator's flags with the same meaning.
 */
export const FLAG_GROUPS = {
  'Applications': {
    'namespaces': {
      value: 'NAME,…', help: 'namespaces whose applications the operator runs; "" for all',
      defaultHelp: 'all, or none with --namespace-selector',
    },
    'namespace-selector': { value: 'SELECTOR', help: 'label selector of further namespaces; the operator follows changes of their labels' },
    'controller-threads': { value: 'N', help: 'number of concurrent reconciles', default: '10' },
    'driver-start-timeout': {
      value: 'DURATION',
      help: 'how long the creation or start of a driver waits for a service account, an image or anything else that needs user action',
      default: '5m',
    },
    'max-tracked-executor-per-app': { value: 'N', help: 'maximum number of executors in the status of an application', default: '1000' },
    'default-time-to-live-seconds': {
      value: 'N',
      help: 'seconds to keep a finished application that sets no timeToLiveSeconds; 0 = forever. After `controller start`, or with '
        + '--feature-gates, it requires --feature-gates=DefaultTimeToLive=true, as in kubeflow',
      default: '0',
    },
    'feature-gates': {
      value: 'GATE=true|false,…', help: "kubeflow's feature gates; DefaultTimeToLive and, with the webhook, PartialRestart have an effect",
    },
    'enable-driver-pdb': {
      value: BOOLEAN, help: 'create a PodDisruptionBudget for each driver, which prevents its eviction when its node is drained',
      default: 'false',
    },
    'remove-orphans': {
      value: BOOLEAN,
      help: 'find and delete Ingresses, HTTPRoutes and PodDisruptionBudgets that the operator created under other flags; requires '
        + 'permission to list and delete them',
      default: 'true',
    },
    'scheduled-spark-application-timestamp-precision': {
      value: 'UNIT', help: 'unit of the time in names of scheduled runs: minutes, seconds, millis, micros or nanos',
      default: 'seconds',
    },
    'min-schedule-interval': {
      value: 'DURATION',
      help: 'minimum time between two runs of a ScheduledSparkApplication; the operator rejects schedules that run more often. '
        + '0 = no minimum',
      default: '0',
    },
    'defaults-config-map': {
      value: 'NAME',
      help: "name of ConfigMaps with defaults and limits: that in the operator's namespace is for all applications, that in another "
        + 'namespace for the applications there',
    },
  },
  'Submission': {
    'submission-mode': {
      value: 'MODE',
      help: 'submission mode of applications without an annotation for it: native, spark-submit, or auto (spark-submit only for '
        + 'applications that cannot be submitted natively)',
      default: 'auto',
    },
    'enable-submission-mode-annotation': {
      value: BOOLEAN,
      help: 'let applications choose their submission mode by the annotation sparkoperator.k8s.io/submission-mode; if false, '
        + 'applications with the annotation fail',
      default: 'true',
    },
    'spark-user': { value: 'NAME', help: 'value of SPARK_USER, the user for whom Spark runs', default: 'spark' },
    'enable-batch-scheduler': {
      value: BOOLEAN,
      help: 'gang scheduling by volcano, yunikorn, and the schedulers of --kube-scheduler-names; if false, `batchScheduler` only sets '
        + 'the schedulerName of pods',
      default: 'false',
    },
    'kube-scheduler-names': { value: 'NAME,…', help: 'scheduler names of kube-schedulers with the coscheduling plugin' },
    'default-batch-scheduler': {
      value: 'NAME', help: 'batch scheduler of applications that set no scheduler', defaultHelp: "none: the cluster's scheduler",
    },
    'spark-submit-timeout': { value: 'DURATION', help: 'deadline of a Pod that runs spark-submit', default: '5m' },
  },
  'Web UI': {
    'enable-ui-service': { value: BOOLEAN, help: 'create a Service for the web UI of each driver', default: 'true' },
    'ingress-url-format': {
      value: 'FORMAT',
      help: 'URL of the web UI, such as {{$appName}}.example.org or example.org/{{$appNamespace}}/{{$appName}}; if set, the operator '
        + 'creates an Ingress for each driver, or an HTTPRoute with --ui-gateway',
    },
    'ingress-class-name': { value: 'NAME', help: 'class of the Ingresses', defaultHelp: "the cluster's" },
    'ingress-tls': {
      value: 'JSON',
      help: 'TLS of the Ingresses of applications that set none: [{"hosts":["*.example.org"],"secretName":"certificate"}]',
    },
    'ingress-annotations': { value: 'JSON', help: 'annotations of the Ingresses of applications that set none: {"name":"value"}' },
    'enable-driver-ingress': {
      value: BOOLEAN,
      help: 'create an Ingress, or an HTTPRoute with --ui-gateway, for each entry of driverIngressOptions that has an ingressURLFormat',
      default: 'true',
    },
    'ui-gateway': { value: 'NAMESPACE/NAME[/SECTION],…', help: 'Gateways, or their listeners, for HTTPRoutes in place of Ingresses' },
  },
  'Leader election': {
    'leader-election': {
      value: BOOLEAN, help: 'elect a leader with a Lease: one replica is active, the others wait',
      defaultHelp: 'true in a cluster, else false',
    },
    'leader-election-lock-name': {
      value: 'NAME',
      help: "name of the Lease; the default is that of kubeflow's chart with the release name spark-operator, so the two operators "
        + 'exclude each other in one namespace. For another release name, set the name of its Lease',
      default: DEFAULT_LOCK,
    },
    'leader-election-lock-namespace': { value: 'NAME', help: 'namespace of the Lease', defaultHelp: "the operator's own" },
    'leader-election-lease-duration': {
      value: 'DURATION', help: 'how long other replicas wait for a leader that does not renew the Lease; whole seconds',
      default: '15s',
    },
    'leader-election-renew-deadline': {
      value: 'DURATION', help: 'time without a renewal after which a leader stops; must be less than the lease duration',
      default: '10s',
    },
    'leader-election-retry-period': { value: 'DURATION', help: 'time between two renewals', default: '2s' },
  },
  'The admission webhook': {
    'webhook': {
      value: 'MODE',
      help: 'process that serves the webhook: here (each replica of this process), elsewhere (a process started by `webhook start`), or '
        + 'off. If it is not off, applications can use features that need the webhook',
      default: 'off', defaultHelp: 'off; here after `webhook start`',
    },
    'webhook-port': { value: 'PORT', help: 'port of the webhook', default: '9443' },
    'webhook-svc-name': {
      value: 'NAME', help: 'Service through which the API server reaches the webhook; the certificate contains its name',
      default: 'spark-operator-webhook-svc',
    },
    'webhook-svc-namespace': { value: 'NAME', help: 'namespace of the Service', defaultHelp: "the operator's own" },
    'webhook-secret-name': {
      value: 'NAME', help: 'Secret for the CA and the certificate; it must exist', default: 'spark-operator-webhook-certs',
    },
    'webhook-secret-namespace': { value: 'NAME', help: 'namespace of the Secret', defaultHelp: 'that of the Service' },
    'mutating-webhook-name': {
      value: 'NAME', help: 'MutatingWebhookConfiguration in which the operator sets the CA; it must exist',
      defaultHelp: 'spark-operator-NAMESPACE, with the namespace of the Service',
    },
    'validating-webhook-name': {
      value: 'NAME', help: 'ValidatingWebhookConfiguration in which the operator sets the CA; it must exist',
      defaultHelp: 'spark-operator-NAMESPACE, with the namespace of the Service',
    },
    'webhook-certificate-lifetime': {
      value: 'DURATION', help: 'validity of a certificate that the operator creates; it is renewed long before its end',
      default: '2160h',
    },
    'enable-cert-manager': {
      value: BOOLEAN, help: 'use a certificate of cert-manager: the operator reads it from files, and again when they change',
      default: 'false',
    },
    'webhook-cert-dir': {
      value: 'PATH',
      help: 'folder where the Secret of the certificate is mounted; if it is set, the certificate comes from there even without '
        + '--enable-cert-manager',
      default: '/etc/k8s-webhook-server/serving-certs',
    },
    'webhook-cert-name': { value: 'FILE', help: 'file of the certificate in --webhook-cert-dir', default: 'tls.crt' },
    'webhook-key-name': { value: 'FILE', help: 'file of the private key in --webhook-cert-dir', default: 'tls.key' },
    'webhook-tls-min-version': { value: 'VERSION', help: 'minimum version of TLS: VersionTLS12 or VersionTLS13', default: 'VersionTLS12' },
    'enable-resource-quota-enforcement': {
      value: BOOLEAN, help: 'reject applications that exceed the ResourceQuotas of their namespace', default: 'false',
    },
  },
  'The Kubernetes API': {
    'kubeconfig': { value: 'FILE', help: 'kubeconfig to use outside a cluster' },
    'context': { value: 'NAME', help: 'context of the kubeconfig', defaultHelp: 'its current context' },
    'kube-api-qps': {
      value: 'N',
      help: 'calls of the Kubernetes API per second; 0 = no limit. A submission makes 5, and an application with 5 executors 15 until '
        + 'it has completed. Reviews of the webhook can make 200 further calls per second',
      default: '2000',
    },
    'kube-api-burst': { value: 'N', help: 'maximum burst of calls of the Kubernetes API', default: '4000' },
    'cache-sync-timeout': {
      value: 'DURATION', help: 'time after which the log reports caches that are not synced; the operator keeps trying',
      default: '30s',
    },
    'workqueue-ratelimiter-max-delay': {
      value: 'DURATION', help: 'maximum delay before a requeue after failures; more than 1m is treated as 1m', default: '1m',
    },
  },
  'Logs and metrics': {
    'log-level': { value: 'LEVEL', help: `minimum level of log entries: ${LOG_LEVELS.join(', ')}`, default: 'info' },
    'zap-log-level': { value: 'LEVEL', help: "kubeflow's name of --log-level; a number of 1 or more is debug" },
    'log-encoder': {
      value: 'FORMAT', help: 'format of the log: json (an object a line), or console (time, level, message and fields, with tabs)',
      default: 'json',
    },
    'zap-encoder': { value: 'FORMAT', help: "kubeflow's name of --log-encoder" },
    'enable-metrics': { value: BOOLEAN, help: 'serve /metrics', default: 'true' },
    'metrics-bind-address': { value: '[HOST]:PORT', help: 'address of /metrics; 0 for none', default: ':8080' },
    'metrics-prefix': { value: 'TEXT', help: 'prefix of the names of metrics about applications' },
    'metrics-labels': { value: 'NAME,…', help: 'labels of applications to copy to their metrics', default: 'app_type' },
    'metrics-job-submit-latency-buckets': {
      value: 'SECONDS,…', help: 'buckets of the time from creation to submission', default: '0.5,1,2,4,8,16,32,64,128,256',
    },
    'metrics-job-start-latency-buckets': {
      value: 'SECONDS,…', help: 'buckets of the time from creation to the start of the driver',
      default: '30,60,90,120,150,180,210,240,270,300',
    },
    'health-probe-bind-address': { value: '[HOST]:PORT', help: 'address of /healthz and /readyz; 0 for none', default: ':8081' },
  },
} as const satisfies Record<string, Record<string, Flag>>;

type Groups = typeof FLAG_GROUPS;
/** The name of a flag. */
export type FlagName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** All flags by name. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = Object.assign({}, ...Object.values(FLAG_GROUPS));

/** Flags without a value. */
const ALONE = { version: 'print the version', help: 'print this help' };

/** Returns the text of --help. */
export function usage(): string {
  const lines = [
    'Runs the SparkApplications of a Kubernetes cluster.', '', 'spark-operator [flags]',
    'spark-operator webhook start [flags]   only serves the admission webhook',
  ];
  for (const [title, flags] of Object.entries<Record<string, Flag>>(FLAG_GROUPS)) {
    lines.push('', `${title}:`);
    for (const [name, flag] of Object.entries(flags)) lines.push(...described(`--${name}=${flag.value}`, flag));
  }
  lines.push('', ...Object.entries(ALONE).map(([name, help]) => `  --${name.padEnd(9)}${help}`));
  lines.push(
    '', 'Write durations such as 90s, 5m or 1h30m.',
    'The operator accepts flags of kubeflow/spark-operator without effect here, and logs the reason.',
  );
  return lines.join('\n');
}

const WIDTH = 100;

/**
 * Returns the lines of a flag in --help. Many flags are too long for two columns, so each is on its
 * own line.
 */
function described(flag: string, { help, default: text, defaultHelp = text }: Flag): string[] {
  const words = `${help}${defaultHelp === undefined ? '' : ` (default ${defaultHelp})`}`.split(' ');
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`        ${word}`);
  }
  return [`  ${flag}`, ...lines];
}
