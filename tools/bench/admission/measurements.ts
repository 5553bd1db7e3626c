import type { CpuTime, MachineFacts } from '../machine.ts';

/** What became of the reviews that were sent. Times are in milliseconds. */
export interface LoadFigures {
  readonly sent: number;
  /** From the moment when a review was due, ascending. */
  readonly latencies: readonly number[];
  /** What went wrong, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** How late the sender itself was at worst: it counts as latency of the server. */
  readonly senderLateness: number;
}

/** The same of a server that does nothing but answer. */
export interface BareFigures extends LoadFigures {
  /** Of the server, while the reviews were sent. */
  readonly cpu: CpuTime;
}

export interface Figures {
  readonly machine: MachineFacts;
  readonly seconds: number;
  readonly rate: number;
  readonly load: LoadFigures;
  /** The same reviews, for a shorter time, to a server that does nothing but answer: what the machine could do at the time. */
  readonly bare: BareFigures;
  /** A few reviews to that server while the webhook was measured: what the machine kept all of them waiting in the same seconds. */
  readonly beside: LoadFigures;
  /** Of the server, while the reviews were sent. */
  readonly cpu: CpuTime;
  /** The most physical memory that the server had at a time, in bytes. */
  readonly memory: number;
  /** Bytes of each kind of review, and its share. */
  readonly mixture: readonly { readonly name: string; readonly share: number; readonly bytes: number }[];
}

/** The value below which a share of sorted values is. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
