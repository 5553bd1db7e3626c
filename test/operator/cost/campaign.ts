/* Runs objects through the operator's code, and prints what the most expensive ones cost, as JSON. Arguments: cases, seed, limit in milliseconds. */
import fc from 'fast-check';
import { LAYERS } from './layers';
import { largeObjects, type LargeObject } from './objects';
import { costsOf, type Costs } from './way';
import { cpuTime } from '../../helpers/cpu-time';

/** The cost of an object. */
export interface Measured {
  /** CPU time of all steps, less what this machine took longer than usual. */
  readonly milliseconds: number;
  readonly costs: Costs;
  readonly object: string;
}

/** The outcome of a campaign. */
export interface Report {
  readonly cases: number;
  readonly median: number;
  /** The most expensive objects first. */
  readonly worst: readonly Measured[];
}

const [cases, seed, limit] = process.argv.slice(2).map(Number) as [number, number, number];
const BATCH = 50;
const REPORTED = 3;

/** Objects are made in batches: thousands of them do not fit into memory. */
function* objects(): Generator<LargeObject> {
  for (let batch = 0; batch * BATCH < cases; batch++) {
    yield* fc.sample(largeObjects, { numRuns: Math.min(BATCH, cases - batch * BATCH), seed: seed + batch });
  }
}

async function measure(object: LargeObject, layers: typeof LAYERS | undefined): Promise<Measured> {
  const costs = await costsOf(object, layers);
  return { milliseconds: Object.values(costs).reduce((sum, one) => sum + one, 0), costs, object: object.description };
}

/**
 * The same for an object that seems too expensive. Code that runs for the first time, garbage that others left, and a machine that is
 * slower than usual at the moment are not the object's own cost.
 */
async function measureAgain(object: LargeObject, layers: typeof LAYERS | undefined): Promise<Measured> {
  let best: Measured | undefined;
  for (let round = 0; round < ROUNDS && !(best && best.milliseconds <= limit); round++) {
    const measured = await measure(object, layers);
    const milliseconds = measured.milliseconds / Math.max(1, reference() / REFERENCE);
    if (!best || milliseconds < best.milliseconds) best = { ...measured, milliseconds };
  }
  return best!;
}

const ROUNDS = 5;

/** Milliseconds of the reference on a machine of usual speed: it is 30 on a processor that others leave alone. */
const REFERENCE = 40;

/** Milliseconds for work of a fixed size: reading, sorting and writing JSON. */
function reference(): number {
  const took = cpuTime();
  for (let round = 0; round < 3; round++) JSON.stringify((JSON.parse(SOME_JSON) as { name: string }[]).sort((one, other) => (one.name < other.name ? -1 : 1)));
  return took();
}

const SOME_JSON = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ name: `V${index}`, value: 'x'.repeat(50) })));

async function main(): Promise<void> {
  const all: number[] = [];
  let worst: Measured[] = [];
  let index = 0;
  for (const object of objects()) {
    const layers = index++ % 3 === 0 ? undefined : LAYERS;
    const first = await measure(object, layers);
    const measured = first.milliseconds > limit ? await measureAgain(object, layers) : first;
    all.push(measured.milliseconds);
    worst = [...worst, measured].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, REPORTED);
  }
  const report: Report = { cases: all.length, median: all.sort((one, other) => one - other)[Math.floor(all.length / 2)]!, worst };
  console.log(JSON.stringify(report));
}

void main();
