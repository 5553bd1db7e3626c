import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Rule } from '../flags/permissions';

const GROUP = 'rbac.authorization.k8s.io';

/**
 * User, group or service account that a role is bound to.
 * @internal
 */
export type Subject = object;

/**
 * Returns a service account as a subject.
 * @internal
 */
export function serviceAccount(name: string, namespace: string | undefined): Subject {
  return { kind: 'ServiceAccount', name, namespace };
}

/**
 * Metadata of a Role, or of a ClusterRole if it has no namespace, and of its binding.
 * @internal
 */
export interface RoleMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly annotations?: { readonly [name: string]: string };
  readonly labels?: { readonly [name: string]: string };
}

/**
 * Whether roles are created, and their annotations.
 * @internal
 */
export interface RoleProps {
  readonly createRoles?: boolean;
  readonly roleAnnotations?: { readonly [name: string]: string };
}

/**
 * Does the same as `role`, unless the user has roles of their own.
 * @internal
 */
export function ownRole(
  scope: Construct, id: string, { createRoles = true, roleAnnotations: annotations }: RoleProps, metadata: RoleMetadata,
  rules: readonly Rule[], subjects: readonly Subject[] = [],
): void {
  if (createRoles) role(scope, id, { ...metadata, ...(annotations && { annotations }) }, rules, subjects);
}

/**
 * Adds a Role, or a ClusterRole if it has no namespace, and binds it to subjects.
 * @param subjects subjects; none for a role that users bind
 * @internal
 */
export function role(
  scope: Construct, id: string, metadata: RoleMetadata, rules: readonly Rule[], subjects: readonly Subject[] = [],
): void {
  const kind = metadata.namespace === undefined ? 'ClusterRole' : 'Role';
  new ApiObject(scope, id, {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata,
    rules: rules.map(({ group, resource, verbs, name }) => ({
      apiGroups: [group], resources: [resource], ...(name !== undefined && { resourceNames: [name] }), verbs,
    })),
  });
  if (subjects.length === 0) return;
  new ApiObject(scope, `${id}Binding`, {
    apiVersion: `${GROUP}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: GROUP, kind, name: metadata.name },
    subjects,
  });
}

/**
 * Role of one of the operator's programs in a job namespace.
 * @internal
 */
export interface JobRole {
  /** ID of the construct. */
  readonly id: string;
  readonly name: string;
  readonly props: RoleProps;
  readonly rules: readonly Rule[];
  readonly subject: Subject;
}
