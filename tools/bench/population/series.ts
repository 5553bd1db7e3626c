import type { SteadySeries } from './measurements.ts';
import { spreadOf, type Lasted } from './timeline.ts';

/** What was seen of the operator at a time. Times are in milliseconds of one clock. */
export interface Sample {
  readonly at: number;
  /** Its physical memory, in bytes. */
  readonly memory: number;
  /** Writes of statuses since its start. */
  readonly statusWrites: number;
}

/**
 * What there was over time: one point for each sample but the first, which the others count from.
 *
 * @param lags from phases of drivers to the statuses that say so
 * @param probed writes of the benchmark's own
 */
export function seriesOf(samples: readonly Sample[], lags: readonly Lasted[], probed: readonly Lasted[]): SteadySeries {
  const [first, ...others] = samples;
  const points = others.map(({ at, memory, statusWrites }, index) => {
    const before = samples[index]!;
    const p99 = (all: readonly Lasted[]) => {
      const durations = all.filter(({ ended }) => ended > before.at && ended <= at).map(({ duration }) => duration);
      return durations.length === 0 ? null : spreadOf(durations).p99;
    };
    return {
      seconds: Math.round(at - first!.at) / 1000,
      memory,
      lagP99: p99(lags),
      probeP99: p99(probed),
      statusWrites: (statusWrites - before.statusWrites) * 1000 / (at - before.at),
    };
  });
  return {
    seconds: points.map(({ seconds }) => seconds), memory: points.map(({ memory }) => memory),
    lagP99: points.map(({ lagP99 }) => lagP99), probeP99: points.map(({ probeP99 }) => probeP99), statusWrites: points.map(({ statusWrites }) => statusWrites),
  };
}
