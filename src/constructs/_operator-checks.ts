import { isOn } from './_operator-flags';
import { SubmissionMode, type SparkOperatorProps } from './spark-operator-props';

/** Flags that other parts of the installation depend on, and the properties that say the same. */
const RESERVED: Readonly<Record<string, string>> = {
  'namespaces': 'jobNamespaces or allNamespaces',
  'namespace-selector': 'namespaceSelector',
  'leader-election-lock-namespace': 'namespace',
  'enable-metrics': 'metrics: { enabled: false }',
  'metrics-bind-address': 'metrics',
  'health-probe-bind-address': 'nothing: the probes of the pods ask there',
};

/**
 * Refuses what could not be installed, or would not do what it says.
 *
 * @internal
 */
export function checkOperator(path: string, jobNamespaces: readonly string[], props: SparkOperatorProps, args: readonly string[]): void {
  const refuse = (reason: string) => new Error(`SparkOperator at ${path}: ${reason}`);
  const [problem] = [...namespaceProblems(jobNamespaces, props), ...numberProblems(props), ...sparkSubmitProblems(props), ...podProblems(props), ...leaseProblems(props, args)];
  if (problem !== undefined) throw refuse(problem);
  for (const flag of props.flags ?? []) {
    const name = /^--([^=]+)/.exec(flag)?.[1] ?? '';
    if (Object.hasOwn(RESERVED, name)) throw refuse(`flags has ${flag}, which does not go with the rest of what is installed; use ${RESERVED[name]}`);
  }
}

function* namespaceProblems(jobNamespaces: readonly string[], props: SparkOperatorProps): Generator<string> {
  const { allNamespaces, namespaceSelector } = props;
  if (allNamespaces && namespaceSelector) yield 'allNamespaces leaves namespaceSelector nothing to select; leave one of them out';
  if (namespaceSelector && Object.keys(namespaceSelector).length === 0) yield 'namespaceSelector is empty; name at least one label, or set allNamespaces';
  for (const [key, value] of Object.entries(namespaceSelector ?? {})) {
    if (!isLabel(key, value)) yield `namespaceSelector has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`;
  }
  for (const name of [...jobNamespaces, ...(props.namespace === undefined ? [] : [props.namespace])]) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      yield `${JSON.stringify(name)} is not the name of a namespace: use lower-case letters, digits and '-', at most 63`;
    }
  }
  const duplicate = jobNamespaces.find((name, index) => jobNamespaces.indexOf(name) !== index);
  if (duplicate !== undefined) yield `jobNamespaces names ${JSON.stringify(duplicate)} twice`;
}

function* numberProblems(props: SparkOperatorProps): Generator<string> {
  const { replicas, workers, maxTrackedExecutors, kubeApiQps, kubeApiBurst, timeToLive, resources = {} } = props;
  const isWhole = (value: number | undefined, least: number) => value === undefined || (Number.isInteger(value) && value >= least);
  if (!isWhole(replicas, 0)) yield `replicas is ${replicas}; write a whole number: 1, or 2 for one that stands by`;
  if (!isWhole(workers, 1)) yield `workers is ${workers}; write a whole number of at least 1`;
  if (!isWhole(maxTrackedExecutors, 0)) yield `maxTrackedExecutors is ${maxTrackedExecutors}; write a whole number of at least 0`;
  if (!isWhole(kubeApiQps, 0)) yield `kubeApiQps is ${kubeApiQps}; write a whole number, 0 for no limit`;
  if (!isWhole(kubeApiBurst, 1)) yield `kubeApiBurst is ${kubeApiBurst}; write a whole number of at least 1`;
  if (timeToLive && !(timeToLive.toMilliseconds() >= 1000 && timeToLive.toMilliseconds() % 1000 === 0)) yield 'timeToLive is no whole number of seconds; write at least Duration.seconds(1), or leave it out for never';
  const { cpuRequestMillis, cpuLimitMillis } = resources;
  for (const [name, value] of Object.entries({ cpuRequestMillis, cpuLimitMillis })) {
    if (!isWhole(value, 1)) yield `resources.${name} is ${value}; write a whole number of thousandths of a core`;
  }
}

function* sparkSubmitProblems(props: SparkOperatorProps): Generator<string> {
  const { submissionMode, sparkSubmit = submissionMode === SubmissionMode.SPARK_SUBMIT, proxy } = props;
  if (submissionMode === SubmissionMode.SPARK_SUBMIT && !sparkSubmit) {
    yield 'submissionMode is spark-submit, which sparkSubmit: false rules out; leave one of them out';
  }
  const ofNoUse = (['sparkSubmitOptions', 'caCertificates', 'proxy'] as const).find((name) => props[name] !== undefined);
  if (!sparkSubmit && ofNoUse) {
    yield `${ofNoUse} is for spark-submit only, which the operator does not run: all that it reaches itself is the API server; leave it out, or set sparkSubmit: true`;
  }
  for (const [name, url] of Object.entries({ httpProxy: proxy?.httpProxy, httpsProxy: proxy?.httpsProxy })) {
    if (url !== undefined && !/^https?:\/\/[^/\s@]+:\d+\/?$/.test(url)) {
      yield `proxy.${name} is not a URL of a proxy without a password; write for example http://proxy.example.org:3128`;
    }
  }
}

function* podProblems({ podLabels = {}, env = [] }: SparkOperatorProps): Generator<string> {
  for (const [key, value] of Object.entries(podLabels)) {
    if (key === 'app.kubernetes.io/name') yield `podLabels has ${key}, by which the Deployment finds its pods; leave it out`;
    else if (!isLabel(key, value)) yield `podLabels has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`;
  }
  const reserved = env.find(({ name }) => ['POD_NAME', 'POD_NAMESPACE'].includes(name));
  if (reserved) yield `env has ${reserved.name}, which says who and where the operator is; leave it out`;
}

function* leaseProblems({ replicas = 1, leaderElection = {} }: SparkOperatorProps, args: readonly string[]): Generator<string> {
  if (replicas > 1 && !isOn(args, 'leader-election', true)) yield `replicas is ${replicas} and --leader-election=false: all of them would work at the same time; leave the flag out`;
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const [lease, deadline, period] = [leaseDuration?.toMilliseconds() ?? 15_000, renewDeadline?.toMilliseconds() ?? 10_000, retryPeriod?.toMilliseconds() ?? 2_000];
  if (lease < 1000 || lease % 1000 !== 0) yield `leaderElection.leaseDuration is ${lease} ms; a Lease counts in whole seconds`;
  if (lease <= deadline) yield `leaderElection.leaseDuration (${lease} ms) has to be longer than renewDeadline (${deadline} ms), or two replicas could work at once`;
  if (period <= 0) yield 'leaderElection.retryPeriod has to be longer than 0';
  if (deadline <= period * 1.2) yield `leaderElection.renewDeadline (${deadline} ms) has to be longer than 1.2 times retryPeriod (${period} ms), or one slow call would cost the lead`;
}

function isLabel(key: string, value: string): boolean {
  return /^([a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(key) && /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/.test(value);
}
