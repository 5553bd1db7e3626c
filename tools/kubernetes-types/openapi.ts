/** The part of an OpenAPI v2 document of a Kubernetes API server that is read here. */
export interface OpenApi {
  readonly info: { readonly version: string };
  readonly definitions: Readonly<Record<string, Definition>>;
}

export interface Definition {
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

export interface PropertySchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: PropertySchema;
  readonly additionalProperties?: PropertySchema;
  readonly ['x-kubernetes-list-type']?: string;
  readonly ['x-kubernetes-list-map-keys']?: readonly string[];
}

export const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
export const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
export const TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time';

/** Properties that only the API server writes, or that a template of a pod cannot have. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': ['managedFields'],
  'io.k8s.api.core.v1.PodSpec': ['ephemeralContainers'],
};

/** Properties of newer versions of Kubernetes that manifests for kubeflow's operator can have. An older API server drops them, with a warning. */
const NEWER: Readonly<Record<string, Readonly<Record<string, PropertySchema>>>> = {
  // Kubernetes 1.35
  'io.k8s.api.core.v1.PodCertificateProjection': { userAnnotations: { type: 'object', additionalProperties: { type: 'string' } } },
};

/** The properties of a definition that a user can write. */
export function propertiesOf(name: string, definition: Definition): [string, PropertySchema][] {
  return Object.entries({ ...NEWER[name], ...definition.properties }).filter(([property]) => !LEFT_OUT[name]?.includes(property)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The name of the definition that a schema refers to. */
export function referenceOf(schema: PropertySchema): string | undefined {
  return schema.$ref?.replace('#/definitions/', '');
}

/** The definitions of the roots and all that they are made of, sorted by name; without those that are plain values. */
export function reachable({ definitions }: OpenApi, roots: readonly string[]): string[] {
  const found = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name; name = queue.pop()) {
    const definition = definitions[name];
    if (!definition) throw new Error(`the API server does not know ${name}`);
    if (found.has(name) || !definition.properties) continue;
    found.add(name);
    const parts = propertiesOf(name, definition).flatMap(([, schema]) => [schema, schema.items, schema.additionalProperties]);
    queue.push(...parts.flatMap((part) => (part && referenceOf(part)) ?? []));
  }
  return [...found].sort();
}
