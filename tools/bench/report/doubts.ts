import { judge as judgeNeighbours } from '../neighbours/report.ts';
import { judge as judgePopulation } from '../population/goals.ts';
import { judge as judgeSubmission } from '../report.ts';
import { judge as judgeSynth } from '../synth/report.ts';
import type { BenchFigures, PartName } from './figures.ts';

/** What speaks against the figures, each with its part. */
export function doubtsOf({ profiled, parts: { submission, population, neighbours, synth } }: BenchFigures): string[] {
  const named = (part: PartName, doubts: readonly string[]) => doubts.map((doubt) => `${part}: ${doubt}`);
  return [
    ...(profiled ? ['the operator ran under a profiler, and from a bundle with the names of the sources: it is slower than what ships'] : []),
    ...(submission ? named('submission', judgeSubmission(submission.figures).doubts) : []),
    ...(population ? named('population', judgePopulation(population.figures).doubts) : []),
    ...(neighbours ? named('neighbours', judgeNeighbours(neighbours.figures).doubts) : []),
    ...(synth ? named('synth', judgeSynth(synth.figures).doubts) : []),
  ];
}
