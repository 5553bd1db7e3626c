import type { Load, PopulationFigures } from '../population/measurements.ts';
import { number } from './format.ts';

/** What applications cost from their creation to COMPLETED. */
export interface Cost {
  readonly label: string;
  readonly applications: number;
  /** Of all phases that belong to it. */
  readonly loads: readonly Load[];
  /** Status writes for one. */
  readonly status: number;
}

/** The cost by size: of the lifecycles, of the population without the time of churn in between, and beside finished applications. */
export function costsOf({ lifecycle, fill, drain, again, writes }: PopulationFigures): Cost[] {
  const created = fill.reduce((total, one) => total + one.created, 0);
  return [
    ...lifecycle.map(({ size, load, writes: { status } }) => ({ label: number(size.applications), applications: size.applications, loads: [load], status })),
    ...(created > 0 ? [{ label: `${number(created)} (the population)`, applications: created, loads: [...fill.map(({ load }) => load), drain.load], status: writes.status }] : []),
    { label: `${number(again.size.applications)} beside ${number(again.size.finished)} finished`, applications: again.size.applications, loads: [again.load], status: again.writes.status },
  ];
}
