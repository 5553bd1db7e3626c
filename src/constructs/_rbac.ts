import { ApiObject, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { isOn, listOf, valueOf } from './_operator-flags';
import { COSCHEDULING_POD_GROUPS, NAMED_SCHEDULERS } from '../api/batch-schedulers';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../api/spark-application';
import { SPARK_CONNECT } from '../api/spark-connect';

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
/** What is brought about once, with a driver. */
const MAKE = ['get', 'list', 'create', 'delete'];
/** What another configuration has left. */
const REMOVE = ['list', 'delete'];

/** API groups of what is made for schedulers that are known by their names. Which of them applications choose nobody knows here, whatever the default is. */
const NAMED_POD_GROUPS: readonly string[] = Object.values(NAMED_SCHEDULERS).flatMap(({ podGroups }) => (podGroups ? [podGroups.group] : []));

/**
 * What the operator is told to do besides running drivers, as far as it needs rights for it.
 * @internal
 */
export interface Features {
  /** Web UIs or other ports of drivers are reached by Ingresses. */
  readonly ingresses: boolean;
  /** They are reached by HTTPRoutes. */
  readonly routes: boolean;
  /** Drivers get PodDisruptionBudgets. */
  readonly disruptionBudgets: boolean;
  /** What was made when it was set up otherwise is removed. */
  readonly leftovers: boolean;
  /** It runs spark-submit. */
  readonly sparkSubmit: boolean;
  /** Job namespaces are found by their labels. */
  readonly namespaceSelector: boolean;
  /** Name of the ConfigMaps with defaults and limits. */
  readonly defaultsConfigMap?: string;
  /** ResourceQuotas are compared with what applications need. */
  readonly quotas: boolean;
  /** API groups of the PodGroups that are made for batch schedulers. */
  readonly podGroups: readonly string[];
  /** Name of the Lease of the replicas; undefined: there is no election. */
  readonly lease?: string;
}

/**
 * What the operator's command line turns on.
 * @internal
 */
export function featuresOf(args: readonly string[], sparkSubmit: boolean, defaultLease: string): Features {
  const hasUrls = isOn(args, 'enable-ui-service', true) && Boolean(valueOf(args, 'ingress-url-format'));
  const isExposed = hasUrls || isOn(args, 'enable-driver-ingress', true);
  const hasGateway = Boolean(valueOf(args, 'ui-gateway'));
  return {
    ingresses: isExposed && !hasGateway,
    routes: isExposed && hasGateway,
    disruptionBudgets: isOn(args, 'enable-driver-pdb', false),
    leftovers: isOn(args, 'remove-orphans', true),
    sparkSubmit,
    namespaceSelector: Boolean(valueOf(args, 'namespace-selector')),
    defaultsConfigMap: valueOf(args, 'defaults-config-map') || undefined,
    quotas: isOn(args, 'enable-resource-quota-enforcement', false),
    podGroups: isOn(args, 'enable-batch-scheduler', false) ? [...NAMED_POD_GROUPS, ...(listOf(args, 'kube-scheduler-names').length > 0 ? [COSCHEDULING_POD_GROUPS.group] : [])] : [],
    lease: isOn(args, 'leader-election', true) ? valueOf(args, 'leader-election-lock-name') ?? defaultLease : undefined,
  };
}

/**
 * What the operator does in a job namespace, and no more.
 * @internal
 */
export function jobRules({ ingresses, routes, disruptionBudgets, leftovers, sparkSubmit, defaultsConfigMap, quotas, podGroups }: Features): Rule[] {
  const optional = (isOnNow: boolean) => (isOnNow ? KEEP : leftovers ? REMOVE : []);
  return [
    // It creates the runs of schedules, and deletes an application whose time to live is over.
    { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: SPARK_APPLICATION.group, resource: `${SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: SCHEDULED_SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: `${SCHEDULED_SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    // And a server that nobody uses any more.
    { group: SPARK_CONNECT.group, resource: SPARK_CONNECT.plural, verbs: ['get', 'list', 'watch', 'delete'] },
    { group: SPARK_CONNECT.group, resource: `${SPARK_CONNECT.plural}/status`, verbs: ['update'] },
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: '', resource: 'services', verbs: KEEP },
    { group: '', resource: 'configmaps', verbs: MAKE },
    ...(defaultsConfigMap === undefined ? [] : [{ group: '', resource: 'configmaps', verbs: ['watch'], name: defaultsConfigMap }]),
    // For a driver's claims that are made on demand, and from Spark 4.2 on.
    { group: '', resource: 'persistentvolumeclaims', verbs: MAKE },
    { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: MAKE },
    // How web UIs and other ports of drivers are reached.
    { group: 'networking.k8s.io', resource: 'ingresses', verbs: optional(ingresses) },
    { group: 'gateway.networking.k8s.io', resource: 'httproutes', verbs: optional(routes) },
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: optional(disruptionBudgets) },
    ...podGroups.map((group) => ({ group, resource: 'podgroups', verbs: MAKE })),
    // Why a driver's node does not start it is only in the events of its pod.
    { group: '', resource: 'events', verbs: ['list', 'create', 'patch'] },
    ...(sparkSubmit ? SPARK_SUBMIT_RULES : []),
    ...(quotas ? [{ group: '', resource: 'resourcequotas', verbs: ['list'] }] : []),
  ].filter(({ verbs }) => verbs.length > 0);
}

/**
 * What an operator may do in a job namespace of which nothing is known but that it is there.
 * @internal
 */
export function allJobRules(defaultsConfigMap: string | undefined): Rule[] {
  return jobRules({
    ingresses: true, routes: true, disruptionBudgets: true, leftovers: true, sparkSubmit: true, namespaceSelector: false, quotas: true,
    podGroups: [...NAMED_POD_GROUPS, COSCHEDULING_POD_GROUPS.group], defaultsConfigMap,
  });
}

/**
 * What the operator does besides to find the job namespaces by their labels.
 * @internal
 */
export const NAMESPACE_RULES: readonly Rule[] = [{ group: '', resource: 'namespaces', verbs: ['list', 'watch'] }];

/**
 * What the operator does in its own namespace: its replicas agree by a Lease on the one that works. The right to create
 * cannot be limited by name.
 * @internal
 */
export function ownRules({ lease, defaultsConfigMap }: Features, isClusterWide: boolean): Rule[] {
  return [
    ...(lease === undefined ? [] : [
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'watch', 'update'], name: lease },
    ]),
    ...defaultsRules({ defaultsConfigMap }, isClusterWide),
  ];
}

/**
 * What is done in the operator's namespace to follow the ConfigMap that is for all applications.
 * @internal
 */
export function defaultsRules({ defaultsConfigMap }: Pick<Features, 'defaultsConfigMap'>, isClusterWide: boolean): Rule[] {
  return defaultsConfigMap === undefined || isClusterWide ? [] : [{ group: '', resource: 'configmaps', verbs: ['list', 'watch'], name: defaultsConfigMap }];
}

/** What spark-submit does besides, when the operator runs it: it applies on the server's side what belongs to a driver. */
const SPARK_SUBMIT_RULES: readonly Rule[] = [
  { group: '', resource: 'services', verbs: ['patch'] },
  { group: '', resource: 'configmaps', verbs: ['patch'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['patch'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['patch'] },
];

/**
 * What Spark's driver does for its executors (KubernetesClusterSchedulerBackend, ExecutorPodsAllocator): it creates, follows and
 * deletes their pods, their ConfigMap and their volume claims, and deletes by label what carries its application id when it ends.
 * A right to delete cannot be limited to labels; ConfigMaps, among which are those with defaults and limits, are never changed.
 * @internal
 */
export const DRIVER_RULES: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete', 'deletecollection'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'delete', 'deletecollection'] },
  { group: '', resource: 'services', verbs: ['get', 'list', 'delete', 'deletecollection'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'patch', 'update', 'delete', 'deletecollection'] },
];

/**
 * A Role with the rules, bound to a service account; without a namespace a ClusterRole that holds in all of them.
 * @internal
 */
export function grant(scope: Construct, id: string, metadata: { name: string; namespace?: string }, rules: readonly Rule[], subject: kplus.ServiceAccount): void {
  if (metadata.namespace === undefined) {
    bind(new kplus.ClusterRoleBinding(scope, `${id}Binding`, { metadata, role: clusterRole(scope, id, metadata.name, rules) }), subject);
    return;
  }
  const role = new kplus.Role(scope, id, { metadata });
  for (const rule of rules) role.allow(rule.verbs, resourceOf(rule));
  bind(new kplus.RoleBinding(scope, `${id}Binding`, { metadata, role }), subject);
}

function bind(binding: kplus.RoleBinding | kplus.ClusterRoleBinding, subject: kplus.ServiceAccount): void {
  binding.addSubjects(subject);
  // Empty it is not stored, and each `kubectl apply` would write the binding again.
  ApiObject.of(binding).addJsonPatch(JsonPatch.remove('/subjects/0/apiGroup'));
}

/**
 * A ClusterRole with the rules.
 * @internal
 */
export function clusterRole(scope: Construct, id: string, name: string, rules: readonly Rule[]): kplus.ClusterRole {
  const role = new kplus.ClusterRole(scope, id, { metadata: { name } });
  rules.forEach((rule, index) => {
    role.allow(rule.verbs, { asApiResource: () => resourceOf(rule), asNonApiResource: () => undefined });
    // As above.
    if (rule.name === undefined) ApiObject.of(role).addJsonPatch(JsonPatch.remove(`/rules/${index}/resourceNames`));
  });
  return role;
}

function resourceOf({ group, resource, name }: Rule): kplus.IApiResource {
  return { apiGroup: group, resourceType: resource, resourceName: name };
}
