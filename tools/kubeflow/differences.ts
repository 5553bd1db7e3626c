/** A difference between kubeflow's CRD of a kind and ours. */
export interface Difference {
  /** The kind, such as `SparkConnect`. */
  readonly kind: string;
  /** Path of the field, with `[]` for entries of a list and `{}` for values of a map. */
  readonly path: string;
  /** The difference: `field` if one of the two lacks the field, else the fact's name. */
  readonly fact: string;
  /** kubeflow's value; undefined if it has none. */
  readonly theirs: unknown;
  /** Our value; undefined if there is none. */
  readonly ours: unknown;
}

type Json = { readonly [key: string]: any };

/** Facts of a field: keywords of its schema, and whether its parent requires it. Descriptions are no facts. */
type Facts = { readonly [fact: string]: unknown };

const KEYWORDS = [
  'type', 'format', 'enum', 'default', 'nullable', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties',
  'x-kubernetes-int-or-string', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-preserve-unknown-fields',
];

/** Returns all differences between two CRDs of a kind, sorted by path. A field that one of them lacks is one difference, whatever is below it. */
export function differencesOf(theirs: Json, ours: Json): Difference[] {
  const kind = ours.spec.names.kind;
  const [left, right] = [factsOf(theirs), factsOf(ours)];
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort();
  return paths.flatMap((path): Difference[] => {
    const [a, b] = [left.get(path), right.get(path)];
    if (!a || !b) {
      const parent = parentOf(path);
      // Below a field that is absent, or open to any content, nothing differs by itself.
      const isCovered = parent !== path && [left, right].some((facts) => !facts.has(parent) || facts.get(parent)!['x-kubernetes-preserve-unknown-fields']);
      return isCovered ? [] : [{ kind, path, fact: 'field', theirs: a && summary(a), ours: b && summary(b) }];
    }
    const facts = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return facts.filter((fact) => JSON.stringify(a[fact]) !== JSON.stringify(b[fact])).map((fact) => ({ kind, path, fact, theirs: a[fact], ours: b[fact] }));
  });
}

/**
 * Returns the differences of all kinds, each once: the template of a schedule is a specification of an application, and what differs in both
 * is listed for the application only.
 */
export function withoutRepetitions(differences: readonly Difference[]): Difference[] {
  const seen = new Set<string>();
  return differences.map((difference): Difference => {
    const inTemplate = difference.kind === 'ScheduledSparkApplication' && /^spec\.template(?=$|\.)/.test(difference.path);
    return inTemplate ? { ...difference, kind: 'SparkApplication', path: difference.path.replace('spec.template', 'spec') } : difference;
  }).filter((difference) => {
    const key = JSON.stringify(difference);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the facts of a CRD by path: of its names and columns, and of all fields. */
export function factsOf(crd: Json): Map<string, Facts> {
  const [version] = crd.spec.versions;
  const facts = new Map<string, Facts>();
  facts.set('names', { group: crd.spec.group, scope: crd.spec.scope, version: version.name, ...crd.spec.names });
  facts.set('columns', {});
  for (const { name, jsonPath, type } of version.additionalPrinterColumns ?? []) facts.set(`columns.${name}`, { jsonPath, type });
  const { spec, status } = version.schema.openAPIV3Schema.properties;
  collect(spec, 'spec', false, facts);
  collect(status, 'status', false, facts);
  return facts;
}

function collect(schema: Json, path: string, required: boolean, facts: Map<string, Facts>): void {
  const keywords = KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, sorted(schema[keyword])]);
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ rule }: Json) => rule);
  facts.set(path, Object.fromEntries([...keywords, ...(required ? [['required', true]] : []), ...(rules.length > 0 ? [['rules', rules]] : [])]));
  for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) collect(inner, `${path}.${name}`, (schema.required ?? []).includes(name), facts);
  if (schema.items) collect(schema.items, `${path}[]`, false, facts);
  if (typeof schema.additionalProperties === 'object') collect(schema.additionalProperties, `${path}{}`, false, facts);
}

/** Lists in a CRD that differ in their order are the same. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

function summary(facts: Facts): string {
  return facts['x-kubernetes-int-or-string'] ? 'int-or-string' : String(facts.type ?? facts.jsonPath ?? 'any');
}

function parentOf(path: string): string {
  return path.replace(/(\.[^.[\]{}]+|\[\]|\{\})$/, '');
}
