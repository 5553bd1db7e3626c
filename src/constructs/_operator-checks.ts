import { wrongNumber, wrongSeconds } from '../props/_check';
import { consoleViolations } from './_console-checks';
import { identityViolations } from './_operator-account-checks';
import type { OperatorContext } from './_operator-context';
import { HEALTH_PORT, metricsPort, operatorFlags } from './_operator-flags';
import { podViolations } from './_operator-pod-checks';
import { problemOfSelector } from '../rules/label-selector';
import { wrongLabels } from '../rules/metadata';
import { found, isDnsLabel, wrongName } from '../rules/names';
import { isOn, listOf, valueOf } from '../flags/arguments';
import { parseCommandLine } from '../flags/parse';
import { UsageError } from '../text/usage-error';
import { parseConfiguration } from '../flags/configuration';
import { webhookViolations } from './_webhook-checks';
import type { OperatorNetworkPolicy } from './operator-network-policy';
import type { SparkOperatorProps } from './spark-operator-props';
import { SCHEDULER_NAMES } from '../api/batch-schedulers';
import type { Problem } from '../model/problem';

/** Flags on which other parts of the installation depend, and the properties that set them. */
const RESERVED: Readonly<Record<string, string>> = {
  'namespaces': 'jobNamespaces or allNamespaces',
  'namespace-selector': 'namespaceSelector or namespaceSelectorExpression',
  'leader-election-lock-namespace': 'namespace',
  'enable-metrics': 'metrics: { enabled: false }',
  'metrics-bind-address': 'metrics: { port }',
  'health-probe-bind-address': 'nothing: the probes of the pods ask there',
  'webhook': 'webhook',
  'webhook-port': 'webhook: { port }',
  'webhook-svc-name': 'name or naming',
  'webhook-svc-namespace': 'namespace',
  'webhook-secret-name': 'webhook: { certificates }',
  'webhook-secret-namespace': 'namespace',
  'webhook-certificate-lifetime': 'webhook: { certificates }',
  'webhook-cert-dir': 'webhook: { certificates }',
  'webhook-cert-name': 'webhook: { certificates }',
  'webhook-key-name': 'webhook: { certificates }',
  'mutating-webhook-name': 'name or naming',
  'validating-webhook-name': 'name or naming',
  'enable-cert-manager': 'webhook: { certificates }',
  'enable-resource-quota-enforcement': 'webhook: { resourceQuotas: true }',
};

/**
 * Returns the problems of props that cannot be installed, or that have no effect.
 *
 * @internal
 */
export function operatorViolations(context: OperatorContext): Problem[] {
  const { namespace, jobNamespaces, props } = context;
  const args = operatorFlags(props, context);
  const wrong = [
    ...namespaceViolations(namespace, jobNamespaces, props),
    ...identityViolations(context),
    ...nameViolations(props),
    ...numberViolations(props),
    ...podViolations(context),
    ...leaseViolations(props, args),
    ...networkViolations(props.networkPolicy),
    ...batchSchedulingViolations(props, args),
    ...webhookViolations(props, valueOf(args, 'defaults-config-map') || undefined),
    ...consoleViolations(props),
    ...flagViolations(props.flags ?? []),
  ];
  return wrong.length > 0 ? wrong : usageViolations(() => parseConfiguration(args, { inCluster: true, namespace }));
}

function flagViolations(flags: readonly string[]): Problem[] {
  const unexpected = flags.findIndex((flag, index) => !isFlag(flag) && !(isFlag(flags[index - 1]) && !flags[index - 1]!.includes('=')));
  if (unexpected >= 0) {
    return [{
      path: `flags[${unexpected}]`, value: flags[unexpected], reason: 'is neither a flag nor the value of a flag', remedy: 'flags begin with --',
    }];
  }
  return [
    ...usageViolations(() => parseCommandLine(flags)),
    ...flags.flatMap((flag, index) => {
      const name = /^--([^=]+)/.exec(flag)?.[1] ?? '';
      return Object.hasOwn(RESERVED, name) ? [{
        path: `flags[${index}]`, value: flag, reason: 'conflicts with other parts of the installation', remedy: `use ${RESERVED[name]}`,
      }] : [];
    }),
  ];
}

/** Returns why the operator would not start. */
function usageViolations(parse: () => unknown): Problem[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.split('\n').filter((line) => line.startsWith('-')).map((reason) => ({ path: 'flags:', reason }));
  }
}

function isFlag(text: string | undefined): boolean {
  return text !== undefined && /^--[^=]/.test(text);
}

/** With an unknown scheduler the operator would not start. */
function batchSchedulingViolations(
  { batchScheduling: { kubeSchedulers = [], defaultScheduler } = {} }: SparkOperatorProps, args: readonly string[],
): Problem[] {
  // A flag takes precedence over the properties.
  const known = [...SCHEDULER_NAMES, ...listOf(args, 'kube-scheduler-names')];
  const chosen = valueOf(args, 'default-batch-scheduler');
  const isUnknown = chosen !== undefined && !known.includes(chosen) && (chosen !== '' || defaultScheduler === '');
  return found([
    ...kubeSchedulers.flatMap((name, index) => {
      const path = `batchScheduling.kubeSchedulers[${index}]`;
      return [
        wrongName(path, name),
        SCHEDULER_NAMES.includes(name) ? { path, value: name, reason: 'is the name of a built-in scheduler', remedy: 'leave it out' } : undefined,
      ];
    }),
    isUnknown ? {
      path: chosen === defaultScheduler ? 'batchScheduling.defaultScheduler' : 'flags: --default-batch-scheduler', value: chosen,
      reason: 'is unknown to the operator', remedy: `use one of ${known.join(', ')}, or add it to kubeSchedulers`,
    } : undefined,
  ]);
}

/**
 * Returns the problem of applications in the operator's namespace.
 *
 * @internal
 */
export function ownNamespaceProblem(path: string, value: string): Problem {
  return {
    path, value,
    reason: "is the operator's own namespace: a driver there could create pods that run as the operator, with all its permissions",
    remedy: 'give the operator its own namespace, or choose others for applications',
  };
}

function namespaceViolations(namespace: string, jobNamespaces: readonly string[], props: SparkOperatorProps): Problem[] {
  const { allNamespaces, namespaceSelector, namespaceSelectorExpression: expression } = props;
  const problem = expression === undefined ? undefined : problemOfSelector(expression);
  const names = [...jobNamespaces.map((name, index) => ({ path: `jobNamespaces[${index}]`, name })), { path: 'namespace', name: namespace }];
  const own = jobNamespaces.indexOf(namespace);
  const ofOwn = ownNamespaceProblem(`jobNamespaces[${own}]`, namespace);
  return found([
    allNamespaces && namespaceSelector
      ? { path: 'namespaceSelector', reason: 'has no effect with allNamespaces', remedy: 'leave one of them out' } : undefined,
    namespaceSelector && Object.keys(namespaceSelector).length === 0
      ? { path: 'namespaceSelector', reason: 'is empty', remedy: 'add at least one label, or set allNamespaces' } : undefined,
    ...wrongLabels('namespaceSelector', namespaceSelector),
    allNamespaces && expression !== undefined
      ? { path: 'namespaceSelectorExpression', reason: 'has no effect with allNamespaces', remedy: 'leave one of them out' } : undefined,
    problem === undefined ? undefined : {
      path: 'namespaceSelectorExpression', value: expression, reason: `is not a label selector, as ${problem}`,
      remedy: 'write requirements such as team=data,env in (test,prod),!legacy',
    },
    ...names.map(({ path, name }) => (isDnsLabel(name) ? undefined : {
      path, value: name, reason: 'is not the name of a namespace', remedy: "use lower-case letters, digits and '-', at most 63",
    })),
    own < 0 ? undefined : { ...ofOwn, ...(!props.jobNamespaces && { path: 'namespace', reason: `${ofOwn.reason}, and without jobNamespaces applications run there` }) },
    ...jobNamespaces.map((name, index) => (jobNamespaces.indexOf(name) === index
      ? undefined
      : { path: `jobNamespaces[${index}]`, value: name, reason: 'is in the list twice', remedy: 'leave it out' })),
  ]);
}

/**
 * Checks names that otherwise only the cluster would reject, or, such as an empty name of a Lease,
 * no component.
 */
function nameViolations(props: SparkOperatorProps): Problem[] {
  const { leaderElection = {} } = props;
  // The last flag takes precedence. An empty name of a ConfigMap means none.
  return found([
    wrongName('defaultsConfigMapName', props.defaultsConfigMapName),
    wrongName('flags: --defaults-config-map', valueOf(props.flags ?? [], 'defaults-config-map') || undefined),
    wrongName('leaderElection.leaseName', leaderElection.leaseName),
    wrongName('flags: --leader-election-lock-name', valueOf(props.flags ?? [], 'leader-election-lock-name')),
  ]);
}

function numberViolations(props: SparkOperatorProps): Problem[] {
  return found([
    wrongNumber('replicas', props.replicas, 0),
    wrongNumber('workers', props.workers, 1),
    wrongNumber('maxTrackedExecutors', props.maxTrackedExecutors, 0),
    wrongNumber('kubeApiQps', props.kubeApiQps, 0),
    wrongNumber('kubeApiBurst', props.kubeApiBurst, 1),
    wrongSeconds('timeToLive', props.timeToLive),
    wrongNumber('metrics.port', props.metrics?.port, 1, 65535),
    metricsPort(props) === HEALTH_PORT ? {
      path: 'metrics.port', value: HEALTH_PORT, reason: 'is the port of the health probes; choose another one, such as 8080',
    } : undefined,
  ]);
}

function leaseViolations({ replicas = 1, leaderElection = {} }: SparkOperatorProps, args: readonly string[]): Problem[] {
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const [lease, deadline, period] = [
    leaseDuration?.toMilliseconds() ?? 15_000, renewDeadline?.toMilliseconds() ?? 10_000, retryPeriod?.toMilliseconds() ?? 2_000,
  ];
  return found([
    replicas > 1 && !isOn(args, 'leader-election', true) ? {
      path: 'replicas', value: replicas, reason: 'with --leader-election=false means that all of them would be active at the same time',
      remedy: 'leave the flag out',
    } : undefined,
    wrongSeconds('leaderElection.leaseDuration', leaseDuration),
    lease <= deadline ? {
      path: 'leaderElection.leaseDuration', value: `${lease} ms`,
      reason: `must be longer than renewDeadline (${deadline} ms), otherwise two replicas could be active at once`,
    } : undefined,
    period <= 0 ? { path: 'leaderElection.retryPeriod', reason: 'must be longer than 0' } : undefined,
    deadline <= period * 1.2 ? {
      path: 'leaderElection.renewDeadline', value: `${deadline} ms`,
      reason: `must be longer than 1.2 times retryPeriod (${period} ms), otherwise one slow call would lose the leadership`,
    } : undefined,
  ]);
}

/**
 * Rejects an empty list of ports, which Kubernetes treats as all of them; this is never intended.
 */
function networkViolations({ apiServerPorts }: OperatorNetworkPolicy = {}): Problem[] {
  return found([
    apiServerPorts?.length === 0
      ? { path: 'networkPolicy.apiServerPorts', reason: 'is empty', remedy: 'add at least one port, or leave it out for 443 and 6443' }
      : undefined,
    ...(apiServerPorts ?? []).map((port, index) => wrongNumber(`networkPolicy.apiServerPorts[${index}]`, port, 1, 65535)),
  ]);
}
