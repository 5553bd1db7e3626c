import type { Path } from './paths';
import { ROLES, type Role } from './properties/role';
import { inCommonUnits } from '../model/memory-size';

/**
 * A field of an application: the Spark property that it becomes, and what takes precedence over it.
 * In all texts, `role` is a placeholder for `driver` and `executor`.
 */
export interface Field {
  /** Path below `spec`. `[]` is an entry of a list. */
  readonly path: string;
  /** Path of the prop in the constructs. @default - as the field */
  readonly prop?: string;
  /** The Spark property. With a final dot: the prefix for the entries of a map. @default - none */
  readonly property?: string;
  /** Property for both roles, over which that of the role takes precedence. @default - none */
  readonly ofBothRoles?: string;
  /** Name of the value that is set, if several fields can set it. @default - the property */
  readonly setting?: string;
  /** Precedence among the fields of a setting: the highest wins. @default - above `sparkConf` */
  readonly rank?: number;
  /** Field that applies if this one is not set. @default - none */
  readonly otherwise?: string;
  /** Value of the property if neither a field nor `sparkConf` sets it. @default - Spark's */
  readonly default?: string;
  /** Field without which this one has no effect. @default - none */
  readonly when?: string;
  /** Converts the value, which can be unset; an empty text sets no property. @default - as text */
  readonly write?: (value: any) => string;
  /** Module that sets the property, as more than this field decides. @default - `set-fields.ts` */
  readonly setBy?: string;
  /**
   * All sources from weakest to strongest, for docs/reference/precedence.md; true if a pod template
   * is the weakest of them. @default - the fields of the setting and `sparkConf`
   */
  readonly sources?: string | true;
}

/** Rank of the property in `sparkConf`. */
export const SPARK_CONF_RANK = 1;
const OVER_SPARK_CONF = SPARK_CONF_RANK + 1;
const UNDER_SPARK_CONF = SPARK_CONF_RANK - 1;

/** Writes a size for each version of Spark and the JVM; see `sizeWarnings`. */
const size = (text = ''): string => inCommonUnits(text);
const list = (values: readonly string[] = []): string => values.join(',');

/**
 * The table of fields. Properties, the places of defaults, the first table of
 * docs/reference/precedence.md and the paths of props derive from it.
 */
export const FIELDS: readonly Field[] = [
  // The resources of pods.
  { path: 'role.cores', property: 'spark.role.cores', default: '1' },
  { path: 'role.coreRequest', property: 'spark.kubernetes.role.request.cores', sources: true },
  { path: 'role.coreLimit', property: 'spark.kubernetes.role.limit.cores', sources: true },
  { path: 'role.memory', property: 'spark.role.memory', default: '1g', write: size, sources: true },
  { path: 'role.memoryOverhead', property: 'spark.role.memoryOverhead', write: size },
  { path: 'role.memoryOverheadFactor', property: 'spark.role.memoryOverheadFactor', ofBothRoles: 'spark.kubernetes.memoryOverheadFactor' },
  { path: 'memoryOverheadFactor', property: 'spark.kubernetes.memoryOverheadFactor', rank: UNDER_SPARK_CONF },
  { path: 'executor.instances', property: 'spark.executor.instances' },
  { path: 'executor.deleteOnTermination', property: 'spark.kubernetes.executor.deleteOnTermination' },

  // Dynamic allocation: without `enabled: true`, `sparkConf` decides.
  ...['enabled', 'initialExecutors', 'minExecutors', 'maxExecutors'].map((name): Field => (
    { path: `dynamicAllocation.${name}`, property: `spark.dynamicAllocation.${name}`, when: 'dynamicAllocation.enabled' }
  )),
  {
    path: 'dynamicAllocation.shuffleTrackingEnabled', property: 'spark.dynamicAllocation.shuffleTracking.enabled',
    prop: 'dynamicAllocation.shuffleTracking', when: 'dynamicAllocation.enabled', write: (isEnabled) => String(isEnabled ?? true),
  },
  {
    path: 'dynamicAllocation.shuffleTrackingTimeout', property: 'spark.dynamicAllocation.shuffleTracking.timeout',
    when: 'dynamicAllocation.enabled',
  },

  // Images.
  {
    path: 'role.image', property: 'spark.kubernetes.role.container.image', ofBothRoles: 'spark.kubernetes.container.image', rank: 4,
    otherwise: 'image', sources: true,
  },
  {
    path: 'imagePullPolicy', property: 'spark.kubernetes.container.image.pullPolicy', rank: UNDER_SPARK_CONF,
    sources: 'role.template < Spark < imagePullPolicy < sparkConf',
  },
  { path: 'imagePullSecrets', property: 'spark.kubernetes.container.image.pullSecrets', rank: UNDER_SPARK_CONF, write: list },

  // The program.
  { path: 'role.javaOptions', property: 'spark.role.extraJavaOptions' },
  { path: 'pythonVersion', property: 'spark.kubernetes.pyspark.pythonVersion', rank: UNDER_SPARK_CONF },
  { path: 'deps.jars', property: 'spark.jars', write: list },
  { path: 'deps.packages', property: 'spark.jars.packages', write: list },
  { path: 'deps.excludePackages', property: 'spark.jars.excludes', write: list },
  { path: 'deps.repositories', property: 'spark.jars.repositories', write: list },
  { path: 'deps.pyFiles', property: 'spark.submit.pyFiles', write: list },
  { path: 'deps.files', property: 'spark.files', write: list },
  { path: 'deps.archives', property: 'spark.archives', write: list },
  { path: 'hadoopConf', property: 'spark.hadoop.' },

  // The identity and the metadata of pods and Services.
  { path: 'driver.podName', property: 'spark.kubernetes.driver.pod.name', setBy: 'properties.ts' },
  { path: 'driver.kubernetesMaster', property: 'spark.kubernetes.driver.master' },
  {
    path: 'role.serviceAccount', property: 'spark.kubernetes.authenticate.role.serviceAccountName',
    sources: 'role.template < role.serviceAccount',
  },
  {
    path: 'role.labels', property: 'spark.kubernetes.role.label.', setBy: 'labels.ts',
    sources: 'role.template < sparkConf < metadata.labels < role.labels < batchScheduler < operator < Spark',
  },
  {
    path: 'driver.annotations', property: 'spark.kubernetes.driver.annotation.',
    sources: 'driver.template < sparkConf < driver.annotations < monitoring.prometheusServlet < monitoring.prometheus < batchScheduler',
  },
  {
    path: 'executor.annotations', property: 'spark.kubernetes.executor.annotation.',
    sources: 'executor.template < sparkConf < executor.annotations < monitoring.prometheus < batchScheduler',
  },
  { path: 'driver.serviceLabels', property: 'spark.kubernetes.driver.service.label.' },
  { path: 'driver.serviceAnnotations', property: 'spark.kubernetes.driver.service.annotation.' },

  // Variables and Secrets.
  { path: 'driver.envVars', property: 'spark.kubernetes.driverEnv.', setting: 'driver.env' },
  { path: 'executor.envVars', property: 'spark.executorEnv.', setting: 'executor.env' },
  {
    path: 'role.envSecretKeyRefs', property: 'spark.kubernetes.role.secretKeyRef.', setting: 'role.env', rank: 4,
    write: ({ name, key }) => `${name}:${key}`,
  },
  { path: 'role.env', setting: 'role.env', rank: 5 },
  { path: 'role.secrets', property: 'spark.kubernetes.role.secrets.', setBy: 'secret-properties.ts' },

  // Where pods run.
  { path: 'nodeSelector', property: 'spark.kubernetes.node.selector.', setting: 'role.nodeSelector' },
  {
    path: 'role.nodeSelector', property: 'spark.kubernetes.role.node.selector.', setting: 'role.nodeSelector', rank: 3,
    setBy: 'template-properties.ts',
  },
  {
    path: 'role.schedulerName', property: 'spark.kubernetes.role.scheduler.name', ofBothRoles: 'spark.kubernetes.scheduler.name',
    setBy: 'template-properties.ts',
  },
  { path: 'batchScheduler', setting: 'spark.kubernetes.role.scheduler.name', rank: 3 },

  // Parts of pod templates that Spark replaces.
  {
    path: 'role.securityContext.allowPrivilegeEscalation', property: 'spark.kubernetes.role.securityContext.allowPrivilegeEscalation',
    ofBothRoles: 'spark.kubernetes.securityContext.allowPrivilegeEscalation', setBy: 'template-properties.ts',
  },
  {
    path: 'executor.terminationGracePeriodSeconds', property: 'spark.kubernetes.executor.terminationGracePeriodSeconds',
    prop: 'executor.terminationGracePeriod', setBy: 'template-properties.ts',
  },

  // Fields without a property, whose props have other names.
  { path: 'driver.terminationGracePeriodSeconds', prop: 'driver.terminationGracePeriod' },
  { path: 'role.secrets[].secretType', prop: 'role.secrets[].type' },
  { path: 'role.ports[].containerPort', prop: 'role.ports[].port' },
  { path: 'activeDeadlineSeconds', prop: 'activeDeadline' },
  { path: 'timeToLiveSeconds', prop: 'timeToLive' },
  { path: 'batchSchedulerOptions', prop: 'batchScheduler' },
  { path: 'monitoring.prometheus.port', prop: 'monitoring.jmxExporter.port' },
  { path: 'sparkUIOptions', prop: 'ui' },
  { path: 'sparkUIOptions.servicePort', prop: 'ui.port' },
  { path: 'sparkUIOptions.servicePortName', prop: 'ui.portName' },
  { path: 'sparkUIOptions.ingressTLS', prop: 'ui.ingressTls' },
  { path: 'driverIngressOptions', prop: 'driverIngresses' },
  { path: 'driverIngressOptions[].servicePort', prop: 'driverIngresses[].port' },
  { path: 'driverIngressOptions[].servicePortName', prop: 'driverIngresses[].portName' },
  { path: 'driverIngressOptions[].ingressURLFormat', prop: 'driverIngresses[].url' },
  { path: 'driverIngressOptions[].ingressTLS', prop: 'driverIngresses[].ingressTls' },
];

/** A field of one role, or of the whole application. */
export interface ResolvedField extends Omit<Field, 'path' | 'otherwise' | 'when'> {
  /** The field as users know it, such as `spec.driver.memory`. */
  readonly field: string;
  readonly path: Path;
  readonly otherwise?: Path;
  readonly when?: Path;
  readonly rank: number;
  /** Whether the field also sets the same for the other role. */
  readonly isShared: boolean;
}

/** Pattern of the placeholder for a role. */
const ROLE = /\brole\b/;

/** The rows of the table for each role. */
export const RESOLVED_FIELDS: readonly ResolvedField[] = FIELDS.flatMap(resolved);

function resolved(row: Field): ResolvedField[] {
  const setting = row.setting ?? row.property;
  const hasRole = (text = '') => ROLE.test(text);
  const roles: readonly (Role | undefined)[] = hasRole(row.path) || hasRole(setting) ? ROLES : [undefined];
  return roles.map((role) => {
    const inRole = <T extends string | undefined>(text: T) => (role ? text?.replace(ROLE, role) : text) as T;
    const path = inRole(row.path);
    return {
      ...row, field: `spec.${path}`, path: path.split('.'), prop: inRole(row.prop), property: inRole(row.property), setting: inRole(setting),
      otherwise: inRole(row.otherwise)?.split('.'), when: row.when?.split('.'), rank: row.rank ?? OVER_SPARK_CONF,
      isShared: role !== undefined && !hasRole(row.path),
    };
  });
}

/** The fields of dynamic allocation, and their properties. */
export const DYNAMIC_ALLOCATION: readonly (readonly [name: string, property: string])[] = RESOLVED_FIELDS
  .filter(({ path }) => path[0] === 'dynamicAllocation').map(({ path, property }) => [path[1]!, property!]);
