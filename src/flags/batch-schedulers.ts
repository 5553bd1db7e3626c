import { SCHEDULER_NAMES } from '../api/batch-schedulers';
import type { BatchSchedulerSettings } from '../plan/schedulers/scheduler';
import type { CommandLine } from './parse';
import { listIn, objectNameIn } from './values';

/** Where the texts of these flags come from: the operator's command line, or that of `sparkctl render`. */
export interface BatchSchedulerFlags {
  optional<T>(name: 'kube-scheduler-names' | 'default-batch-scheduler', convert: (text: string) => T | undefined, expected: string): T | undefined;
}

/** How batch schedulers are told of applications, where `--enable-batch-scheduler` says that they are. */
export function batchSchedulerSettings(flags: BatchSchedulerFlags): BatchSchedulerSettings {
  const kubeSchedulers = flags.optional('kube-scheduler-names', kubeSchedulersIn, `write names with commas between them, other than ${SCHEDULER_NAMES.join(' and ')}`) ?? [];
  const known = [...SCHEDULER_NAMES, ...kubeSchedulers];
  return {
    kubeSchedulers,
    // As with kubeflow; nobody would be told of a name that is misspelled here.
    default: flags.optional('default-batch-scheduler', (text) => known.find((name) => name === text), `write one of ${known.join(', ')}; --kube-scheduler-names adds more`),
  };
}

function kubeSchedulersIn(text: string): string[] | undefined {
  const names = listIn(text).filter(Boolean);
  return names.every((name) => objectNameIn(name) !== undefined && !SCHEDULER_NAMES.includes(name)) ? names : undefined;
}

/** Flags that say nothing, as batch scheduling is off. */
export function withoutEffectByBatchScheduling(values: CommandLine['values'], isOn: boolean): Readonly<Record<string, string>> {
  const names = (['kube-scheduler-names', 'default-batch-scheduler'] as const).filter((name) => !isOn && values[name]);
  return Object.fromEntries(names.map((name) => [name, 'it counts only with --enable-batch-scheduler=true']));
}
