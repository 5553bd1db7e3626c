import type { Labels, Sample } from './family';

/** Distribution of values: a histogram, or without bounds a summary of their count and sum. */
export class Distribution {
  private readonly counts: number[];
  private count = 0;
  private sum = 0;

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(private readonly bounds: readonly number[] = []) {
    this.counts = bounds.map(() => 0);
  }

  /** Adds a value. Ignores NaN, which would make the sum permanently useless. */
  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    this.count++;
    this.sum += value;
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.counts[bucket]!++;
  }

  /** Returns the lines of a summary. */
  summary(name: string, sharedLabels: Labels = {}): Sample[] {
    return [
      { metricName: `${name}_sum`, sharedLabels, value: this.sum },
      { metricName: `${name}_count`, sharedLabels, value: this.count },
    ];
  }

  /** Returns the lines of a histogram. */
  histogram(name: string, sharedLabels: Labels = {}): Sample[] {
    let below = 0;
    const buckets = this.bounds.map((le, index) => ({
      metricName: `${name}_bucket`, sharedLabels, labels: { le }, value: below += this.counts[index]!,
    }));
    return [...buckets, {
      metricName: `${name}_bucket`, sharedLabels, labels: { le: '+Inf' }, value: this.count,
    }, ...this.summary(name, sharedLabels)];
  }
}
