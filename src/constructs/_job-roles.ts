import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Rule } from '../flags/permissions';

/**
 * A Role, bound to those who get it.
 * @internal
 */
export function role(scope: Construct, id: string, metadata: { readonly name: string; readonly namespace: string }, rules: readonly Rule[], subjects: readonly object[]): void {
  new ApiObject(scope, id, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata,
    rules: rules.map(({ group, resource, verbs, name }) => ({ apiGroups: [group], resources: [resource], ...(name !== undefined && { resourceNames: [name] }), verbs })),
  });
  new ApiObject(scope, `${id}Binding`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
    subjects,
  });
}
