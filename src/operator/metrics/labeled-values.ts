import type { Labels, Sample } from './family';
import { MAX_NAMESPACES, OTHER } from './namespaces';

/** Settings of `LabeledValues`. */
export interface LabeledValuesOptions {
  /**
   * Labels of series that are created with the first series of the same other labels, so that a
   * first event is an increase. @default - none
   */
  readonly initial?: readonly Labels[];
  /**
   * Maximum number of values of the label `namespace`; further ones share a series.
   * @default MAX_NAMESPACES
   */
  readonly namespaces?: number;
}

/** Values by labels. Callers give the labels always in the same order. */
export class LabeledValues<V> {
  private readonly series = new Map<string, { readonly labels: Labels; readonly value: V }>();
  private readonly namespaces = new Set<string>();

  constructor(private readonly create: () => V, private readonly options: LabeledValuesOptions = {}) {}

  /** Returns the value of a series. Creates it if there is none. */
  of(labels: Labels): V {
    const bounded = this.withBoundedNamespace(labels);
    const series = this.series.get(keyOf(bounded));
    if (series) return series.value;
    for (const each of this.options.initial ?? []) this.add({ ...bounded, ...each });
    return this.add(bounded);
  }

  /** Returns the lines of all series. */
  samples<S extends Sample>(linesOf: (value: V, labels: Labels) => Iterable<S>): S[] {
    return [...this.series.values()].flatMap(({ labels, value }) => [...linesOf(value, labels)]);
  }

  private add(labels: Labels): V {
    const key = keyOf(labels);
    const series = this.series.get(key) ?? { labels, value: this.create() };
    this.series.set(key, series);
    return series.value;
  }

  private withBoundedNamespace(labels: Labels): Labels {
    const { namespace } = labels;
    if (namespace === undefined || this.namespaces.has(namespace)) return labels;
    if (this.namespaces.size >= (this.options.namespaces ?? MAX_NAMESPACES)) return { ...labels, namespace: OTHER };
    this.namespaces.add(namespace);
    return labels;
  }
}

function keyOf(labels: Labels): string {
  return Object.values(labels).join('\0');
}
