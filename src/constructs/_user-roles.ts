import { Construct } from 'constructs';
import { role } from './_roles';
import { USER_RULES, VIEWER_RULES } from '../flags/permissions';

/** Labels by which Kubernetes adds the rules of a ClusterRole to those of its own roles. */
const aggregatedTo = (...roles: readonly string[]) => Object.fromEntries(
  roles.map((name) => [`rbac.authorization.k8s.io/aggregate-to-${name}`, 'true']),
);

/**
 * Adds the ClusterRoles of users who read and who run applications. They have no bindings:
 * Kubernetes aggregates them to its own roles, and users can bind them in single namespaces.
 *
 * @param namespace of the operator, as two operators of a cluster must not share such objects
 * @internal
 */
export function addUserRoles(scope: Construct, namespace: string): void {
  role(scope, 'ViewerRole', { name: `spark-viewer:${namespace}`, labels: aggregatedTo('view') }, VIEWER_RULES);
  role(scope, 'EditorRole', { name: `spark-editor:${namespace}`, labels: aggregatedTo('edit', 'admin') }, USER_RULES);
}
