import type { CommandLine } from './parse';

/** kubeflow's feature gate of the default time to live, off by default. */
const DEFAULT_TIME_TO_LIVE = 'DefaultTimeToLive';

/** kubeflow's feature gate of edits of executors that keep the driver, off by default. */
export const PARTIAL_RESTART = 'PartialRestart';

/** Kubernetes' feature gate of all alpha features, as both are. */
const ALL_ALPHA = 'AllAlpha';

/** Gates with an effect. */
const GATES: readonly string[] = [DEFAULT_TIME_TO_LIVE, PARTIAL_RESTART];

/** Whether a feature gate is on. All of kubeflow's gates are alpha, and off by default. */
export function isGateOn(gates: ReadonlyMap<string, boolean>, gate: string): boolean {
  return gates.get(gate) ?? gates.get(ALL_ALPHA) ?? false;
}

/**
 * Returns flags without effect because of feature gates, and enabled gates without a counterpart
 * here, with the reasons.
 *
 * kubeflow's operator ignores `--default-time-to-live-seconds` unless its gate is on. With the same
 * command line, this operator must not delete applications that kubeflow's keeps. Without any flag
 * of kubeflow's, `--default-time-to-live-seconds` applies.
 *
 * @param hasWebhook whether there is a webhook, in this or another process
 */
export function withoutEffectByGates(
  line: CommandLine, gates: ReadonlyMap<string, boolean>, hasWebhook: boolean,
): Readonly<Record<string, string>> {
  const without: Record<string, string> = {};
  const isGated = line.isKubeflows || line.values['feature-gates'] !== undefined;
  if (isGated && Number(line.values['default-time-to-live-seconds'] ?? 0) > 0 && !isGateOn(gates, DEFAULT_TIME_TO_LIVE)) {
    without['default-time-to-live-seconds'] = `as in kubeflow, it requires --feature-gates=${DEFAULT_TIME_TO_LIVE}=true, or without `
      + '`controller start` and --feature-gates';
  }
  const others = [...gates].filter(([name, isOn]) => isOn && !GATES.includes(name)).map(([name]) => name);
  const reasons = [
    ...(gates.get(PARTIAL_RESTART) && !hasWebhook ? [`${PARTIAL_RESTART} requires the webhook, which sets fields of new executors`] : []),
    ...(others.length > 0
      ? [`${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} no counterpart here; ${GATES.join(' and ')} have an effect`]
      : []),
  ];
  if (reasons.length > 0) without['feature-gates'] = reasons.join('; ');
  return without;
}
