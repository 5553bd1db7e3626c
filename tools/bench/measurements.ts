import type { MachineFacts } from './machine.ts';
import type { Spread } from './population/timeline.ts';
import type { TurnFigures } from './turn-figures.ts';

/** CPU time in milliseconds per application. */
export interface CpuFigures {
  readonly user: number;
  readonly system: number;
}

/** What was found in the cluster. */
export interface ClusterFigures {
  /**
   * The operator while applications are created as fast as the API server takes them. `perSecond`: from the first creation to the last SUBMITTED. `toDriver`: from the
   * answer to a creation until an onlooker sees the driver Pod, in milliseconds; applications wait for their turn here.
   */
  readonly live: { readonly cpu: CpuFigures; readonly perSecond: number; readonly toDriver: Spread };
  /** The operator when each application is created after the one before is SUBMITTED. */
  readonly single: { readonly cpu: CpuFigures; readonly toDriver: Spread };
  /** The operator on applications that were there before it started, taking turns with the bare client. */
  readonly operator: TurnFigures;
  readonly bare: TurnFigures;
  /** Calls for one application. */
  readonly calls: readonly CallFigures[];
  /** Processors that others than the cluster and the benchmark kept busy meanwhile, by pass. */
  readonly otherLoad: { readonly live: number; readonly turns: number };
  /** What the operator complained about in its log. */
  readonly complaints: readonly string[];
  /** What Spark's own JVM takes for it. @default - was left out */
  readonly jvm?: JvmFigures;
  readonly profile?: ProfileFigures;
}

/** How often something is called for one application. */
export interface CallFigures {
  /** Such as `POST pods`. */
  readonly call: string;
  /** By the operator and by the bare client, as they count; 0 for what only others call, such as the cluster's controllers. */
  readonly operator: number;
  readonly bare: number;
  /** By anybody in the operator's turns, and in those of the bare client, as the API server counts. */
  readonly server: { readonly operator: number; readonly bare: number };
}

/** Where the operator's time goes. */
export interface ProfileFigures {
  /** Shares of the operator's CPU time, greatest first. */
  readonly modules: readonly { readonly name: string; readonly share: number }[];
  readonly functions: readonly { readonly name: string; readonly share: number }[];
  readonly file: string;
}

/** Submissions by Spark's JVM, against the same API server. */
export interface JvmFigures {
  readonly sparkVersion: string;
  /** How many ran at the same time. */
  readonly parallel: number;
  /** Submissions that were through in a second. */
  readonly perSecond: number;
  /** CPU time of each run in milliseconds. */
  readonly runs: readonly number[];
  /** From start to end of each run in milliseconds. */
  readonly wholes: readonly number[];
}

export interface Figures {
  readonly machine: MachineFacts;
  readonly applications: number;
  readonly workers: number;
  readonly cluster: ClusterFigures;
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
