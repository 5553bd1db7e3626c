/* Runs objects through the operator's code, and prints what the most expensive ones cost, as JSON. Arguments: cases, seed, limit in milliseconds. */
import fc from 'fast-check';
import { LAYERS } from './layers';
import { largeObjects, type LargeObject } from './objects';
import { costsOf, type Costs } from './way';
import { cpuTime } from '../../helpers/cpu-time';

/** The cost of an object. */
export interface Measured {
  readonly milliseconds: number;
  readonly costs: Costs;
  readonly object: string;
}

/** The outcome of a campaign. */
export interface Report {
  readonly cases: number;
  readonly median: number;
  /** How much longer this machine takes than one on which the reference takes a second. */
  readonly slowness: number;
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

/** Seconds for work of a fixed size: reading, writing and sorting JSON. */
function reference(): number {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ name: `V${index}`, value: 'x'.repeat(50) })));
  const took = cpuTime();
  for (let round = 0; round < 20; round++) JSON.stringify((JSON.parse(text) as { name: string }[]).sort((one, other) => (one.name < other.name ? -1 : 1)));
  return took() / 1000;
}

async function main(): Promise<void> {
  const slowness = Math.max(1, reference());
  const all: number[] = [];
  let worst: Measured[] = [];
  let index = 0;
  for (const object of objects()) {
    const layers = index++ % 3 === 0 ? undefined : LAYERS;
    let measured = await measure(object, layers);
    // Code that runs for the first time, and collections of garbage that others left, are not the object's own.
    for (let retry = 0; retry < 3 && measured.milliseconds > limit * slowness; retry++) measured = await measure(object, layers);
    all.push(measured.milliseconds);
    worst = [...worst, measured].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, REPORTED);
  }
  const report: Report = { cases: all.length, median: all.sort((one, other) => one - other)[all.length >> 1]!, slowness, worst };
  console.log(JSON.stringify(report));
}

void main();
