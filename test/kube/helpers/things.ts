import type { KubeObject } from '../../../src/kube/objects';
import { defineResource } from '../../../src/kube/resource';

/** What the tests store. */
export interface Thing extends KubeObject {
  readonly spec?: { readonly size?: number };
  readonly status?: { readonly phase?: string };
}

/** A resource type for tests. */
export const THINGS = defineResource<Thing>({ group: 'test.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true });

/** A thing; `rv` is its resource version. */
export function thing(name: string, rv?: number, fields: { uid?: string; size?: number; namespace?: string } = {}): Thing {
  const { uid = `uid-${name}`, size = 0, namespace = 'default' } = fields;
  return {
    apiVersion: 'test.dev/v1',
    kind: 'Thing',
    metadata: { namespace, name, uid, ...rv !== undefined && { resourceVersion: String(rv) } },
    spec: { size },
  };
}
