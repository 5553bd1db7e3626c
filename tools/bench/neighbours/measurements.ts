import type { MachineFacts } from '../machine.ts';
import type { Load } from '../population/measurements.ts';
import type { Spread } from '../population/timeline.ts';

/** Applications that the quiet namespace created in a span of time. Times in milliseconds. */
export interface QuietFigures {
  readonly created: number;
  /** From the answer to a creation until its driver Pod is seen by a watch. */
  readonly toDriver: Spread;
  /** From the time at which a creation was due until the API server had answered it. */
  readonly toAnswer: Spread;
}

/** Applications of the flooding namespace. Times in milliseconds, from the first creation. */
export interface FloodFigures {
  readonly created: number;
  /** When the last creation was answered. */
  readonly createdAfter: number;
  /** When the last one had a driver Pod, or was FAILED. */
  readonly doneAfter: number;
  readonly toDriver: Spread;
  readonly huge: HugeFigures;
}

/** Huge applications of the flooding namespace. */
export interface HugeFigures {
  /** Size of one as JSON, in bytes. */
  readonly bytes: number;
  /** Those that the API server stored. */
  readonly stored: number;
  /** Numbers of them by their state at the end. */
  readonly states: Readonly<Record<string, number>>;
}

/** Figures of the part of the benchmark that runs in the cluster. */
export interface NeighboursRun {
  /** Before the flood. */
  readonly alone: QuietFigures;
  /** While the flood is created. */
  readonly creating: QuietFigures;
  /** After that, until the flood is done. */
  readonly backlog: QuietFigures;
  /** From the first creation of the flood until it is done. */
  readonly whole: QuietFigures;
  readonly flood: FloodFigures;
  readonly load: Load;
  readonly watchCuts: number;
  readonly complaints: readonly string[];
}

/** Figures of a run of the benchmark. */
export interface NeighboursFigures extends NeighboursRun {
  readonly machine: MachineFacts;
  readonly workers: number;
}
