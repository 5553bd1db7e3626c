import type { Context } from './context.ts';
import { median, type Busy, type Calls } from './figures.ts';
import { busyByProgram, memoryOf, processorsBusy, usage } from './machine.ts';
import { callsBetween, NO_METRICS, type Operator } from './operator.ts';

/** Costs of a span of work. */
export interface Load {
  readonly milliseconds: number;
  /** CPU time of the operator. */
  readonly cpu: number;
  /** Calls of the operator, by its own counters. */
  readonly calls: Calls;
  /** Bytes that the operator read. */
  readonly received: number;
  /** Resident memory of the operator: the median of each second, and the peak since its start. */
  readonly memory: { readonly median: number; readonly peak: number };
  readonly busy: Busy;
}

/**
 * Does some work and measures the operator meanwhile, until it is idle again.
 *
 * @param isNew whether the operator was just started, and does not serve metrics yet
 */
export async function measureLoad<T>(
  context: Context, operator: Operator, phase: string, work: () => Promise<T>, isNew = false,
): Promise<readonly [T, Load]> {
  const [before, cpuBefore] = isNew ? [NO_METRICS, 0] : [await operator.metrics(), operator.cpu()];
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(memoryOf(operator.pid) ?? 0), 1000);
  const usageBefore = usage();
  const began = performance.now();
  const result = await work().finally(() => clearInterval(timer));
  const milliseconds = performance.now() - began;
  const usageAfter = usage();
  context.doubtLoad(phase, processorsBusy(usageBefore, usageAfter));
  await operator.idle();
  const after = await operator.metrics();
  const busy = busyByProgram(usageBefore, usageAfter, { [operator.pid]: 'operator', [process.pid]: 'benchmark' });
  context.progress(`  ${phase}: ${(milliseconds / 1000).toFixed(1)} s; processors: ${describe(busy)}`);
  return [result, {
    milliseconds,
    cpu: operator.cpu() - cpuBefore,
    calls: callsBetween(before.calls, after.calls),
    received: after.received - before.received,
    memory: { median: median([...memory, memoryOf(operator.pid)!]), peak: memoryOf(operator.pid, 'peak')! },
    busy,
  }];
}

function describe(busy: Busy): string {
  return Object.entries(busy).map(([program, { processors }]) => `${program} ${processors.toFixed(2)}`).join(', ');
}
