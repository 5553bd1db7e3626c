import { COSCHEDULING_POD_GROUPS, NAMED_SCHEDULERS } from '../api/batch-schedulers';
import { KINDS } from '../api/kinds';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../api/spark-application';
import { SPARK_CONNECT } from '../api/spark-connect';
import { isOn, listOf, valueOf } from './arguments';

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

/** Verbs for objects that are created and kept in their wanted state. */
const KEEP = ['get', 'list', 'create', 'update', 'delete'];
/** Verbs for objects that are created once, with a driver. */
const MAKE = ['get', 'list', 'create', 'delete'];
/** Verbs for objects of an earlier configuration. */
const REMOVE = ['list', 'delete'];

/** API groups of what is made for schedulers that are known by their names. An application can choose any of them, whatever the default is. */
const NAMED_POD_GROUPS: readonly string[] = Object.values(NAMED_SCHEDULERS).flatMap(({ podGroups }) => (podGroups ? [podGroups.group] : []));

/**
 * Features of the operator, other than running drivers, that need rights.
 * @internal
 */
export interface Features {
  /** Web UIs or other ports of drivers are reached by Ingresses. */
  readonly ingresses: boolean;
  /** They are reached by HTTPRoutes. */
  readonly routes: boolean;
  /** Drivers get PodDisruptionBudgets. */
  readonly disruptionBudgets: boolean;
  /** Objects of an earlier configuration are removed. */
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
 * Returns the features that the operator's command line turns on.
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
 * Returns the rights of the operator in a job namespace, and no more.
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
    // And an idle server.
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
 * Returns the rights of an operator in a job namespace whatever its features are.
 * @internal
 */
export function allJobRules(defaultsConfigMap: string | undefined): Rule[] {
  return jobRules({
    ingresses: true, routes: true, disruptionBudgets: true, leftovers: true, sparkSubmit: true, namespaceSelector: false, quotas: true,
    podGroups: [...NAMED_POD_GROUPS, COSCHEDULING_POD_GROUPS.group], defaultsConfigMap,
  });
}

/**
 * Rights with which the operator finds the job namespaces by their labels.
 * @internal
 */
export const NAMESPACE_RULES: readonly Rule[] = [{ group: '', resource: 'namespaces', verbs: ['list', 'watch'] }];

/**
 * Returns the rights of the operator in its own namespace: its replicas agree by a Lease on the one
 * that works. A right to create cannot be limited by name.
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
 * Returns the rights in the operator's namespace to follow the ConfigMap that is for all applications.
 * @internal
 */
export function defaultsRules({ defaultsConfigMap }: Pick<Features, 'defaultsConfigMap'>, isClusterWide: boolean): Rule[] {
  return defaultsConfigMap === undefined || isClusterWide ? [] : [{ group: '', resource: 'configmaps', verbs: ['list', 'watch'], name: defaultsConfigMap }];
}

/** Further rights of spark-submit, when the operator runs it: it applies the objects of a driver on the server's side. */
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

const LOOK = ['get', 'list', 'watch'];

/** Rights to see the objects of an application and its state. */
const AROUND: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: LOOK },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'services', verbs: LOOK },
  { group: '', resource: 'events', verbs: LOOK },
];

/**
 * Rights of people who only look on.
 * @internal
 */
export const VIEWER_RULES: readonly Rule[] = [...KINDS.map(({ group, plural }) => ({ group, resource: plural, verbs: LOOK })), ...AROUND];

/**
 * Rights of people who run applications: also a way to the web UI of a driver.
 * @internal
 */
export const USER_RULES: readonly Rule[] = [
  ...KINDS.map(({ group, plural }) => ({ group, resource: plural, verbs: [...LOOK, 'create', 'update', 'patch', 'delete'] })),
  ...AROUND,
  { group: '', resource: 'pods/portforward', verbs: ['get', 'create'] },
];
