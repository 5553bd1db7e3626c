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
 * @param key of the installation, as two operators of a cluster must not share such objects
 * @internal
 */
export function addUserRoles(scope: Construct, key: string): void {
  role(scope, 'ViewerRole', { name: `spark-viewer:${key}`, labels: aggregatedTo('view') }, VIEWER_RULES);
  role(scope, 'EditorRole', { name: `spark-editor:${key}`, labels: aggregatedTo('edit', 'admin') }, USER_RULES);
}
