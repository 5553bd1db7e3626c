import { SCHEDULER_NAMES } from '../api/batch-schedulers';
import type { BatchSchedulerSettings } from '../plan/settings';
import type { CommandLine } from './parse';
import { listIn, objectNameIn } from './values';

/** Source of these flags: the operator's command line, or that of `sparkctl render`. */
export interface BatchSchedulerFlags {
  optional<T>(
    name: 'kube-scheduler-names' | 'default-batch-scheduler', convert: (text: string) => T | undefined, expected: string,
  ): T | undefined;
}

/**
 * Returns the configuration of gang scheduling, for command lines with `--enable-batch-scheduler`.
 */
export function batchSchedulerSettings(flags: BatchSchedulerFlags): BatchSchedulerSettings {
  const kubeSchedulers = flags.optional(
    'kube-scheduler-names', kubeSchedulersIn, `write comma-separated names other than ${SCHEDULER_NAMES.join(' and ')}`,
  ) ?? [];
  const known = [...SCHEDULER_NAMES, ...kubeSchedulers];
  return {
    kubeSchedulers,
    // As in kubeflow: without this check, a misspelled default would only show up in pods that are
    // never scheduled.
    default: flags.optional(
      'default-batch-scheduler', (text) => known.find((name) => name === text),
      `write one of ${known.join(', ')}; --kube-scheduler-names adds more`,
    ),
  };
}

function kubeSchedulersIn(text: string): string[] | undefined {
  const names = listIn(text).filter(Boolean);
  return names.every((name) => objectNameIn(name) !== undefined && !SCHEDULER_NAMES.includes(name)) ? names : undefined;
}

/** Returns flags without effect because gang scheduling is off, with the reason. */
export function withoutEffectByBatchScheduling(values: CommandLine['values'], isOn: boolean): Readonly<Record<string, string>> {
  const names = (['kube-scheduler-names', 'default-batch-scheduler'] as const).filter((name) => !isOn && values[name]);
  return Object.fromEntries(names.map((name) => [name, 'it requires --enable-batch-scheduler=true']));
}
