import type { Metric, Registry } from 'prom-client';

/** Labels of a series, by name. Series of the same labels should share one object: it is written as text once. */
export type Labels = Readonly<Record<string, string>>;

/** One line of what Prometheus reads. */
export interface Sample {
  /** The labels of the series. */
  readonly sharedLabels?: Labels;
  /** Labels of this line alone. */
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** The line's name, if it is not that of the family. */
  readonly metricName?: string;
}

/** What describes a family of series. */
export interface FamilyDescription {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** Names of the labels. @default - none */
  readonly labelNames?: readonly string[];
}

/** A family of series whose values are kept elsewhere, and asked for when Prometheus asks. */
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

  /** What prom-client's registry calls for the text. It calls all families at once, before it waits for any. */
  async get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: [...this.collect()] };
  }
}

/**
 * Adds a family to a registry. prom-client's own counters make and sort a text of all labels for each increment, and its summaries keep
 * quantiles; families let who counts keep plain numbers.
 */
export function addFamily(registry: Registry, description: FamilyDescription, collect: () => Iterable<Sample>): void {
  // Of a metric the registry uses what a Family has.
  registry.registerMetric(new Family(description, collect) as unknown as Metric);
}
