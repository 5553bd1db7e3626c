import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Rule } from './_rbac';
import { KINDS } from '../api/kinds';

const LOOK = ['get', 'list', 'watch'];

/** Objects of an application that show its state. */
const AROUND: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: LOOK },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'services', verbs: LOOK },
  { group: '', resource: 'events', verbs: LOOK },
];

/**
 * Rules for users who only view applications.
 * @internal
 */
export const VIEWER_RULES: readonly Rule[] = [...KINDS.map(({ group, plural }) => ({ group, resource: plural, verbs: LOOK })), ...AROUND];

/**
 * Rules for users who run applications, including access to the web UI of a driver.
 * @internal
 */
export const USER_RULES: readonly Rule[] = [
  ...KINDS.map(({ group, plural }) => ({ group, resource: plural, verbs: [...LOOK, 'create', 'update', 'patch', 'delete'] })),
  ...AROUND,
  { group: '', resource: 'pods/portforward', verbs: ['get', 'create'] },
];

/**
 * Adds a Role, and binds it to subjects.
 * @internal
 */
export function role(
  scope: Construct, id: string, metadata: { readonly name: string; readonly namespace: string }, rules: readonly Rule[],
  subjects: readonly object[],
): void {
  new ApiObject(scope, id, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata,
    rules: rules.map(({ group, resource, verbs, name }) => ({
      apiGroups: [group], resources: [resource], ...(name !== undefined && { resourceNames: [name] }), verbs,
    })),
  });
  new ApiObject(scope, `${id}Binding`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
    subjects,
  });
}
