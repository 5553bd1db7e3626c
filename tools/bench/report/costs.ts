import type { LifecycleFigures, Load, PopulationFigures } from '../population/measurements.ts';
import { number } from './format.ts';

/** What applications cost from their creation to COMPLETED. */
export interface Cost {
  readonly label: string;
  readonly applications: number;
  /** Of all phases that belong to it. */
  readonly loads: readonly Load[];
  /** Status writes for one, without the one that hands it over. */
  readonly status: number;
  /** Calls of anybody, in all. */
  readonly allCalls: number;
  /** From the first creation to the last COMPLETED, without a time of churn in between, in milliseconds. */
  readonly milliseconds: number;
}

/** The cost by size: of the lifecycles, of the population without the time of churn in between, and beside finished applications. */
export function costsOf({ lifecycle, fill, drain, again, writes }: PopulationFigures): Cost[] {
  const created = fill.reduce((total, one) => total + one.created, 0);
  return [
    ...lifecycle.map((one) => ({ label: number(one.size.applications), ...costOf(one) })),
    ...(created > 0
      ? [{
        label: `${number(created)} (the population)`, applications: created, loads: [...fill.map(({ load }) => load), drain.load], status: writes.status,
        allCalls: fill.reduce((total, one) => total + one.allCalls, drain.allCalls),
        milliseconds: fill.reduce((total, { after }) => total + after.whole, drain.after.completed),
      }]
      : []),
    { label: `${number(again.size.applications)} beside ${number(again.size.finished)} finished`, ...costOf(again) },
  ];
}

/** CPU time of the operator for one application, in milliseconds. */
export function cpuEach({ size, load: { cpu } }: { readonly size: { readonly applications: number }; readonly load: LifecycleFigures['load'] }): number {
  return (cpu.user + cpu.system) / size.applications;
}

function costOf({ size, load, writes: { status }, allCalls, after }: LifecycleFigures): Omit<Cost, 'label'> {
  return { applications: size.applications, loads: [load], status, allCalls, milliseconds: after.completed };
}
