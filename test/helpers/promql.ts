/** Words of PromQL at places where a metric is possible. */
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'atan2', 'inf', 'nan', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);

const IDENTIFIER = /[a-zA-Z_:][\w:]*/g;

/**
 * Returns the metrics that a query of PromQL selects, each with the labels that the query needs: those of its selector, and those by
 * which the query groups or joins. It knows what dashboards contain, not the whole language: `{__name__=~…}` selects nothing here.
 */
export function selectedBy(query: string): Map<string, Set<string>> {
  const matched = new Map<string, Set<string>>();
  const grouped = new Set<string>();
  const rest = query
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, labels: string) => {
      for (const [label] of labels.matchAll(IDENTIFIER)) grouped.add(label);
      return ' ';
    })
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/([a-zA-Z_:][\w:]*)?\s*\{([^}]*)\}/g, (_, metric: string | undefined, matchers: string) => {
      if (metric) add(matched, metric, [...matchers.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!));
      return ' ';
    });
  // Names that remain are functions, words and metrics without a selector. Numbers such as 1e9 or 5m do not begin with a letter.
  for (const { 0: name, index } of rest.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*/g)) {
    if (!WORDS.has(name.toLowerCase()) && !/^\s*\(/.test(rest.slice(index + name.length))) add(matched, name, []);
  }
  for (const labels of matched.values()) for (const label of grouped) labels.add(label);
  return matched;
}

function add(found: Map<string, Set<string>>, metric: string, labels: readonly string[]): void {
  const all = found.get(metric) ?? new Set();
  for (const label of labels) all.add(label);
  found.set(metric, all);
}

/** Returns the queries of a dashboard of Grafana, of all its panels. */
export function queriesOf(dashboard: unknown): string[] {
  if (Array.isArray(dashboard)) return dashboard.flatMap(queriesOf);
  if (typeof dashboard !== 'object' || dashboard === null) return [];
  return Object.entries(dashboard).flatMap(([key, value]) => (key === 'expr' && typeof value === 'string' ? [value] : queriesOf(value)));
}
