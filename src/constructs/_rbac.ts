import { ApiObject, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { isOn, listOf, valueOf } from './_operator-flags';
import { COSCHEDULING_POD_GROUPS, NAMED_SCHEDULERS } from '../api/batch-schedulers';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../api/spark-application';
import { SPARK_CONNECT } from '../api/spark-connect';

/**
 * Rule of a Role.
 * @internal
 */
export interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: string[];
  /** Restricts the rule to the object of this name. */
  readonly name?: string;
}

/** Verbs for objects that the operator creates and keeps up to date. */
const KEEP = ['get', 'list', 'create', 'update', 'delete'];
/** Verbs for objects that the operator creates once, with a driver. */
const MAKE = ['get', 'list', 'create', 'delete'];
/** Verbs for objects that another configuration has left. */
const REMOVE = ['list', 'delete'];

/**
 * API groups of PodGroups for the built-in schedulers. Applications can choose any of them,
 * whatever the default is.
 */
const NAMED_POD_GROUPS: readonly string[] = Object.values(NAMED_SCHEDULERS).flatMap(({ podGroups }) => (podGroups
  ? [podGroups.group]
  : []));

/**
 * Features of the operator that need permissions, in addition to running drivers.
 * @internal
 */
export interface Features {
  /** Whether it creates Ingresses for web UIs or other ports of drivers. */
  readonly ingresses: boolean;
  /** Whether it creates HTTPRoutes for them. */
  readonly routes: boolean;
  /** Whether it creates PodDisruptionBudgets for drivers. */
  readonly disruptionBudgets: boolean;
  /** Whether it removes orphans of a previous configuration. */
  readonly orphans: boolean;
  /** Whether it runs spark-submit. */
  readonly sparkSubmit: boolean;
  /** Whether it selects job namespaces by labels. */
  readonly namespaceSelector: boolean;
  /** Name of the ConfigMaps with defaults and limits. */
  readonly defaultsConfigMap?: string;
  /** Whether it compares ResourceQuotas with the demand of applications. */
  readonly quotas: boolean;
  /** API groups of the PodGroups that it creates for batch schedulers. */
  readonly podGroups: readonly string[];
  /** Name of the Lease for leader election; undefined without an election. */
  readonly lease?: string;
  /** Whether the replicas share the work, with Leases whose names are not known in advance. */
  readonly shards: boolean;
}

/**
 * Returns the features that the operator's command line enables.
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
    orphans: isOn(args, 'remove-orphans', true),
    sparkSubmit,
    namespaceSelector: Boolean(valueOf(args, 'namespace-selector')),
    defaultsConfigMap: valueOf(args, 'defaults-config-map') || undefined,
    quotas: isOn(args, 'enable-resource-quota-enforcement', false),
    podGroups: isOn(args, 'enable-batch-scheduler', false) ? [
      ...NAMED_POD_GROUPS, ...(listOf(args, 'kube-scheduler-names').length > 0 ? [COSCHEDULING_POD_GROUPS.group] : []),
    ] : [],
    lease: isOn(args, 'leader-election', true) ? valueOf(args, 'leader-election-lock-name') ?? defaultLease : undefined,
    shards: Number(valueOf(args, 'shards') ?? 0) > 0,
  };
}

/**
 * Returns the operator's rules in a job namespace.
 * @internal
 */
export function jobRules(
  { ingresses, routes, disruptionBudgets, orphans, sparkSubmit, defaultsConfigMap, quotas, podGroups }: Features,
): Rule[] {
  const optional = (isOnNow: boolean) => (isOnNow ? KEEP : orphans ? REMOVE : []);
  return [
    // It creates the runs of schedules, and deletes applications after their time to live.
    { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: SPARK_APPLICATION.group, resource: `${SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: SCHEDULED_SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: `${SCHEDULED_SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    // It also deletes idle servers.
    { group: SPARK_CONNECT.group, resource: SPARK_CONNECT.plural, verbs: ['get', 'list', 'watch', 'delete'] },
    { group: SPARK_CONNECT.group, resource: `${SPARK_CONNECT.plural}/status`, verbs: ['update'] },
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: '', resource: 'services', verbs: KEEP },
    { group: '', resource: 'configmaps', verbs: MAKE },
    ...(defaultsConfigMap === undefined ? [] : [{ group: '', resource: 'configmaps', verbs: ['watch'], name: defaultsConfigMap }]),
    // For on-demand volume claims of drivers, from Spark 4.2.
    { group: '', resource: 'persistentvolumeclaims', verbs: MAKE },
    { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: MAKE },
    // Objects that expose web UIs and other ports of drivers.
    { group: 'networking.k8s.io', resource: 'ingresses', verbs: optional(ingresses) },
    { group: 'gateway.networking.k8s.io', resource: 'httproutes', verbs: optional(routes) },
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: optional(disruptionBudgets) },
    ...podGroups.map((group) => ({ group, resource: 'podgroups', verbs: MAKE })),
    // Only the events of a driver's pod explain why its node does not start it.
    { group: '', resource: 'events', verbs: ['list', 'create', 'patch'] },
    ...(sparkSubmit ? SPARK_SUBMIT_RULES : []),
    ...(quotas ? [{ group: '', resource: 'resourcequotas', verbs: ['list'] }] : []),
  ].filter(({ verbs }) => verbs.length > 0);
}

/**
 * Returns the operator's rules for a job namespace of unknown configuration.
 * @internal
 */
export function allJobRules(defaultsConfigMap: string | undefined): Rule[] {
  return jobRules({
    ingresses: true, routes: true, disruptionBudgets: true, orphans: true, sparkSubmit: true, namespaceSelector: false,
    quotas: true, shards: false,
    podGroups: [...NAMED_POD_GROUPS, COSCHEDULING_POD_GROUPS.group], defaultsConfigMap,
  });
}

/**
 * Returns the operator's additional rules for selecting job namespaces by labels.
 * @internal
 */
export const NAMESPACE_RULES: readonly Rule[] = [{ group: '', resource: 'namespaces', verbs: ['list', 'watch'] }];

/**
 * Returns the operator's rules in its own namespace: its replicas elect a leader by a Lease, or
 * assign shards by several. RBAC cannot restrict the creation of objects to a name, and some names
 * are unknown: each replica has a Lease with its own name.
 * @internal
 */
export function ownRules({ lease, shards, defaultsConfigMap }: Features, isClusterWide: boolean): Rule[] {
  return [
    ...(lease === undefined ? [] : shards ? [
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create', 'get', 'list', 'watch', 'update', 'delete'] },
    ] : [
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'watch', 'update'], name: lease },
    ]),
    ...defaultsRules({ defaultsConfigMap }, isClusterWide),
  ];
}

/**
 * Returns the rules in the operator's namespace for the ConfigMap that applies to all applications.
 * @internal
 */
export function defaultsRules({ defaultsConfigMap }: Pick<Features, 'defaultsConfigMap'>, isClusterWide: boolean): Rule[] {
  return defaultsConfigMap === undefined || isClusterWide ? [] : [
    { group: '', resource: 'configmaps', verbs: ['list', 'watch'], name: defaultsConfigMap },
  ];
}

/**
 * Additional rules of spark-submit when the operator runs it: server-side apply of the driver's
 * objects.
 */
const SPARK_SUBMIT_RULES: readonly Rule[] = [
  { group: '', resource: 'services', verbs: ['patch'] },
  { group: '', resource: 'configmaps', verbs: ['patch'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['patch'] },
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['patch'] },
];

/**
 * Returns the rules of Spark's driver for its executors (KubernetesClusterSchedulerBackend,
 * ExecutorPodsAllocator). It creates, watches and deletes their pods, their ConfigMap and their
 * volume claims. When it ends, it deletes all objects with the label of its application id. RBAC
 * cannot restrict deletion to labels. No rule allows changes of ConfigMaps, which include those
 * with defaults and limits.
 * @internal
 */
export const DRIVER_RULES: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete', 'deletecollection'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'delete', 'deletecollection'] },
  { group: '', resource: 'services', verbs: ['get', 'list', 'delete', 'deletecollection'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'patch', 'update', 'delete', 'deletecollection'] },
];

/**
 * Adds a Role with the rules, bound to a service account; without a namespace a ClusterRole for all
 * of them.
 * @internal
 */
export function grant(
  scope: Construct, id: string, metadata: { name: string; namespace?: string }, rules: readonly Rule[],
  subject: kplus.ServiceAccount,
): void {
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
  // Kubernetes drops an empty namespace, and `kubectl apply` would change the binding each time.
  ApiObject.of(binding).addJsonPatch(JsonPatch.remove('/subjects/0/apiGroup'));
}

/**
 * Adds a ClusterRole with the rules.
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
