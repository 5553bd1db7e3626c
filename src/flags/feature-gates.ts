import type { CommandLine } from './parse';

/** kubeflow's gate of a default time to live; off unless it is turned on. */
const DEFAULT_TIME_TO_LIVE = 'DefaultTimeToLive';

/** Kubernetes' gate of all that are alpha, of which that is one. */
const ALL_ALPHA = 'AllAlpha';

/**
 * Flags that have no effect because of feature gates, with the reasons, and gates that are on and have no counterpart here.
 *
 * kubeflow's operator ignores `--default-time-to-live-seconds` unless its gate is on. With the same
 * command line, this operator must not delete the applications that kubeflow's kept. The flag applies
 * if the command line has nothing of kubeflow's.
 */
export function withoutEffectByGates(line: CommandLine, gates: ReadonlyMap<string, boolean>): Readonly<Record<string, string>> {
  const without: Record<string, string> = {};
  const isGated = line.isKubeflows || line.values['feature-gates'] !== undefined;
  if (isGated && Number(line.values['default-time-to-live-seconds'] ?? 0) > 0 && !(gates.get(DEFAULT_TIME_TO_LIVE) ?? gates.get(ALL_ALPHA))) {
    without['default-time-to-live-seconds'] = `as with kubeflow it counts only with --feature-gates=${DEFAULT_TIME_TO_LIVE}=true, or without \`controller start\` and --feature-gates`;
  }
  const others = [...gates].filter(([name, isOn]) => isOn && name !== DEFAULT_TIME_TO_LIVE).map(([name]) => name);
  if (others.length > 0) without['feature-gates'] = `${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} no counterpart here; ${DEFAULT_TIME_TO_LIVE} is the only gate with an effect`;
  return without;
}
