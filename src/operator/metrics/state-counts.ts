import type { Sample } from './family';
import { LabeledValues, type LabeledValuesOptions } from './labeled-values';
import { OTHER } from './namespaces';

/** Numbers of objects by namespace and state. */
export class StateCounts {
  private readonly values: LabeledValues<{ count: number }>;

  /**
   * @param states the known states; each has a series in each namespace
   * @param initial name of the empty state: for Prometheus, an empty label does not exist
   */
  constructor(private readonly states: readonly string[], private readonly initial: string, options?: LabeledValuesOptions) {
    this.values = new LabeledValues(() => ({ count: 0 }), { ...options, initial: states.map((state) => ({ state: state || initial })) });
  }

  /** Creates the series of a namespace. */
  create(namespace: string): void {
    this.values.of({ namespace, state: this.initial });
  }

  /** Counts an object. */
  add(namespace: string, state: string): void {
    this.values.of({ namespace, state: this.states.includes(state) ? state || this.initial : OTHER }).count++;
  }

  /** Returns the lines of a gauge. */
  samples(): Sample[] {
    return this.values.samples(({ count }, sharedLabels) => [{ sharedLabels, value: count }]);
  }
}
