/** A rule of the JMX exporter of Prometheus. */
export interface ExporterRule {
  readonly pattern: string;
  readonly name: string;
  readonly type: string;
  readonly labels: { readonly [label: string]: string };
}

/** A series that the exporter serves. */
export interface ExportedSeries {
  readonly name: string;
  readonly type: string;
  readonly labels: { readonly [label: string]: string };
}

/**
 * Returns the series that the exporter (1.x, with `lowercaseOutputName`) makes of an attribute of a JMX bean: by the first rule whose
 * pattern occurs in it. Characters that names cannot have become one `_`, and names of counters end in `_total`.
 * @see https://prometheus.github.io/jmx_exporter/1.0.1/http-mode/rules/
 */
export function exported(rules: readonly ExporterRule[], attribute: string): ExportedSeries | undefined {
  for (const { pattern, name, type, labels } of rules) {
    const match = new RegExp(pattern).exec(attribute);
    if (!match) continue;
    const filled = (text: string) => text.replace(/\$(\d)/g, (_, group: string) => match[Number(group)]!);
    const plain = filled(name).toLowerCase().replace(/[^a-z0-9_:]+/g, '_').replace(/_+/g, '_');
    return {
      name: type === 'COUNTER' ? `${plain.replace(/_total$/, '')}_total` : plain,
      type,
      labels: Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, filled(value)])),
    };
  }
  return undefined;
}
