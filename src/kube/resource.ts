import type { KubeObject } from './objects';
import type { Message } from './protobuf/message';

/**
 * A resource type of the API server: what to put in a URL.
 *
 * `T` is the type of its objects; it flows from here into what the client, the store and the reflector return.
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
   * How its objects are read of protobuf. Lists and watches then ask for that, which is shorter than JSON, and costs the server less; objects have only what is described here.
   * @default - JSON, and all of it
   */
  readonly protobuf?: Message;
  /** Never set; it ties the object type to the descriptor. */
  readonly objectType?: T;
}

/** Describes a resource type whose objects are of type `T`. */
export function defineResource<T extends KubeObject = KubeObject>(description: Omit<Resource, 'objectType'>): Resource<T> {
  return description;
}

/** The `apiVersion` of a resource's objects: `group/version`, or the version alone in the core group. */
export function apiVersionOf(resource: Resource): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/**
 * The URL path of an object, or without `name` of a collection (of all namespaces, without `namespace`).
 *
 * @throws {Error} when a part could not stand in a path, such as an empty name or `..`, or when the scope does not fit
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
  // The dots would be taken as steps in the path, whatever their escaping.
  if (value === '' || value === '.' || value === '..') {
    throw new Error(`${JSON.stringify(value)} cannot be a ${what}`);
  }
  return encodeURIComponent(value);
}
