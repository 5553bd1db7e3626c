import { cpuEach } from '../report/costs.ts';
import { number, time } from '../report/format.ts';
import type { Load } from './measurements.ts';

/** Applications, and what they took. */
export interface Work {
  readonly size: { readonly applications: number };
  readonly load: Load;
}

/** How much more CPU time an application took the second time. */
export interface CpuGrowth {
  /** Of the operator, as a multiple of what it took the first time. */
  readonly own: number;
  /** That of `YARDSTICKS` which grew least at the same time; 1 if there is none to compare with. */
  readonly beside: { readonly program: string; readonly times: number };
  /** The operator's growth, as a multiple of that of the other program. */
  readonly times: number;
  /** All of it for people. */
  readonly text: string;
}

/**
 * Programs that do something for each step of each application, and more of it if an operator makes more calls, which are therefore counted and judged by themselves. A machine that others share too becomes slower
 * and faster by itself, for all programs at the same time: by the least growth of these, that is taken out as well as it can be. They may grow with size, too, so that what is left can be too little.
 */
const YARDSTICKS = ['etcd', 'kube-apiserver', 'benchmark'];

/** Compares the operator's CPU time for one application, beside that of other programs in the same two spans. */
export function cpuGrowth(before: Work, after: Work): CpuGrowth {
  const [first, second] = [cpuEach(before), cpuEach(after)];
  const own = second / first;
  const others = YARDSTICKS.flatMap((program) => {
    const [one, other] = [before, after].map(({ load, size: { applications } }) => {
      const found = load.processors.find((each) => each.program === program);
      return found && found.cpu / applications;
    });
    return one && other ? [{ program, times: other / one }] : [];
  }).sort((a, b) => a.times - b.times);
  const beside = others[0] ?? { program: 'none', times: 1 };
  const times = own / beside.times;
  return { own, beside, times, text: `${number(times, 2)} times (${number(own, 2)}: ${time(second)} to ${time(first)}; ${beside.program} at the same time: ${number(beside.times, 2)})` };
}
