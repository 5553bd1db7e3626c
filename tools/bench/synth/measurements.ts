import type { MachineFacts } from '../machine.ts';

/** One program that synthesizes applications and ends. Times are in milliseconds. */
export interface Run {
  /** From the start of its process to the end. */
  readonly whole: number;
  /** Loading cdk8s and the package. */
  readonly load: number;
  /** Creating the constructs. */
  readonly construct: number;
  /** Synthesizing: checks, and the manifests. */
  readonly write: number;
  /** The most physical memory that it had at a time, in bytes. */
  readonly memory: number;
  /** Size of the manifests in bytes. */
  readonly size: number;
}

export interface Figures {
  readonly machine: MachineFacts;
  readonly sizes: readonly SizeFigures[];
}

/** What was found for one number of applications. */
export interface SizeFigures {
  readonly applications: number;
  readonly runs: readonly Run[];
}

/** The run that took neither long nor short. */
export function middle(runs: readonly Run[]): Run {
  return [...runs].sort((a, b) => a.whole - b.whole)[Math.floor((runs.length - 1) / 2)]!;
}
