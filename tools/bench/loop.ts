/* A thread that repeats a fixed computation for a while, and sends how often it did, and its share of a processor. */
import { parentPort, workerData } from 'node:worker_threads';

export interface LoopResult {
  /** Loops a second. */
  readonly loops: number;
  /** CPU time of this thread by the time that passed. */
  readonly share: number;
}

/** Milliseconds until the loop is compiled. */
const WARM_UP = 200;
/** Steps of a loop: a few milliseconds. */
const STEPS = 200_000;

/** A generator of random numbers (MINSTD): neither memory nor the system matter. */
function loop(): number {
  let state = 1;
  for (let step = 0; step < STEPS; step++) state = state * 48_271 % 2_147_483_647;
  return state;
}

function runFor(milliseconds: number): { readonly count: number; readonly elapsed: number } {
  const began = performance.now();
  let [count, sum] = [0, 0];
  for (; performance.now() - began < milliseconds; count++) sum += loop();
  // The result is used, so that the loop is not left out.
  if (sum < 0) throw new Error('a state is not negative');
  return { count, elapsed: performance.now() - began };
}

const { seconds } = workerData as { readonly seconds: number };
runFor(WARM_UP);
const before = process.threadCpuUsage();
const { count, elapsed } = runFor(seconds * 1000);
const { user, system } = process.threadCpuUsage(before);
parentPort!.postMessage({ loops: count * 1000 / elapsed, share: (user + system) / 1000 / elapsed } satisfies LoopResult);
