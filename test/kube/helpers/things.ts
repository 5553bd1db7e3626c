import type { KubeObject } from '../../../src/kube/objects';
import { defineResource } from '../../../src/kube/resource';

/** The objects of the tests. */
export interface Thing extends KubeObject {
  readonly spec?: { readonly size?: number };
  readonly status?: { readonly phase?: string };
}

/** A resource type for tests. */
export const THINGS = defineResource<Thing>({ group: 'test.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true });

/** Returns a thing; `rv` is its resource version. */
export function thing(name: string, rv?: number, fields: { uid?: string; size?: number; namespace?: string } = {}): Thing {
  const { uid = `uid-${name}`, size = 0, namespace = 'default' } = fields;
  return {
    apiVersion: 'test.dev/v1',
    kind: 'Thing',
    metadata: { namespace, name, uid, ...rv !== undefined && { resourceVersion: String(rv) } },
    spec: { size },
  };
}
