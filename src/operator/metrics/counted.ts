import type { Registry } from 'prom-client';
import { Distribution } from './distribution';
import { addFamily, type Described, type Labels, type Sample } from './family';
import { LabeledValues } from './labeled-values';

/** Description of a family whose values are counted when events happen. */
export interface CountedDescription extends Described {
  /** See `LabeledValuesOptions.initial`. @default - none */
  readonly initial?: readonly Labels[];
}

/** A counter with labels. */
export interface Counter {
  /** Increases a series; 0 only creates it. @param more @default 1 */
  add(labels: Labels, more?: number): void;
  /** Returns the lines of all series. */
  samples(): readonly (Sample & { readonly sharedLabels: Labels })[];
}

/** A histogram with labels. */
export interface Histogram {
  /** Adds a value to a series. */
  observe(labels: Labels, value: number): void;
}

/** Adds a counter to a registry. */
export function counter(registry: Registry, { initial, ...description }: CountedDescription): Counter {
  const values = new LabeledValues(() => ({ count: 0 }), { initial });
  const samples = () => values.samples(({ count }, sharedLabels) => [{ sharedLabels, value: count }]);
  addFamily(registry, { ...description, type: 'counter' }, samples);
  return { add: (labels, more = 1) => { values.of(labels).count += more; }, samples };
}

/**
 * Adds a counter whose series are sums of those of another one.
 *
 * @param labelsOf returns the labels of the sum to which a series belongs
 */
export function sums(registry: Registry, of: Counter, description: Described, labelsOf: (labels: Labels) => Labels): void {
  addFamily(registry, { ...description, type: 'counter' }, () => {
    const values = new LabeledValues(() => ({ sum: 0 }));
    for (const { sharedLabels, value } of of.samples()) values.of(labelsOf(sharedLabels)).sum += value;
    return values.samples(({ sum }, sharedLabels) => [{ sharedLabels, value: sum }]);
  });
}

/** Adds a histogram to a registry. `bounds` are the upper bounds of its buckets, ascending. */
export function histogram(registry: Registry, bounds: readonly number[], { initial, ...description }: CountedDescription): Histogram {
  const values = new LabeledValues(() => new Distribution(bounds), { initial });
  const { name, labelNames } = description;
  addFamily(registry, { ...description, type: 'histogram' }, () => values.samples((value, labels) => value.histogram(name, labels)));
  if (!labelNames) values.of({});
  return { observe: (labels, value) => values.of(labels).observe(value) };
}
