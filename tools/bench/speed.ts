import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Machine } from './figures.ts';
import type { LoopResult } from './loop.ts';
import { processorsBusy, usage } from './machine.ts';

/** Below these shares of the fastest loops, and of a processor's time, others slow the machine down. */
const [MIN_SPEED, MIN_SHARE] = [0.9, 0.95];
/** Processors that the hypervisor can keep for others. */
const MAX_STOLEN = 0.05;

/** Measures the machine: a fixed loop on all processors at once. */
export async function measureMachine(seconds = 2): Promise<Machine> {
  const before = usage();
  const results = await Promise.all(Array.from({ length: availableParallelism() }, () => runLoops(seconds)));
  const { stolen } = processorsBusy(before, usage());
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { loops: mean(results.map(({ loops }) => loops)), share: mean(results.map(({ share }) => share)), stolen };
}

function runLoops(seconds: number): Promise<LoopResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./loop.ts', import.meta.url), { workerData: { seconds } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Returns the worse of each measurement. */
export function worseOf(a: Machine, b: Machine): Machine {
  return { loops: Math.min(a.loops, b.loops), share: Math.min(a.share, b.share), stolen: Math.max(a.stolen, b.stolen) };
}

/**
 * Returns why figures come from a slow hour; empty if they do not.
 *
 * @param machine the machine before and after the figures. @default - it was not measured
 * @param load load average before
 * @param fastest loops a second of such a processor in its best hour. @default - unknown
 */
export function slowness(
  { machine, load, cores }: { readonly machine?: Machine; readonly load: number; readonly cores: number }, fastest = 0,
): string[] {
  if (!machine) return load > cores / 4 ? [`load average ${load.toFixed(2)} before`] : [];
  const { loops, share, stolen } = machine;
  const speed = loops / Math.max(loops, fastest);
  return [
    ...(speed < MIN_SPEED ? [`loop at ${(speed * 100).toFixed(0)} % of its best speed`] : []),
    ...(share < MIN_SHARE ? [`${(share * 100).toFixed(0)} % of a processor`] : []),
    ...(stolen > MAX_STOLEN ? [`${stolen.toFixed(2)} processors stolen`] : []),
  ];
}
