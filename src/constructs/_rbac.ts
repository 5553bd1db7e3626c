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
  /** Only the object of this name. */
  readonly name?: string;
}

/** What is brought about and kept as it should be. */
const KEEP = ['get', 'list', 'create', 'update', 'delete'];

/**
 * What the operator does in a job namespace, and no more.
 * @internal
 */
export const OPERATOR_RULES: readonly Rule[] = [
  // It deletes an application whose time to live is over.
  { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch', 'delete'] },
  { group: SPARK_APPLICATION.group, resource: `${SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  { group: '', resource: 'services', verbs: KEEP },
  // It watches the one with defaults and limits.
  { group: '', resource: 'configmaps', verbs: [...KEEP, 'watch'] },
  // For a driver's claims that are made on demand, and from Spark 4.2 on.
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'delete'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['get', 'list', 'create', 'delete'] },
  // How web UIs and other ports of drivers are reached.
  { group: 'networking.k8s.io', resource: 'ingresses', verbs: KEEP },
  { group: 'gateway.networking.k8s.io', resource: 'httproutes', verbs: KEEP },
  { group: 'policy', resource: 'poddisruptionbudgets', verbs: KEEP },
  // Why a driver's node does not start it is only in the events of its pod.
  { group: '', resource: 'events', verbs: ['list', 'create', 'patch'] },
];

/**
 * What the operator does besides to find the job namespaces by their labels.
 * @internal
 */
export const NAMESPACE_RULES: readonly Rule[] = [{ group: '', resource: 'namespaces', verbs: ['list', 'watch'] }];

/**
 * What the operator does in its own namespace: its replicas agree by a Lease on the one that works. The rights to create cannot be limited by
 * name, and neither is there a name to know before.
 * @internal
 */
export function ownRules(lease: string, defaultsConfigMap?: string): Rule[] {
  return [
    { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
    { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'watch', 'update'], name: lease },
    ...(defaultsConfigMap === undefined ? [] : [{ group: '', resource: 'configmaps', verbs: ['get', 'list', 'watch'], name: defaultsConfigMap }]),
  ];
}

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
 * A Role with the rules, bound to a service account; without a namespace a ClusterRole that holds in all of them.
 * @internal
 */
export function grant(scope: Construct, id: string, metadata: { name: string; namespace?: string }, rules: readonly Rule[], subject: kplus.ServiceAccount): void {
  if (metadata.namespace === undefined) {
    new kplus.ClusterRoleBinding(scope, `${id}Binding`, { metadata, role: clusterRole(scope, id, metadata.name, rules) }).addSubjects(subject);
    return;
  }
  const role = new kplus.Role(scope, id, { metadata });
  for (const rule of rules) role.allow(rule.verbs, resourceOf(rule));
  new kplus.RoleBinding(scope, `${id}Binding`, { metadata, role }).addSubjects(subject);
}

/**
 * A ClusterRole with the rules.
 * @internal
 */
export function clusterRole(scope: Construct, id: string, name: string, rules: readonly Rule[]): kplus.ClusterRole {
  const role = new kplus.ClusterRole(scope, id, { metadata: { name } });
  for (const rule of rules) role.allow(rule.verbs, kplus.ApiResource.custom({ apiGroup: rule.group, resourceType: rule.resource }));
  return role;
}

function resourceOf({ group, resource, name }: Rule): kplus.IApiResource {
  return { apiGroup: group, resourceType: resource, resourceName: name };
}
