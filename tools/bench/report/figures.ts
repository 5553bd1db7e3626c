import type { Figures as SubmissionFigures } from '../measurements.ts';
import type { NeighboursFigures } from '../neighbours/measurements.ts';
import type { PopulationFigures } from '../population/measurements.ts';
import type { Figures as SynthFigures } from '../synth/measurements.ts';

/** What each part finds, by its name. */
export interface PartFigures {
  readonly submission: SubmissionFigures;
  readonly population: PopulationFigures;
  readonly neighbours: NeighboursFigures;
  readonly synth: SynthFigures;
}

export type PartName = keyof PartFigures;

/** In the order in which they run, and stand in the report. */
export const PARTS: readonly PartName[] = ['submission', 'population', 'neighbours', 'synth'];

/** The figures of a part, and how they came about. */
export interface Measured<Figures> {
  /** When it began, as a day. */
  readonly day: string;
  /** How long it took, in seconds. */
  readonly seconds: number;
  /** Tells what ran: the operator and the constructs. */
  readonly version: string;
  readonly figures: Figures;
}

/** A part without figures. */
export interface Failure {
  readonly part: PartName;
  /** Without names of this machine and its folders. */
  readonly reason: string;
}

/** All that the report is made of; the file figures.json. */
export interface BenchFigures {
  /** Whether sizes and times are small: for a look, not for the goals. */
  readonly quick: boolean;
  /** Whether the operator ran under a profiler, which makes it slower, and not from the file that ships. */
  readonly profiled: boolean;
  readonly machine: BenchMachine;
  /** Those that ran and did not fail. */
  readonly parts: { readonly [Name in PartName]?: Measured<PartFigures[Name]> };
  readonly failures: readonly Failure[];
}

/** Where it was measured, and with what. Nothing in here says whose machine it is. */
export interface BenchMachine {
  readonly processor: string;
  readonly cores: number;
  /** Physical memory in bytes. */
  readonly memory: number;
  /** The kernel's name and number, without what the machine's owner added to it. */
  readonly kernel: string;
  readonly node: string;
  readonly kubernetes: string;
  readonly etcd: string;
  readonly kwok: string;
  readonly spark: string;
}
