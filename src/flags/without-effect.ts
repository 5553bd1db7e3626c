/**
 * Flags of kubeflow/spark-operator's controller and webhook without effect here, with the reasons.
 * The operator accepts them, so that kubeflow's manifests work unchanged, and logs the reason.
 */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'driver-pod-creation-grace-period': 'the operator reads from the API server whether a driver exists, and need not wait',
  'workqueue-ratelimiter-bucket-qps': 'each application has its own exponential backoff, and --kube-api-qps limits calls',
  'workqueue-ratelimiter-bucket-size': 'each application has its own exponential backoff, and --kube-api-burst limits calls',
  'metrics-endpoint': 'the path of the metrics is always /metrics',
  'secure-metrics': 'the metrics server uses HTTP without TLS; protect it by a NetworkPolicy or a proxy',
  'metric-tls-min-version': 'the metrics server uses HTTP without TLS',
  'metric-tls-cipher-suites': 'the metrics server uses HTTP without TLS',
  'label-selector-filter': "kubeflow's operator ignores it, too",
  'webhook-tls-cipher-suites': 'Node.js and the API server negotiate the cipher suites; --webhook-tls-min-version=VersionTLS13 limits '
    + 'them to those of TLS 1.3',
  'enable-http2': 'the servers use HTTP/1.1',
  'pprof-bind-address': 'this operator has no Go profiles; set NODE_OPTIONS=--cpu-prof for a profile of Node.js',
  'zap-devel': '--log-level and --log-encoder set the level and the format of the log',
  'zap-stacktrace-level': 'log entries of unexpected errors always contain the stack',
  'zap-time-encoding': 'the log has times in RFC 3339',
  'submitter-service-url': 'the operator submits applications itself',
  'submitter-startup-timeout': 'the operator submits applications itself',
  'submitter-request-timeout': 'the operator submits applications itself',
  'submitter-max-retries': 'the operator submits applications itself, and retries until --driver-start-timeout',
  'submitter-initial-backoff': 'the operator submits applications itself',
  'submitter-tls-enabled': 'the operator submits applications itself',
  'submitter-tls-cert-file': 'the operator submits applications itself',
  'submitter-tls-key-file': 'the operator submits applications itself',
  'submitter-tls-ca-file': 'the operator submits applications itself',
};

/** Flags of those that can be given without a value. */
const BOOLEANS = new Set(['secure-metrics', 'zap-devel', 'submitter-tls-enabled', 'enable-http2']);

/** Returns the reason why a flag of kubeflow's has no effect; undefined for all other flags. */
export function whyWithoutEffect(name: string): string | undefined {
  return Object.hasOwn(WITHOUT_EFFECT, name) ? WITHOUT_EFFECT[name] : undefined;
}

/** Whether a flag without effect can be given without a value. */
export function isBooleanWithoutEffect(name: string): boolean {
  return BOOLEANS.has(name);
}

/** Names of all flags without effect. */
export const NAMES_WITHOUT_EFFECT: readonly string[] = Object.keys(WITHOUT_EFFECT);
