import { DEFAULT_LOCK } from '../model/installation';

/** One flag. */
export interface Flag {
  readonly help: string;
  /** What its value looks like. `true|false` may be left out, which is true; a value that ends in `…` is a list, and the flag may be repeated. */
  readonly value: string;
  /** The text that stands for a flag that is not given. @default - nothing */
  readonly default?: string;
  /** What to say in place of the default. */
  readonly defaultHelp?: string;
}

/** What is logged: a level and what is graver. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const BOOLEAN = 'true|false';

/**
 * All flags, in the groups and the order of --help. Where kubeflow/spark-operator has a flag of the same meaning, ours has its name and
 * takes its values.
 */
export const FLAG_GROUPS = {
  'What is run': {
    'namespaces': { value: 'NAME,…', help: 'namespaces whose applications are run; "" for all', defaultHelp: 'all, or none with --namespace-selector' },
    'namespace-selector': { value: 'SELECTOR', help: 'label selector; the applications of namespaces with such labels are run, too. Labels may change at any time' },
    'controller-threads': { value: 'N', help: 'applications that are looked at at the same time', default: '10' },
    'driver-start-timeout': { value: 'DURATION', help: 'how long the creation or start of a driver may wait for a service account, an image or anything else that does not come by itself', default: '5m' },
    'max-tracked-executor-per-app': { value: 'N', help: 'executors that are recorded in the status of an application', default: '1000' },
    'default-time-to-live-seconds': { value: 'N', help: 'seconds after its end after which an application is deleted that does not say it itself, 0 for never. After `controller start`, or with --feature-gates, it counts only with --feature-gates=DefaultTimeToLive=true, as with kubeflow', default: '0' },
    'feature-gates': { value: 'GATE=true|false,…', help: "kubeflow's feature gates; only DefaultTimeToLive counts here" },
    'enable-driver-pdb': { value: BOOLEAN, help: 'whether each driver gets a PodDisruptionBudget, so that it is not drained from its node', default: 'false' },
    'remove-orphans': { value: BOOLEAN, help: 'whether Ingresses, HTTPRoutes and PodDisruptionBudgets that were made under other flags are looked for and removed, which takes the right to list and delete them', default: 'true' },
    'scheduled-spark-application-timestamp-precision': { value: 'UNIT', help: 'the unit in which names of scheduled runs tell their time: minutes, seconds, millis, micros or nanos', default: 'seconds' },
    'min-schedule-interval': { value: 'DURATION', help: 'minimum time between two runs of a ScheduledSparkApplication; a schedule that runs more often is rejected. 0: no minimum', default: '0' },
    'defaults-config-map': { value: 'NAME', help: 'ConfigMap of this name with defaults and limits for applications: in the namespace of the operator for all, in that of applications for these' },
  },
  'How it is submitted': {
    'submission-mode': { value: 'MODE', help: 'how applications are submitted that have no annotation for it: native, by running spark-submit, or auto (spark-submit for what cannot go natively)', default: 'auto' },
    'enable-submission-mode-annotation': { value: BOOLEAN, help: 'whether applications can choose how they are submitted by the annotation sparkoperator.k8s.io/submission-mode; without it an application with the annotation fails', default: 'true' },
    'spark-user': { value: 'NAME', help: 'the user that Spark says it runs for', default: 'spark' },
    'enable-batch-scheduler': { value: BOOLEAN, help: 'whether batch schedulers are told of applications as a whole: volcano, yunikorn, and those of --kube-scheduler-names. Without it `batchScheduler` only names the scheduler of the pods', default: 'false' },
    'kube-scheduler-names': { value: 'NAME,…', help: "names by which Kubernetes' own scheduler runs with the coscheduling plugin" },
    'default-batch-scheduler': { value: 'NAME', help: 'the batch scheduler of applications that choose no scheduler', defaultHelp: "none, the cluster's scheduler" },
    'spark-submit-timeout': { value: 'DURATION', help: 'longer no run of spark-submit may take', default: '5m' },
    'spark-submit-concurrency': { value: 'N', help: 'runs of spark-submit at a time, 0 for as many as CPUs and memory allow', default: '0' },
    'spark-submit-folders': { value: 'PATH,…', help: "folders of the operator's container whose files applications may upload with spark-submit", default: '/opt/spark-operator/files' },
    'spark-submit-packages': { value: BOOLEAN, help: 'whether spark-submit may load Maven packages, and with them code of others, into the operator', default: 'false' },
  },
  'How Spark\'s web UI is reached': {
    'enable-ui-service': { value: BOOLEAN, help: 'whether each driver gets a Service for its web UI', default: 'true' },
    'ingress-url-format': { value: 'FORMAT', help: 'URL of the web UI, such as {{$appName}}.example.org or example.org/{{$appNamespace}}/{{$appName}}; with it each driver gets an Ingress, or with --ui-gateway an HTTPRoute' },
    'ingress-class-name': { value: 'NAME', help: 'class of the Ingresses', defaultHelp: "the cluster's" },
    'ingress-tls': { value: 'JSON', help: 'TLS of the Ingresses that do not say it themselves: [{"hosts":["*.example.org"],"secretName":"certificate"}]' },
    'ingress-annotations': { value: 'JSON', help: 'annotations of the Ingresses that have none of their own: {"name":"value"}' },
    'enable-driver-ingress': { value: BOOLEAN, help: 'whether the ports that applications name in driverIngressOptions get an Ingress, or with --ui-gateway an HTTPRoute, if they have an ingressURLFormat', default: 'true' },
    'ui-gateway': { value: 'NAMESPACE/NAME[/SECTION],…', help: 'Gateways, or listeners of them, for HTTPRoutes in place of Ingresses' },
  },
  'Several replicas': {
    'leader-election': { value: BOOLEAN, help: 'whether a Lease makes sure that one replica works and the others stand by', defaultHelp: 'true inside of a cluster, else false' },
    'leader-election-lock-name': { value: 'NAME', help: "name of the Lease; the default is that of kubeflow's chart if its release is called spark-operator, so that the two operators exclude each other in one namespace. For a release of another name give that of its Lease", default: DEFAULT_LOCK },
    'leader-election-lock-namespace': { value: 'NAME', help: 'namespace of the Lease', defaultHelp: "the operator's own" },
    'leader-election-lease-duration': { value: 'DURATION', help: 'how long the others wait for a leader that does not renew the Lease; whole seconds', default: '15s' },
    'leader-election-renew-deadline': { value: 'DURATION', help: 'after so long without a renewal a leader stops working; less than the lease duration', default: '10s' },
    'leader-election-retry-period': { value: 'DURATION', help: 'time between two renewals', default: '2s' },
  },
  'The admission webhook': {
    'webhook': { value: 'MODE', help: 'which process serves the webhook: here (each replica of this one), elsewhere (one that was started by `webhook start`), or off. With here and elsewhere applications may have what only the webhook can do', default: 'off', defaultHelp: 'off; here after `webhook start`' },
    'webhook-port': { value: 'PORT', help: 'where it is served', default: '9443' },
    'webhook-svc-name': { value: 'NAME', help: 'the Service by which the API server reaches it; its name is in the certificate', default: 'spark-operator-webhook-svc' },
    'webhook-svc-namespace': { value: 'NAME', help: 'namespace of the Service', defaultHelp: "the operator's own" },
    'webhook-secret-name': { value: 'NAME', help: 'the Secret in which CA and certificate are kept; it has to be there', default: 'spark-operator-webhook-certs' },
    'webhook-secret-namespace': { value: 'NAME', help: 'namespace of the Secret', defaultHelp: 'that of the Service' },
    'mutating-webhook-name': { value: 'NAME', help: 'the MutatingWebhookConfiguration that gets the CA; it has to be there', defaultHelp: 'spark-operator-NAMESPACE, with the namespace of the Service' },
    'validating-webhook-name': { value: 'NAME', help: 'the ValidatingWebhookConfiguration that gets the CA; it has to be there', defaultHelp: 'spark-operator-NAMESPACE, with the namespace of the Service' },
    'webhook-certificate-lifetime': { value: 'DURATION', help: 'how long a certificate is valid that the operator makes; it is replaced long before', default: '2160h' },
    'enable-cert-manager': { value: BOOLEAN, help: 'whether cert-manager makes the certificate: it is read from files, and read again when they change', default: 'false' },
    'webhook-cert-dir': { value: 'PATH', help: 'folder in which the Secret of the certificate is mounted; if it is given, the certificate comes from there without cert-manager, too', default: '/etc/k8s-webhook-server/serving-certs' },
    'webhook-cert-name': { value: 'FILE', help: 'file of the certificate in that folder', default: 'tls.crt' },
    'webhook-key-name': { value: 'FILE', help: 'file of the private key in that folder', default: 'tls.key' },
    'webhook-tls-min-version': { value: 'VERSION', help: 'the oldest TLS that is spoken: VersionTLS12 or VersionTLS13', default: 'VersionTLS12' },
    'enable-resource-quota-enforcement': { value: BOOLEAN, help: 'whether applications are refused that do not fit into the ResourceQuotas of their namespace', default: 'false' },
  },
  'The Kubernetes API': {
    'kubeconfig': { value: 'FILE', help: 'kubeconfig to use outside a cluster' },
    'context': { value: 'NAME', help: 'context of the kubeconfig', defaultHelp: 'its current context' },
    'kube-api-qps': { value: 'N', help: 'calls of the Kubernetes API a second, 0 for no limit; a submission takes seven. Reviews of the webhook have at most 200 of their own', default: '2000' },
    'kube-api-burst': { value: 'N', help: 'calls of the Kubernetes API at once', default: '4000' },
    'cache-sync-timeout': { value: 'DURATION', help: 'time after which the log reports caches that are not filled; the operator keeps trying', default: '30s' },
    'workqueue-ratelimiter-max-delay': { value: 'DURATION', help: 'longest pause before an application is looked at again that could not be dealt with; more than 1m counts as 1m', default: '1m' },
  },
  'What it tells': {
    'log-level': { value: 'LEVEL', help: `what is logged: ${LOG_LEVELS.join(', ')}`, default: 'info' },
    'zap-log-level': { value: 'LEVEL', help: "the same by kubeflow's name; a number of 1 or more is debug" },
    'enable-metrics': { value: BOOLEAN, help: 'whether /metrics is served', default: 'true' },
    'metrics-bind-address': { value: '[HOST]:PORT', help: 'where /metrics is served, 0 for nowhere', default: ':8080' },
    'metrics-prefix': { value: 'TEXT', help: 'what the names of metrics about applications begin with' },
    'metrics-labels': { value: 'NAME,…', help: 'labels of applications that their metrics get' },
    'metrics-job-submit-latency-buckets': { value: 'SECONDS,…', help: 'buckets of the time from creation to submission', default: '0.5,1,2,4,8,16,32,64,128,256' },
    'metrics-job-start-latency-buckets': { value: 'SECONDS,…', help: 'buckets of the time from creation to the start of the driver', default: '30,60,90,120,150,180,210,240,270,300' },
    'health-probe-bind-address': { value: '[HOST]:PORT', help: 'where /healthz and /readyz are served, 0 for nowhere', default: ':8081' },
  },
} as const satisfies Record<string, Record<string, Flag>>;

type Groups = typeof FLAG_GROUPS;
/** The name of a flag. */
export type FlagName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** All flags by name. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = Object.assign({}, ...Object.values(FLAG_GROUPS));

/** Flags that take no value. */
const ALONE = { version: 'print the version', help: 'print this' };

/** What --help prints. */
export function usage(): string {
  const lines = ['Runs the SparkApplications of a Kubernetes cluster.', '', 'spark-operator [flags]', 'spark-operator webhook start [flags]   serves the admission webhook, and does nothing else'];
  for (const [title, flags] of Object.entries<Record<string, Flag>>(FLAG_GROUPS)) {
    lines.push('', `${title}:`);
    for (const [name, flag] of Object.entries(flags)) lines.push(...described(`--${name}=${flag.value}`, flag));
  }
  lines.push('', ...Object.entries(ALONE).map(([name, help]) => `  --${name.padEnd(9)}${help}`));
  lines.push('', 'Durations are written like 90s, 5m or 1h30m.', 'Flags of kubeflow/spark-operator that mean nothing here are accepted, and the log says why.');
  return lines.join('\n');
}

const WIDTH = 100;

/** The flag on a line of its own, as many are too long for two columns. */
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
