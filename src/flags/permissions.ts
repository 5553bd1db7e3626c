import { COSCHEDULING_POD_GROUPS, NAMED_SCHEDULERS } from '../api/batch-schedulers';
import { KINDS } from '../api/kinds';
import { SCHEDULED_SPARK_APPLICATION } from '../api/scheduled-spark-application';
import { SPARK_APPLICATION } from '../api/spark-application';
import { SPARK_CONNECT } from '../api/spark-connect';
import { isOn, listOf, valueOf } from './arguments';

/**
 * A rule of a Role.
 * @internal
 */
export interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: string[];
  /** Name of the only object to which the rule applies. */
  readonly name?: string;
}

/** Verbs for objects that the operator creates and reconciles. */
const KEEP = ['get', 'list', 'create', 'update', 'delete'];
/** Verbs for objects that the operator creates once per driver. */
const MAKE = ['get', 'list', 'create', 'delete'];
/** Verbs for objects of a previous configuration. */
const REMOVE = ['list', 'delete'];

/**
 * API groups of the PodGroups of well-known schedulers. An application can choose any of them,
 * whatever the default is.
 */
const NAMED_POD_GROUPS: readonly string[] = Object.values(NAMED_SCHEDULERS).flatMap(({ podGroups }) => (podGroups
  ? [podGroups.group]
  : []));

/**
 * Features of the operator, other than running drivers, that need permissions.
 * @internal
 */
export interface Features {
  /** Whether it exposes web UIs or other ports of drivers by Ingresses. */
  readonly ingresses: boolean;
  /** Whether it exposes them by HTTPRoutes. */
  readonly routes: boolean;
  /** Whether it creates PodDisruptionBudgets for drivers. */
  readonly disruptionBudgets: boolean;
  /** Whether it deletes objects of a previous configuration. */
  readonly orphans: boolean;
  /** Whether it finds job namespaces by their labels. */
  readonly namespaceSelector: boolean;
  /** Name of the ConfigMaps with defaults and limits. */
  readonly defaultsConfigMapName?: string;
  /** Whether it compares ResourceQuotas with the demand of applications. */
  readonly quotas: boolean;
  /** API groups of the PodGroups that it creates for batch schedulers. */
  readonly podGroups: readonly string[];
  /** Name of the Lease for leader election; undefined for none. */
  readonly lease?: string;
}

/**
 * Returns the features that the operator's command line turns on.
 * @internal
 */
export function featuresOf(args: readonly string[], defaultLease: string): Features {
  const hasUrls = isOn(args, 'enable-ui-service', true) && Boolean(valueOf(args, 'ingress-url-format'));
  const isExposed = hasUrls || isOn(args, 'enable-driver-ingress', true);
  const hasGateway = Boolean(valueOf(args, 'ui-gateway'));
  return {
    ingresses: isExposed && !hasGateway,
    routes: isExposed && hasGateway,
    disruptionBudgets: isOn(args, 'enable-driver-pdb', false),
    orphans: isOn(args, 'remove-orphans', true),
    namespaceSelector: Boolean(valueOf(args, 'namespace-selector')),
    defaultsConfigMapName: valueOf(args, 'defaults-config-map') || undefined,
    quotas: isOn(args, 'enable-resource-quota-enforcement', false),
    podGroups: isOn(args, 'enable-batch-scheduler', false) ? [
      ...NAMED_POD_GROUPS, ...(listOf(args, 'kube-scheduler-names').length > 0 ? [COSCHEDULING_POD_GROUPS.group] : []),
    ] : [],
    lease: isOn(args, 'leader-election', true) ? valueOf(args, 'leader-election-lock-name') ?? defaultLease : undefined,
  };
}

/**
 * Returns the minimum permissions of the operator in a job namespace.
 * @internal
 */
export function jobRules(
  { ingresses, routes, disruptionBudgets, orphans, defaultsConfigMapName, quotas, podGroups }: Features,
): Rule[] {
  const optional = (isOnNow: boolean) => (isOnNow ? KEEP : orphans ? REMOVE : []);
  return [
    // The operator creates the runs of schedules, and deletes an application after its time to
    // live.
    { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: SPARK_APPLICATION.group, resource: `${SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: SCHEDULED_SPARK_APPLICATION.plural, verbs: ['get', 'list', 'watch'] },
    { group: SCHEDULED_SPARK_APPLICATION.group, resource: `${SCHEDULED_SPARK_APPLICATION.plural}/status`, verbs: ['update'] },
    // The operator deletes an idle server.
    { group: SPARK_CONNECT.group, resource: SPARK_CONNECT.plural, verbs: ['get', 'list', 'watch', 'delete'] },
    { group: SPARK_CONNECT.group, resource: `${SPARK_CONNECT.plural}/status`, verbs: ['update'] },
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'delete'] },
    { group: '', resource: 'services', verbs: KEEP },
    { group: '', resource: 'configmaps', verbs: MAKE },
    ...(defaultsConfigMapName === undefined ? [] : [{ group: '', resource: 'configmaps', verbs: ['watch'], name: defaultsConfigMapName }]),
    // For a driver's on-demand claims, and from Spark 4.2 on.
    { group: '', resource: 'persistentvolumeclaims', verbs: MAKE },
    { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: MAKE },
    // Web UIs and other ports of drivers.
    { group: 'networking.k8s.io', resource: 'ingresses', verbs: optional(ingresses) },
    { group: 'gateway.networking.k8s.io', resource: 'httproutes', verbs: optional(routes) },
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: optional(disruptionBudgets) },
    ...podGroups.map((group) => ({ group, resource: 'podgroups', verbs: MAKE })),
    // The events of a driver's pod are the only source of the reason why its node does not start
    // it.
    { group: '', resource: 'events', verbs: ['list', 'create', 'patch'] },
    ...(quotas ? [{ group: '', resource: 'resourcequotas', verbs: ['list'] }] : []),
  ].filter(({ verbs }) => verbs.length > 0);
}

/**
 * Returns the permissions of an operator with all features in a job namespace.
 * @internal
 */
export function allJobRules(defaultsConfigMapName: string | undefined): Rule[] {
  return jobRules({
    ingresses: true, routes: true, disruptionBudgets: true, orphans: true, namespaceSelector: false, quotas: true,
    podGroups: [...NAMED_POD_GROUPS, COSCHEDULING_POD_GROUPS.group], defaultsConfigMapName,
  });
}

/**
 * Permissions with which the operator finds job namespaces by their labels.
 * @internal
 */
export const NAMESPACE_RULES: readonly Rule[] = [{ group: '', resource: 'namespaces', verbs: ['list', 'watch'] }];

/**
 * Returns the permissions of the operator in its own namespace: leader election by a Lease, and the
 * ConfigMap with defaults. The permission to create cannot be limited by name.
 * @internal
 */
export function ownRules({ lease, defaultsConfigMapName }: Features, isClusterWide: boolean): Rule[] {
  return [
    ...(lease === undefined ? [] : [
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'] },
      { group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'watch', 'update'], name: lease },
    ]),
    ...defaultsRules({ defaultsConfigMapName }, isClusterWide),
  ];
}

/**
 * Returns the permissions to watch the ConfigMap in the operator's namespace that applies to all
 * applications.
 * @internal
 */
export function defaultsRules({ defaultsConfigMapName }: Pick<Features, 'defaultsConfigMapName'>, isClusterWide: boolean): Rule[] {
  return defaultsConfigMapName === undefined || isClusterWide ? [] : [
    { group: '', resource: 'configmaps', verbs: ['list', 'watch'], name: defaultsConfigMapName },
  ];
}

/**
 * Permissions of Spark's driver (KubernetesClusterSchedulerBackend, ExecutorPodsAllocator). It
 * creates, watches and deletes the pods, the ConfigMap and the volume claims of its executors. At
 * its end, it deletes objects with the label of its application ID. Kubernetes cannot limit the
 * permission to delete to labels.
 * @internal
 */
export const DRIVER_RULES: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete', 'deletecollection'] },
  { group: '', resource: 'configmaps', verbs: ['get', 'list', 'create', 'delete', 'deletecollection'] },
  { group: '', resource: 'services', verbs: ['get', 'list', 'delete', 'deletecollection'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'list', 'create', 'patch', 'update', 'delete', 'deletecollection'] },
];

/**
 * Further permissions with which spark-submit creates a driver, by server-side apply. They do not
 * include Secrets, because a Secret can contain the token of any account.
 */
const SUBMITTER_VERBS: Readonly<Record<string, readonly string[]>> = { configmaps: ['patch'], services: ['create', 'patch'] };

/**
 * Returns the permissions of the service account of drivers.
 *
 * @param sparkSubmit whether spark-submit runs with it
 * @internal
 */
export function driverRules(sparkSubmit: boolean): readonly Rule[] {
  if (!sparkSubmit) return DRIVER_RULES;
  return DRIVER_RULES.map((rule) => ({ ...rule, verbs: [...rule.verbs, ...(SUBMITTER_VERBS[rule.resource] ?? [])] }));
}

/**
 * Whether applications can be submitted by spark-submit.
 * @internal
 */
export function canSparkSubmit(args: readonly string[]): boolean {
  return valueOf(args, 'submission-mode') !== 'native' || isOn(args, 'enable-submission-mode-annotation', true);
}

const LOOK = ['get', 'list', 'watch'];

/** Returns permissions for objects of all kinds, and to read their status. */
function kindRules(verbs: string[]): Rule[] {
  return KINDS.flatMap(({ group, plural }) => [
    { group, resource: plural, verbs }, { group, resource: `${plural}/status`, verbs: ['get'] },
  ]);
}

/** Permissions to read the objects of an application and its state. */
const AROUND: readonly Rule[] = [
  { group: '', resource: 'pods', verbs: LOOK },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  { group: '', resource: 'services', verbs: LOOK },
  { group: '', resource: 'events', verbs: LOOK },
];

/**
 * Permissions of users who only read.
 * @internal
 */
export const VIEWER_RULES: readonly Rule[] = [...kindRules(LOOK), ...AROUND];

/**
 * Permissions of users who run applications, including access to the web UI of a driver.
 * @internal
 */
export const USER_RULES: readonly Rule[] = [
  ...kindRules([...LOOK, 'create', 'update', 'patch', 'delete']),
  ...AROUND,
  { group: '', resource: 'pods/portforward', verbs: ['get', 'create'] },
];
