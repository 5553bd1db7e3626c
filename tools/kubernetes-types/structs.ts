import { INT_OR_STRING, propertiesOf, QUANTITY, reachable, referenceOf, TIME, type Definition, type OpenApi, type PropertySchema } from './openapi.ts';

/** Longer lists of words, such as that of all signals, would be repeated for each container in a CRD. */
const MAX_ENUM = 12;

/** Lengths that Kubernetes checks, and that are not in its OpenAPI document; the cost of rules about lists of them depends on these. A volume's name is a DNS label. */
const MAX_LENGTHS: Readonly<Record<string, number>> = { 'Volume.name': 63, 'VolumeMount.name': 63 };

/** Fields that Kubernetes requires, but not in a pod template of ours: Spark adds its own container. */
const OPTIONAL: readonly string[] = ['PodSpec.containers'];

/**
 * TypeScript structs for definitions of Kubernetes' API, as jsii takes them. They have only facts of the API's description: names, types,
 * required fields, allowed words, keys of lists.
 */
export function structsFile(api: OpenApi, roots: readonly string[]): string {
  const names = reachable(api, roots);
  const minor = /^v?(\d+\.\d+)/.exec(api.info.version)?.[1];
  if (!minor) throw new Error(`the API server has no version that is understood: ${api.info.version}`);
  const structs = names.map((name) => struct(name, api.definitions[name]!, minor));
  return [
    `/* Generated from the OpenAPI document of Kubernetes ${minor} by \`npm run generate:kubernetes\`; do not edit. */`,
    '',
    '/**',
    ' * The version of Kubernetes whose fields these structs have.',
    ' * @internal',
    ' */',
    `export const KUBERNETES_VERSION = '${minor}';`,
    '',
    structs.join('\n'),
  ].join('\n');
}

function struct(name: string, definition: Definition, minor: string): string {
  const [group, version, kind] = groupVersionKind(name);
  const anchor = `${kind}-${version}-${group}`.toLowerCase();
  const required = new Set(definition.required ?? []);
  return [
    '/**',
    ` * Kubernetes' \`${kind}\` (\`${group}/${version}\`). Quantities and values that can be a number or a string are strings here.`,
    ' *',
    ` * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v${minor}/#${anchor}`,
    ' */',
    `export interface ${typeName(name)} {`,
    ...propertiesOf(name, definition).flatMap(([property, schema]) => field(
      kind, property, schema, required.has(property) && !OPTIONAL.includes(`${kind}.${property}`),
    )),
    '}',
    '',
  ].join('\n');
}

function field(kind: string, name: string, schema: PropertySchema, required: boolean): string[] {
  const tags = tagsOf(kind, name, schema, required);
  return [
    ...(tags.length > 0 ? [`  /** ${tags.join(' ')} */`].flatMap((line) => (tags.length > 1 ? ['  /**', ...tags.map((tag) => `   * ${tag}`), '   */'] : [line])) : []),
    `  readonly ${name}${required ? '' : '?'}: ${typeOf(schema)};`,
  ];
}

function tagsOf(kind: string, name: string, schema: PropertySchema, required: boolean): string[] {
  const value = schema.additionalProperties ?? schema;
  const reference = referenceOf(value);
  const keys = schema['x-kubernetes-list-map-keys'];
  const maxLength = MAX_LENGTHS[`${kind}.${name}`];
  return [
    ...(maxLength === undefined ? [] : [`@maxLength ${maxLength}`]),
    ...(reference === QUANTITY ? ['@quantity'] : []),
    ...(reference === INT_OR_STRING ? ['@intOrString'] : []),
    ...(reference === TIME ? ['@format date-time'] : []),
    ...((schema.items ?? schema).format === 'int64' ? ['@format int64'] : []),
    // Go does not distinguish an empty word from none, and so its programs write the one for the other.
    ...(schema.enum && schema.enum.length <= MAX_ENUM ? [`@oneOf ${JSON.stringify(required ? schema.enum : [...new Set(['', ...schema.enum])])}`] : []),
    ...(keys ? [`@listMapKeys ${JSON.stringify(keys)}`] : []),
    // The key of a list of ports has to have a value.
    ...(name === 'protocol' && schema.enum ? ['@schemaDefault TCP'] : []),
  ];
}

function typeOf(schema: PropertySchema): string {
  const reference = referenceOf(schema);
  if (reference === QUANTITY || reference === INT_OR_STRING || reference === TIME) return 'string';
  if (reference) return typeName(reference);
  switch (schema.type) {
    case 'string': case 'boolean': return schema.type;
    case 'integer': case 'number': return 'number';
    case 'array': return `${typeOf(schema.items!)}[]`;
    case 'object': return `{ [key: string]: ${typeOf(schema.additionalProperties!)} }`;
    default: throw new Error(`there is no type for ${JSON.stringify(schema)}`);
  }
}

/** `io.k8s.api.core.v1.Volume` → core, v1, Volume. */
function groupVersionKind(name: string): [string, string, string] {
  const parts = name.split('.');
  return [parts.at(-3)!, parts.at(-2)!, parts.at(-1)!];
}

/** jsii wants acronyms to be written as words: `HTTPGetAction` → `HttpGetAction`. */
export function typeName(definition: string): string {
  return groupVersionKind(definition)[2].replace(/[A-Z]{2,}(?=[A-Z][a-z])|[A-Z]{2,}$/g, (run) => run[0] + run.slice(1).toLowerCase());
}
