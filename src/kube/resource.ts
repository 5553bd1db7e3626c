import type { KubeObject } from './objects';
import type { Message } from './protobuf/message';

/**
 * A resource type of the API server, as needed for URLs.
 *
 * `T` is the type of its objects, and determines the types that client, store and reflector return.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** The API group; `''` for the core group. */
  readonly group: string;
  /** The version, for example `v1`. */
  readonly version: string;
  /** The kind of its objects, for example `Pod`. */
  readonly kind: string;
  /** The name in URLs, for example `pods`. */
  readonly plural: string;
  /** Whether its objects live in namespaces. */
  readonly namespaced: boolean;
  /**
   * Reads its objects from protobuf. Lists and watches then request protobuf, which is shorter than
   * JSON and cheaper for the server. Objects have only the fields described here.
   * @default - JSON, with all fields
   */
  readonly protobuf?: Message;
  /** Never set; links the object type to the descriptor. */
  readonly objectType?: T;
}

/** Describes a resource type whose objects are of type `T`. */
export function defineResource<T extends KubeObject = KubeObject>(description: Omit<Resource, 'objectType'>): Resource<T> {
  return description;
}

/**
 * Returns the `apiVersion` of a resource's objects: `group/version`, or the version alone in the
 * core group.
 */
export function apiVersionOf(resource: Resource): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/**
 * Returns the URL path of an object; without `name`, of a collection; without `namespace`, of all
 * namespaces.
 *
 * @throws {Error} if a part is not valid in a path, such as an empty name or `..`, or if the scope
 * does not match
 */
export function pathOf(resource: Resource, namespace?: string, name?: string, subresource?: string): string {
  if (namespace !== undefined && !resource.namespaced) {
    throw new Error(`${resource.plural} have no namespace, yet ${JSON.stringify(namespace)} was given`);
  }
  if (namespace === undefined && name !== undefined && resource.namespaced) {
    throw new Error(`${resource.plural} need a namespace, yet none was given for ${JSON.stringify(name)}`);
  }
  const segments = [
    resource.group ? `apis/${resource.group}` : 'api',
    resource.version,
    ...(namespace === undefined ? [] : ['namespaces', escapeSegment('namespace', namespace)]),
    resource.plural,
    ...(name === undefined ? [] : [escapeSegment('name', name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${segments.join('/')}`;
}

function escapeSegment(what: string, value: string): string {
  // Servers treat dots as path segments even if they are escaped.
  if (value === '' || value === '.' || value === '..') {
    throw new Error(`${JSON.stringify(value)} cannot be a ${what}`);
  }
  return encodeURIComponent(value);
}
