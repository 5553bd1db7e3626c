import { doubtsAboutLoad, MAX_OTHER_LOAD } from '../report.ts';
import type { Load, PopulationFigures } from './measurements.ts';

/** By more the benchmark must not be late, in milliseconds: its own times count. */
const MAX_LATENESS = 100;
/** A hypervisor that keeps more of a processor for others makes figures doubtful. */
const MAX_STOLEN = 0.05;

/** Why the figures may be wrong. */
export function doubtsOf(figures: PopulationFigures): string[] {
  const { machine, watchCuts, complaints } = figures;
  return [
    ...doubtsAboutLoad(machine),
    ...loads(figures).flatMap(([phase, { otherLoad, stolen, lateness }]) => [
      ...(otherLoad > MAX_OTHER_LOAD ? [`other processes kept ${otherLoad.toFixed(2)} processors busy (${phase})`] : []),
      ...(stolen > MAX_STOLEN ? [`the hypervisor did not give the machine ${stolen.toFixed(2)} of its processors (${phase})`] : []),
      ...(lateness > MAX_LATENESS ? [`the benchmark itself was late by ${lateness.toFixed(0)} ms at the 99th percentile (${phase})`] : []),
    ]),
    ...(watchCuts > 0 ? [`the API server cut off a watch of the benchmark ${watchCuts} times, as it does under load; changes were seen later for that`] : []),
    ...[...figures.lifecycle, figures.again].filter(({ executorsMissed }) => executorsMissed > 0)
      .map(({ executorsMissed, size }) => `${executorsMissed} executors are not in the status of their application as completed (lifecycle of ${size.applications})`),
    ...figures.steady.filter(({ executorsUntold }) => executorsUntold > 0)
      .map(({ executorsUntold, size }) => `what had happened to ${executorsUntold} executors was in no status a minute later (steady at ${size.applications})`),
    ...(complaints.length > 0 ? [`the operator complained ${complaints.length} times, first: ${complaints[0]}`] : []),
  ];
}

/** The load of each phase, by its name. */
export function loads({ lifecycle, pace, fill, steady, restart, drain, again }: PopulationFigures): (readonly [phase: string, load: Load])[] {
  return [
    ...lifecycle.map(({ size, load }) => [`lifecycle of ${size.applications}`, load] as const),
    ['pace', pace.load],
    ...fill.map(({ size, load }) => [`fill to ${size.applications}`, load] as const),
    ...steady.map(({ size, load }) => [`steady at ${size.applications}`, load] as const),
    ...restart.map(({ size, load }) => [`restart at ${size.applications}`, load] as const),
    ['drain', drain.load],
    ['again', again.load],
  ];
}
