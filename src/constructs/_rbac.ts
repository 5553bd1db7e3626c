import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { SPARK_APPLICATION } from '../api/spark-application';

/**
 * One line of a Role.
 * @internal
 */
export interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: string[];
}

/**
 * What the operator does in a job namespace, and no more.
 * @internal
 */
export const OPERATOR_RULES: readonly Rule[] = [
  { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch'] },
  { group: SPARK_APPLICATION.group, resource: `${SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  { group: '', resource: 'services', verbs: ['get', 'list', 'create', 'delete'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'delete'] },
  // For a driver's claims that are made on demand, and from Spark 4.2 on.
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'delete'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['get', 'list', 'create', 'delete'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
];

/**
 * What spark-submit does besides, when the operator runs it: it applies on the server's side what belongs to a driver.
 * @internal
 */
export const SPARK_SUBMIT_RULES: readonly Rule[] = [
  { group: '', resource: 'services', verbs: ['patch'] },
  { group: '', resource: 'configmaps', verbs: ['patch'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['patch'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['patch'] },
];

/**
 * What Spark's driver does for its executors (KubernetesClusterSchedulerBackend, ExecutorPodsAllocator): it creates, follows and
 * deletes their pods, their ConfigMap and their volume claims, and deletes by label what carries its application id when it ends.
 * @internal
 */
export const DRIVER_RULES: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete', 'deletecollection'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'patch', 'update', 'delete', 'deletecollection'] },
  { group: '', resource: 'services', verbs: ['get', 'list', 'delete', 'deletecollection'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'patch', 'update', 'delete', 'deletecollection'] },
];

/**
 * A Role with the rules, bound to a service account.
 * @internal
 */
export function grant(scope: Construct, id: string, metadata: { name: string; namespace: string }, rules: readonly Rule[], subject: kplus.ServiceAccount): void {
  const role = new kplus.Role(scope, id, { metadata });
  for (const rule of rules) {
    role.allow(rule.verbs, kplus.ApiResource.custom({ apiGroup: rule.group, resourceType: rule.resource }));
  }
  new kplus.RoleBinding(scope, `${id}Binding`, { metadata, role }).addSubjects(subject);
}
