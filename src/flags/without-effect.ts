/**
 * Flags of kubeflow/spark-operator's controller and webhook that mean nothing here, and why. They are accepted, so that its manifests can be used as they
 * are, and the log says what is in the table.
 */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'driver-pod-creation-grace-period': 'whether a driver exists is read from the API server, so that there is nothing to wait for',
  'workqueue-ratelimiter-bucket-qps': 'retries are spread by pauses that grow for each application, and calls are limited by --kube-api-qps',
  'workqueue-ratelimiter-bucket-size': 'retries are spread by pauses that grow for each application, and calls are limited by --kube-api-burst',
  'metrics-endpoint': 'metrics are served at /metrics',
  'secure-metrics': 'metrics are served by HTTP without TLS; let a NetworkPolicy or a proxy protect them',
  'metric-tls-min-version': 'metrics are served by HTTP without TLS',
  'metric-tls-cipher-suites': 'metrics are served by HTTP without TLS',
  'label-selector-filter': 'it has none there either',
  'webhook-tls-cipher-suites': 'the cipher suites are those that Node.js and the API server agree upon; --webhook-tls-min-version=VersionTLS13 leaves only those of TLS 1.3',
  'enable-http2': 'HTTP/1.1 is spoken',
  'pprof-bind-address': 'there are no profiles of Go; set NODE_OPTIONS=--cpu-prof for one of Node.js',
  'zap-devel': 'the log is JSON with one line an entry',
  'zap-encoder': 'the log is JSON with one line an entry',
  'zap-stacktrace-level': 'unexpected errors always come with their stack',
  'zap-time-encoding': 'times are in RFC 3339',
  'submitter-service-url': 'the operator submits applications itself',
  'submitter-startup-timeout': 'the operator submits applications itself',
  'submitter-request-timeout': 'the operator submits applications itself',
  'submitter-max-retries': 'the operator submits applications itself, and tries again until --driver-start-timeout',
  'submitter-initial-backoff': 'the operator submits applications itself',
  'submitter-tls-enabled': 'the operator submits applications itself',
  'submitter-tls-cert-file': 'the operator submits applications itself',
  'submitter-tls-key-file': 'the operator submits applications itself',
  'submitter-tls-ca-file': 'the operator submits applications itself',
};

/** Those of them that may be given without a value. */
const BOOLEANS = new Set(['secure-metrics', 'zap-devel', 'submitter-tls-enabled', 'enable-http2']);

/** Why a flag of kubeflow's has no effect; undefined for all others. */
export function whyWithoutEffect(name: string): string | undefined {
  return Object.hasOwn(WITHOUT_EFFECT, name) ? WITHOUT_EFFECT[name] : undefined;
}

/** Whether such a flag may be given without a value. */
export function isBooleanWithoutEffect(name: string): boolean {
  return BOOLEANS.has(name);
}

/** The names of all of them. */
export const NAMES_WITHOUT_EFFECT: readonly string[] = Object.keys(WITHOUT_EFFECT);
