import type { Metric, Registry } from 'prom-client';

/**
 * Labels of a series, by name. Series with the same labels should share one object, which is
 * rendered once.
 */
export type Labels = Readonly<Record<string, string>>;

/** A line of the metrics page. */
export interface Sample {
  /** The labels of the series. */
  readonly sharedLabels?: Labels;
  /** Labels of only this line. */
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Name of the line, if it differs from that of the family. */
  readonly metricName?: string;
}

/** Description of a family of series. */
export interface FamilyDescription {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** Names of the labels. @default - none */
  readonly labelNames?: readonly string[];
}

/** Description of a family, except for its type. */
export type Described = Omit<FamilyDescription, 'type'>;

/** A family of series whose values are stored elsewhere, and read at each scrape. */
export class Family {
  readonly name: string;
  readonly type: FamilyDescription['type'];
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly aggregator = 'sum';

  constructor(description: FamilyDescription, private readonly collect: () => Iterable<Sample>) {
    this.name = description.name;
    this.type = description.type;
    this.help = description.help;
    this.labelNames = description.labelNames ?? [];
  }

  /**
   * Returns the text for prom-client's registry, which calls all families at once before it waits
   * for any.
   */
  async get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: [...this.collect()] };
  }
}

/**
 * Adds a family to a registry. For each increment, prom-client's counters build and sort a text of
 * all labels, and its summaries keep quantiles. Families read plain numbers.
 */
export function addFamily(registry: Registry, description: FamilyDescription, collect: () => Iterable<Sample>): void {
  // The registry only uses the members of a metric that a Family has.
  registry.registerMetric(new Family(description, collect) as unknown as Metric);
}

/**
 * Adds a gauge to a registry. `rows` returns one object for each series; it has the labels as
 * members.
 */
export function addGauge<R>(registry: Registry, description: Described, rows: () => Iterable<R>, valueOf: (row: R) => number): void {
  const labelNames = description.labelNames ?? [];
  addFamily(registry, { ...description, type: 'gauge' }, () => [...rows()].map((row) => ({
    labels: Object.fromEntries(labelNames.map((name) => [name, String(row[name as keyof R])])), value: valueOf(row),
  })));
}
