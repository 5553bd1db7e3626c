import type { Progress } from '../local-cluster/index.ts';
import type { BenchOptions } from './bench-options.ts';
import { machineFacts } from './machine.ts';
import { measureSubmission } from './measure-submission.ts';
import { TURNS } from './options.ts';
import { measureNeighbours } from './neighbours/measure.ts';
import { parseOptions as neighboursOptions, type Options as NeighboursOptions } from './neighbours/options.ts';
import { parseOptions as populationOptions, type Options as PopulationOptions } from './population/options.ts';
import { measurePopulation } from './population/run.ts';
import type { PartFigures, PartName } from './report/figures.ts';
import type { Part } from './run-parts.ts';
import { GOAL } from './synth/report.ts';
import { measureSynth } from './synth/measure.ts';

/**
 * So many are submitted while they are created; in the comparison of rates, as many as its turns are enough for. With more, what controllers of Kubernetes do for those that were
 * made before takes a share of the machine that grows, from all that are compared but spark-submit, which has the machine for itself.
 */
const APPLICATIONS = { full: 500, quick: 300 } as const;
/** Half of what the others have: V8 has not compiled all of it by then, so that a quick run may show more processor time. */
const QUICK_WARM_UP = 150;

/** Not enough to compare rates, and the report says so: more would not fit into the time. */
const QUICK_TURNS = 6;

/** How long each part takes on two processors, in seconds. */
const SECONDS: Readonly<Record<PartName, { readonly full: number; readonly quick: number }>> = {
  submission: { full: 210, quick: 105 },
  population: { full: 2060, quick: 150 },
  neighbours: { full: 900, quick: 120 },
  synth: { full: 40, quick: 5 },
};

/** The parts that are asked for, in the size that is asked for. */
export function partsFor({ only, quick, profile, install }: Pick<BenchOptions, 'only' | 'quick' | 'profile' | 'install'>): Part[] {
  const measures: { readonly [Name in PartName]: (progress: Progress) => Promise<PartFigures[Name]> } = {
    submission: (progress) => measureSubmission({
      ...(quick ? { applications: APPLICATIONS.quick, warmUp: QUICK_WARM_UP } : { applications: APPLICATIONS.full }), workers: 10,
      turns: quick ? QUICK_TURNS : TURNS, jvmRuns: quick ? 4 : 10, profile, install,
    }, machineFacts(), progress),
    population: (progress) => measurePopulation({ ...populationOptions(quick ? ['--quick'] : []) as PopulationOptions, profile, install }, progress),
    neighbours: (progress) => (
      measureNeighbours({ ...neighboursOptions(quick ? ['--quick'] : []) as NeighboursOptions, install }, machineFacts(), progress)
    ),
    synth: (progress) => measureSynth({ runs: quick ? 1 : 3, most: quick ? GOAL.applications : 10_000 }, machineFacts(), progress),
  };
  return only.map((name) => ({ name, seconds: SECONDS[name][quick ? 'quick' : 'full'], measure: measures[name] }));
}
