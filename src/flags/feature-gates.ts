import type { CommandLine } from './parse';

/** kubeflow's feature gate of the default time to live, off by default. */
const DEFAULT_TIME_TO_LIVE = 'DefaultTimeToLive';

/** Kubernetes' feature gate of all alpha features, one of which is the default time to live. */
const ALL_ALPHA = 'AllAlpha';

/**
 * Returns flags without effect because of feature gates, and enabled gates without a counterpart
 * here, with the reasons.
 *
 * kubeflow's operator ignores `--default-time-to-live-seconds` unless its gate is on. With the same
 * command line, this operator must not delete applications that kubeflow's keeps. Without any flag
 * of kubeflow's, `--default-time-to-live-seconds` applies.
 */
export function withoutEffectByGates(line: CommandLine, gates: ReadonlyMap<string, boolean>): Readonly<Record<string, string>> {
  const without: Record<string, string> = {};
  const isGated = line.isKubeflows || line.values['feature-gates'] !== undefined;
  if (isGated && Number(line.values['default-time-to-live-seconds'] ?? 0) > 0
    && !(gates.get(DEFAULT_TIME_TO_LIVE) ?? gates.get(ALL_ALPHA))) {
    without['default-time-to-live-seconds'] = `as in kubeflow, it requires --feature-gates=${DEFAULT_TIME_TO_LIVE}=true, or without `
      + '`controller start` and --feature-gates';
  }
  const others = [...gates].filter(([name, isOn]) => isOn && name !== DEFAULT_TIME_TO_LIVE).map(([name]) => name);
  if (others.length > 0) {
    without['feature-gates'] = `${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} no counterpart here; `
      + `${DEFAULT_TIME_TO_LIVE} is the only gate with an effect`;
  }
  return without;
}
