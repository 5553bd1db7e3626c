import { wrongNumber, wrongSize } from '../props/_check';
import { consoleViolations } from './_console-checks';
import { found, VARIABLE_NAME, wrongName } from '../props/_names';
import { isOn, listOf, valueOf } from '../flags/arguments';
import { webhookViolations } from './_webhook-checks';
import type { OperatorNetworkPolicy } from './operator-network-policy';
import { SubmissionMode, type SparkOperatorProps } from './spark-operator-props';
import { SCHEDULER_NAMES } from '../api/batch-schedulers';
import type { Violation } from '../model/problem';
import { violationText } from '../model/violation-text';

/** Flags that other parts of the installation depend on, and the properties that say the same. */
const RESERVED: Readonly<Record<string, string>> = {
  'namespaces': 'jobNamespaces or allNamespaces',
  'namespace-selector': 'namespaceSelector',
  'leader-election-lock-namespace': 'namespace',
  'enable-metrics': 'metrics: { enabled: false }',
  'metrics-bind-address': 'metrics',
  'health-probe-bind-address': 'nothing: the probes of the pods ask there',
  'webhook': 'webhook',
  'webhook-port': 'webhook: { port }',
  'webhook-svc-name': 'nothing: the Service is made with it',
  'webhook-svc-namespace': 'namespace',
  'webhook-secret-name': 'webhook: { certificates }',
  'webhook-secret-namespace': 'namespace',
  'webhook-certificate-lifetime': 'webhook: { certificates }',
  'webhook-cert-dir': 'webhook: { certificates }',
  'webhook-cert-name': 'webhook: { certificates }',
  'webhook-key-name': 'webhook: { certificates }',
  'mutating-webhook-name': 'nothing: the configuration is made with it',
  'validating-webhook-name': 'nothing: the configuration is made with it',
  'enable-cert-manager': 'webhook: { certificates }',
  'enable-resource-quota-enforcement': 'webhook: { resourceQuotas: true }',
};

/**
 * Refuses what could not be installed, or would not do what it says.
 *
 * @internal
 */
export function checkOperator(path: string, namespace: string, jobNamespaces: readonly string[], props: SparkOperatorProps, args: readonly string[]): void {
  const refuse = (reason: string) => new Error(`SparkOperator at ${path}: ${reason}`);
  const [problem] = [
    ...namespaceProblems(namespace, jobNamespaces, props),
    ...nameProblems(props, args),
    ...numberProblems(props),
    ...sparkSubmitProblems(props),
    ...podProblems(props),
    ...leaseProblems(props, args),
    ...networkProblems(props.networkPolicy),
    ...batchSchedulingProblems(props, args),
    ...webhookViolations(props, valueOf(args, 'defaults-config-map') || undefined).map(violationText),
    ...consoleViolations(props).map(violationText),
  ];
  if (problem !== undefined) throw refuse(problem);
  const nobodys = (props.flags ?? []).findIndex((flag, index, flags) => !isFlag(flag) && !(isFlag(flags[index - 1]) && !flags[index - 1]!.includes('=')));
  if (nobodys >= 0) throw refuse(`flags has ${JSON.stringify(props.flags![nobodys])}, which is neither a flag nor the value of the one before; flags begin with --`);
  for (const flag of props.flags ?? []) {
    const name = /^--([^=]+)/.exec(flag)?.[1] ?? '';
    if (Object.hasOwn(RESERVED, name)) throw refuse(`flags has ${flag}, which does not go with the rest of what is installed; use ${RESERVED[name]}`);
  }
}

/** The operator would not start. */
function* batchSchedulingProblems({ batchScheduling: { kubeSchedulers = [], defaultScheduler } = {} }: SparkOperatorProps, args: readonly string[]): Generator<string> {
  for (const [index, name] of kubeSchedulers.entries()) {
    const wrong = wrongName(`batchScheduling: kubeSchedulers[${index}]`, name);
    if (wrong) yield violationText(wrong);
    if (SCHEDULER_NAMES.includes(name)) yield `batchScheduling: kubeSchedulers has ${JSON.stringify(name)}, which is known by its name as another scheduler; leave it out`;
  }
  // A flag beside the properties counts.
  const known = [...SCHEDULER_NAMES, ...listOf(args, 'kube-scheduler-names')];
  const chosen = valueOf(args, 'default-batch-scheduler');
  if (chosen !== undefined && !known.includes(chosen) && (chosen !== '' || defaultScheduler === '')) {
    const where = chosen === defaultScheduler ? 'batchScheduling: defaultScheduler' : 'flags: --default-batch-scheduler';
    yield `${where} (${JSON.stringify(chosen)}) is none that the operator would know; use one of ${known.join(', ')}, or name it in kubeSchedulers, too`;
  }
}

function isFlag(text: string | undefined): boolean {
  return text !== undefined && /^--[^=]/.test(text);
}

/**
 * Why applications must not run beside the operator.
 *
 * @internal
 */
export function ownNamespaceProblem(namespace: string): string {
  return `${JSON.stringify(namespace)} is the operator's own namespace: a driver there could make pods that run as the operator, with all of its rights; give the operator a namespace of its own, or name others for applications`;
}

function* namespaceProblems(namespace: string, jobNamespaces: readonly string[], props: SparkOperatorProps): Generator<string> {
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
  if (jobNamespaces.includes(namespace)) yield `${props.jobNamespaces ? '' : 'without jobNamespaces, applications run in "default"; '}${ownNamespaceProblem(namespace)}`;
  const duplicate = jobNamespaces.find((name, index) => jobNamespaces.indexOf(name) !== index);
  if (duplicate !== undefined) yield `jobNamespaces names ${JSON.stringify(duplicate)} twice`;
}

/** Names that nobody but the cluster would refuse, or, as with the empty name of a Lease, nobody at all. */
function* nameProblems(props: SparkOperatorProps, args: readonly string[]): Generator<string> {
  const { leaderElection = {}, imagePullSecrets = [], caCertificates } = props;
  // Of flags the last one counts. An empty name of a ConfigMap is none.
  yield* found([
    wrongName('serviceAccountName', props.serviceAccountName),
    wrongName('defaultsConfigMap', props.defaultsConfigMap),
    wrongName('--defaults-config-map', valueOf(args, 'defaults-config-map') || undefined),
    wrongName('leaderElection.leaseName', leaderElection.leaseName),
    wrongName('--leader-election-lock-name', valueOf(args, 'leader-election-lock-name')),
    wrongName('priorityClassName', props.priorityClassName),
    wrongName('caCertificates.configMapName', caCertificates?.configMapName),
    ...imagePullSecrets.map((name, index) => wrongName(`imagePullSecrets[${index}]`, name)),
  ]).map(violationText);
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
  yield* found([wrongSize('resources.memoryRequest', resources.memoryRequest), wrongSize('resources.memoryLimit', resources.memoryLimit)]).map(violationText);
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
    if (url !== undefined && !/^https?:\/\/([\w.-]+|\[[\da-fA-F:.]+\]):\d+\/?$/.test(url)) {
      yield `proxy.${name} is not a URL of a proxy without a password; write for example http://proxy.example.org:3128`;
    }
  }
  const noHost = proxy?.noProxy?.find((host) => !/^[\w.:[\]-]+(\/\d+)?$/.test(host));
  if (noHost !== undefined) {
    yield `proxy.noProxy has ${JSON.stringify(noHost)}, which is neither a host nor a domain; write for example .example.org, without blanks and '*', for a domain and all in it`;
  }
}

function* podProblems({ podLabels = {}, env = [] }: SparkOperatorProps): Generator<string> {
  for (const [key, value] of Object.entries(podLabels)) {
    if (key === 'app.kubernetes.io/name') yield `podLabels has ${key}, by which the Deployment finds its pods; leave it out`;
    else if (!isLabel(key, value)) yield `podLabels has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`;
  }
  const nameless = env.findIndex(({ name }) => !VARIABLE_NAME.test(name));
  if (nameless >= 0) yield `env[${nameless}].name (${JSON.stringify(env[nameless]!.name)}) is not the name of a variable: use letters, digits, '_', '-' and '.', and begin with no digit`;
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

/** An empty list of a rule's ports or peers means all of them to Kubernetes, which nobody means who writes one. */
function* networkProblems({ apiServerPorts, egressTo = [] }: OperatorNetworkPolicy = {}): Generator<string> {
  const isEmpty = (path: string, list: readonly unknown[] | undefined, remedy: string): Violation | undefined => (
    list?.length === 0 ? { path: `networkPolicy.${path}`, value: undefined, reason: `is empty; ${remedy}` } : undefined
  );
  yield* found([
    isEmpty('apiServerPorts', apiServerPorts, 'name at least one port, or leave it out for 443 and 6443'),
    ...(apiServerPorts ?? []).map((port, index) => wrongNumber(`networkPolicy.apiServerPorts[${index}]`, port, 1, 65535)),
    ...egressTo.flatMap(({ peers, ports }, index) => [
      isEmpty(`egressTo[${index}].peers`, peers, 'name at least one, such as NetworkPeer.anywhere(), or leave out the whole entry'),
      isEmpty(`egressTo[${index}].ports`, ports, 'name at least one port, or leave it out for all'),
    ]),
  ]).map(violationText);
}

function isLabel(key: string, value: string): boolean {
  return /^([a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(key) && /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/.test(value);
}
