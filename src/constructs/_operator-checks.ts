import { wrongNumber, wrongSize } from '../props/_check';
import { consoleViolations } from './_console-checks';
import { found, isDnsLabel, isLabelKey, isLabelValue, VARIABLE_NAME, wrongName } from '../rules/names';
import { isOn, listOf, valueOf } from '../flags/arguments';
import { parseCommandLine } from '../flags/parse';
import { UsageError } from '../text/usage-error';
import { webhookViolations } from './_webhook-checks';
import type { OperatorNetworkPolicy } from './operator-network-policy';
import type { SparkOperatorProps } from './spark-operator-props';
import { SCHEDULER_NAMES } from '../api/batch-schedulers';
import { problemText } from '../model/problem';

/** Flags on which other parts of the installation depend, and the properties that set them. */
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

/** Returns why the operator would not start with flags. */
function unknownFlagOf(flags: readonly string[]): string | undefined {
  try {
    parseCommandLine(flags);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n')[0];
    throw error;
  }
}

/**
 * Throws an error for props that cannot be installed, or that have no effect.
 *
 * @internal
 */
export function checkOperator(
  path: string, namespace: string, jobNamespaces: readonly string[], props: SparkOperatorProps, args: readonly string[],
): void {
  const reject = (reason: string) => new Error(`SparkOperator at ${path}: ${reason}`);
  const [problem] = [
    ...namespaceProblems(namespace, jobNamespaces, props),
    ...nameProblems(props, args),
    ...numberProblems(props),
    ...podProblems(props),
    ...leaseProblems(props, args),
    ...networkProblems(props.networkPolicy),
    ...batchSchedulingProblems(props, args),
    ...webhookViolations(props, valueOf(args, 'defaults-config-map') || undefined).map(problemText),
    ...consoleViolations(props).map(problemText),
  ];
  if (problem !== undefined) throw reject(problem);
  const unexpected = (props.flags ?? []).findIndex((flag, index, flags) => !isFlag(flag)
    && !(isFlag(flags[index - 1]) && !flags[index - 1]!.includes('=')));
  if (unexpected >= 0) {
    throw reject(
      `flags has ${JSON.stringify(props.flags![unexpected])}, which is neither a flag nor the value of a flag; flags begin with --`,
    );
  }
  const unknown = unknownFlagOf(props.flags ?? []);
  if (unknown !== undefined) throw reject(`flags: ${unknown}`);
  for (const flag of props.flags ?? []) {
    const name = /^--([^=]+)/.exec(flag)?.[1] ?? '';
    if (Object.hasOwn(RESERVED, name)) {
      throw reject(`flags has ${flag}, which conflicts with other parts of the installation; use ${RESERVED[name]}`);
    }
  }
}

/** With an unknown scheduler the operator would not start. */
function* batchSchedulingProblems(
  { batchScheduling: { kubeSchedulers = [], defaultScheduler } = {} }: SparkOperatorProps, args: readonly string[],
): Generator<string> {
  for (const [index, name] of kubeSchedulers.entries()) {
    const wrong = wrongName(`batchScheduling: kubeSchedulers[${index}]`, name);
    if (wrong) yield problemText(wrong);
    if (SCHEDULER_NAMES.includes(name)) {
      yield `batchScheduling: kubeSchedulers has ${JSON.stringify(name)}, which is the name of a built-in scheduler; leave it out`;
    }
  }
  // A flag takes precedence over the properties.
  const known = [...SCHEDULER_NAMES, ...listOf(args, 'kube-scheduler-names')];
  const chosen = valueOf(args, 'default-batch-scheduler');
  if (chosen !== undefined && !known.includes(chosen) && (chosen !== '' || defaultScheduler === '')) {
    const where = chosen === defaultScheduler ? 'batchScheduling: defaultScheduler' : 'flags: --default-batch-scheduler';
    yield `${where} = ${JSON.stringify(chosen)} is unknown to the operator; use one of ${known.join(', ')}, or add it to kubeSchedulers`;
  }
}

function isFlag(text: string | undefined): boolean {
  return text !== undefined && /^--[^=]/.test(text);
}

/**
 * Returns the reason why applications must not run in the operator's namespace.
 *
 * @internal
 */
export function ownNamespaceProblem(namespace: string): string {
  return `${JSON.stringify(namespace)} is the operator's own namespace: a driver there could create pods that run as the operator, with all its permissions; give the operator its own namespace, or choose others for applications`;
}

function* namespaceProblems(namespace: string, jobNamespaces: readonly string[], props: SparkOperatorProps): Generator<string> {
  const { allNamespaces, namespaceSelector } = props;
  if (allNamespaces && namespaceSelector) yield 'namespaceSelector has no effect with allNamespaces; leave one of them out';
  if (namespaceSelector && Object.keys(namespaceSelector).length === 0) {
    yield 'namespaceSelector is empty; add at least one label, or set allNamespaces';
  }
  for (const [key, value] of Object.entries(namespaceSelector ?? {})) {
    if (!(isLabelKey(key) && isLabelValue(value))) yield `namespaceSelector has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`;
  }
  for (const name of [...jobNamespaces, ...(props.namespace === undefined ? [] : [props.namespace])]) {
    if (!isDnsLabel(name)) {
      yield `${JSON.stringify(name)} is not the name of a namespace: use lower-case letters, digits and '-', at most 63`;
    }
  }
  if (jobNamespaces.includes(namespace)) {
    yield `${props.jobNamespaces ? '' : 'without jobNamespaces, applications run in "default"; '}${ownNamespaceProblem(namespace)}`;
  }
  const duplicate = jobNamespaces.find((name, index) => jobNamespaces.indexOf(name) !== index);
  if (duplicate !== undefined) yield `jobNamespaces names ${JSON.stringify(duplicate)} twice`;
}

/**
 * Checks names that otherwise only the cluster would reject, or, such as an empty name of a Lease,
 * no component.
 */
function* nameProblems(props: SparkOperatorProps, args: readonly string[]): Generator<string> {
  const { leaderElection = {}, imagePullSecrets = [] } = props;
  // The last flag takes precedence. An empty name of a ConfigMap means none.
  yield* found([
    wrongName('serviceAccountName', props.serviceAccountName),
    wrongName('defaultsConfigMap', props.defaultsConfigMap),
    wrongName('--defaults-config-map', valueOf(args, 'defaults-config-map') || undefined),
    wrongName('leaderElection.leaseName', leaderElection.leaseName),
    wrongName('--leader-election-lock-name', valueOf(args, 'leader-election-lock-name')),
    wrongName('priorityClassName', props.priorityClassName),
    ...imagePullSecrets.map((name, index) => wrongName(`imagePullSecrets[${index}]`, name)),
  ]).map(problemText);
}

function* numberProblems(props: SparkOperatorProps): Generator<string> {
  const { replicas, workers, maxTrackedExecutors, kubeApiQps, kubeApiBurst, timeToLive, resources = {} } = props;
  const isWhole = (value: number | undefined, least: number) => value === undefined || (Number.isInteger(value) && value >= least);
  if (!isWhole(replicas, 0)) yield `replicas is ${replicas}; write a whole number: 1, or 2 for a standby`;
  if (!isWhole(workers, 1)) yield `workers is ${workers}; write a whole number of at least 1`;
  if (!isWhole(maxTrackedExecutors, 0)) yield `maxTrackedExecutors is ${maxTrackedExecutors}; write a whole number of at least 0`;
  if (!isWhole(kubeApiQps, 0)) yield `kubeApiQps is ${kubeApiQps}; write a whole number, 0 for no limit`;
  if (!isWhole(kubeApiBurst, 1)) yield `kubeApiBurst is ${kubeApiBurst}; write a whole number of at least 1`;
  if (timeToLive && !(timeToLive.toMilliseconds() >= 1000 && timeToLive.toMilliseconds() % 1000 === 0)) {
    yield 'timeToLive is not a whole number of seconds; write at least Duration.seconds(1), or leave it out to keep applications';
  }
  yield* found([
    wrongSize('resources.memoryRequest', resources.memoryRequest), wrongSize('resources.memoryLimit', resources.memoryLimit),
  ]).map(problemText);
  const { cpuRequestMillis, cpuLimitMillis } = resources;
  for (const [name, value] of Object.entries({ cpuRequestMillis, cpuLimitMillis })) {
    if (!isWhole(value, 1)) yield `resources.${name} is ${value}; write a whole number of millicores`;
  }
}

function* podProblems({ podLabels = {}, env = [] }: SparkOperatorProps): Generator<string> {
  for (const [key, value] of Object.entries(podLabels)) {
    if (key === 'app.kubernetes.io/name') yield `podLabels has ${key}, which the Deployment uses to select its pods; leave it out`;
    else if (!(isLabelKey(key) && isLabelValue(value))) yield `podLabels has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`;
  }
  const nameless = env.findIndex(({ name }) => !VARIABLE_NAME.test(name));
  if (nameless >= 0) {
    yield `env[${nameless}].name = ${JSON.stringify(env[nameless]!.name)} is not the name of a variable: use letters, digits, '_', '-' and '.', and do not begin with a digit`;
  }
  const reserved = env.find(({ name }) => ['POD_NAME', 'POD_NAMESPACE'].includes(name));
  if (reserved) yield `env has ${reserved.name}, which the construct sets; leave it out`;
}

function* leaseProblems({ replicas = 1, leaderElection = {} }: SparkOperatorProps, args: readonly string[]): Generator<string> {
  if (replicas > 1 && !isOn(args, 'leader-election', true)) {
    yield `replicas is ${replicas} and --leader-election=false: all of them would be active at the same time; leave the flag out`;
  }
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const [lease, deadline, period] = [
    leaseDuration?.toMilliseconds() ?? 15_000, renewDeadline?.toMilliseconds() ?? 10_000, retryPeriod?.toMilliseconds() ?? 2_000,
  ];
  if (lease < 1000 || lease % 1000 !== 0) yield `leaderElection.leaseDuration is ${lease} ms; a Lease has whole seconds; round it`;
  if (lease <= deadline) {
    yield `leaderElection.leaseDuration (${lease} ms) must be longer than renewDeadline (${deadline} ms), otherwise two replicas could be active at once`;
  }
  if (period <= 0) yield 'leaderElection.retryPeriod must be longer than 0';
  if (deadline <= period * 1.2) {
    yield `leaderElection.renewDeadline (${deadline} ms) must be longer than 1.2 times retryPeriod (${period} ms), otherwise one slow call would lose the leadership`;
  }
}

/**
 * Rejects an empty list of ports, which Kubernetes treats as all of them; this is never intended.
 */
function* networkProblems({ apiServerPorts }: OperatorNetworkPolicy = {}): Generator<string> {
  yield* found([
    apiServerPorts?.length === 0
      ? { path: 'networkPolicy.apiServerPorts', reason: 'is empty; add at least one port, or leave it out for 443 and 6443' }
      : undefined,
    ...(apiServerPorts ?? []).map((port, index) => wrongNumber(`networkPolicy.apiServerPorts[${index}]`, port, 1, 65535)),
  ]).map(problemText);
}
