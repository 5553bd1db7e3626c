import type { Duration } from 'cdk8s';
import { parseConfiguration, UsageError } from '../flags/configuration';
import { submissionSettings } from '../flags/submission-settings';
import type { SubmissionSettings } from '../plan/settings';
import { servingFlags, targetFlags } from './_webhook-flags';
import { WEBHOOK_PROCESS_FLAGS } from '../flags/webhook';
import type { OperatorNames } from './_operator-names';
import { LogLevel } from './operator-log';
import type { SparkOperatorProps } from './spark-operator-props';
import { DEFAULT_LOCK } from '../model/installation';

const METRICS_PORT = 8080;
/** @internal */
export const HEALTH_PORT = 8081;

/**
 * Port of the metrics; undefined without metrics.
 *
 * @internal
 */
export function metricsPort({ metrics = {} }: SparkOperatorProps): number | undefined {
  return metrics.enabled === false ? undefined : metrics.port ?? METRICS_PORT;
}

/**
 * Objects and namespaces to which flags refer.
 *
 * @internal
 */
export interface FlagTargets {
  readonly namespace: string;
  readonly names: OperatorNames;
  readonly jobNamespaces: readonly string[];
}

/**
 * Returns the operator's command line. It omits unset properties, for which the operator has
 * defaults.
 *
 * @internal
 */
export function operatorFlags(props: SparkOperatorProps, { namespace, names, jobNamespaces }: FlagTargets): string[] {
  const { leaderElection = {}, webhook } = props;
  return [
    ...settings(jobNamespaces, props, {
      // Without these permissions, the operator cannot look for orphans.
      'remove-orphans': props.removeOrphans ?? false,
      'controller-threads': props.workers,
      'leader-election-lock-name': names.lease === DEFAULT_LOCK ? undefined : names.lease,
      'leader-election-lease-duration': leaderElection.leaseDuration,
      'leader-election-renew-deadline': leaderElection.renewDeadline,
      'leader-election-retry-period': leaderElection.retryPeriod,
      'webhook': webhook && (webhook.deployment ? 'elsewhere' : 'here'),
    }),
    // sparkctl reads here which objects belong to a webhook elsewhere.
    ...(webhook ? (webhook.deployment ? targetFlags : servingFlags)(webhook, namespace, names) : []),
    ...props.flags ?? [],
  ];
}

/**
 * Returns the command line of a webhook with its own pods: it reviews applications with the
 * operator's settings, and gets the same additional flags.
 *
 * @internal
 */
export function webhookArgs(props: SparkOperatorProps, { namespace, names, jobNamespaces }: FlagTargets): string[] {
  const { webhook, flags = [] } = props;
  const ofBoth = settings(jobNamespaces, props, {}).filter((arg) => WEBHOOK_PROCESS_FLAGS.has(arg.slice('--'.length, arg.indexOf('='))));
  return ['webhook', 'start', ...ofBoth, ...servingFlags(webhook!, namespace, names), ...flags];
}

/**
 * Returns the settings of submissions by the operator's command line; undefined if it is wrong.
 *
 * @internal
 */
export function submissionOf(args: readonly string[], namespace: string): SubmissionSettings | undefined {
  try {
    const configuration = parseConfiguration(args, { inCluster: true, namespace });
    return typeof configuration === 'object' ? submissionSettings(configuration) : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

type Values = Record<string, string | number | boolean | Duration | readonly string[] | undefined>;

/** Flags for decisions about applications, and for metrics and health. */
function settings(jobNamespaces: readonly string[], props: SparkOperatorProps, more: Values): string[] {
  const { metrics = {} } = props;
  const values: Values = {
    'submission-mode': props.submissionMode,
    'enable-submission-mode-annotation': props.submissionModeAnnotation === false ? false : undefined,
    'spark-user': props.sparkUser,
    'log-level': props.logLevel ?? LogLevel.INFO,
    'log-encoder': props.logEncoder,
    'driver-start-timeout': props.driverStartTimeout,
    'max-tracked-executor-per-app': props.maxTrackedExecutors,
    'min-schedule-interval': props.minScheduleInterval,
    'default-time-to-live-seconds': props.timeToLive?.toSeconds({ integral: false }),
    'enable-driver-pdb': props.driverDisruptionBudgets || undefined,
    // The operator's own default is that of kubeflow.
    'enable-driver-ingress': props.driverIngress ? undefined : false,
    'defaults-config-map': props.defaultsConfigMapName,
    // With any gate, the default time to live also requires its own.
    'feature-gates': props.webhook?.partialRestart ? ['DefaultTimeToLive=true', 'PartialRestart=true'] : undefined,
    'enable-batch-scheduler': props.batchScheduling && true,
    'kube-scheduler-names': props.batchScheduling?.kubeSchedulers?.length ? props.batchScheduling.kubeSchedulers : undefined,
    'default-batch-scheduler': props.batchScheduling?.defaultScheduler,
    'kube-api-qps': props.kubeApiQps,
    'kube-api-burst': props.kubeApiBurst,
    'spark-submit-timeout': props.sparkSubmitTimeout,
    ...more,
    ...(metrics.enabled === false ? { 'enable-metrics': false } : {
      'metrics-bind-address': `:${metricsPort(props)}`,
      'metrics-prefix': metrics.prefix,
      'metrics-labels': metrics.applicationLabels,
    }),
    'health-probe-bind-address': `:${HEALTH_PORT}`,
  };
  return [
    ...namespaceFlags(jobNamespaces, props),
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${text(value)}`])),
    ...props.webUI?._toFlags() ?? [],
  ];
}

function namespaceFlags(
  jobNamespaces: readonly string[], { allNamespaces, namespaceSelector, namespaceSelectorExpression }: SparkOperatorProps,
): string[] {
  if (allNamespaces) return ['--namespaces='];
  const labels = Object.entries(namespaceSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  const requirements = [...labels, ...(namespaceSelectorExpression === undefined ? [] : [namespaceSelectorExpression])];
  const selector = requirements.length === 0 ? [] : [`--namespace-selector=${requirements.join(',')}`];
  return [...(jobNamespaces.length === 0 ? [] : [`--namespaces=${jobNamespaces.join(',')}`]), ...selector];
}

function text(value: string | number | boolean | Duration | readonly string[]): string {
  if (typeof value === 'object') return 'toMilliseconds' in value ? `${value.toMilliseconds()}ms` : value.join(',');
  return String(value);
}
