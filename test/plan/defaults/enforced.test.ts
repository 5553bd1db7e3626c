/*
 * Enforced values, against all that the fields of a specification become: the pairs come from the
 * function that makes properties of fields.
 */
import { SPARK_CONF_RULES } from '../../../src/api/denied-conf';
import { ImagePullPolicy, type SparkApplicationSpec } from '../../../src/api/spark-application';
import { SecretType } from '../../../src/api/spark-pod';
import { withLayers } from '../../../src/plan/defaults/apply';
import { sparkProperties, type SubmittedApplication } from '../../../src/plan/properties/properties';
import { applicationFixtures } from '../../helpers/application-fixtures';
import { application, type Changes } from '../application';
import { cluster, namespace } from './layers';

/** Manifests that together use every field, and what the fixtures have no room for. */
const APPLICATIONS: readonly SubmittedApplication[] = [
  ...applicationFixtures().map(({ manifest: { metadata, spec } }) => ({ metadata: { ...metadata, namespace: 'jobs', uid: 'u' }, spec })),
  application({ labels: { team: 'mine' }, driver: { secrets: [{ name: 'gcp', path: '/gcp', secretType: SecretType.GCP_SERVICE_ACCOUNT }], securityContext: { privileged: true } }, executor: { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } } }),
  application({ spec: { dynamicAllocation: { enabled: true } } }),
  application({ spec: { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: '/jmx.jar' } } } }),
  application({ spec: { monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheusServlet: true } } }),
];

const propertiesOf = (given: SubmittedApplication) => sparkProperties(given, { attempt: 1, submissionID: 'a' }).properties;

/** An application with what is enforced. */
function enforced(given: SubmittedApplication, part: object): SubmittedApplication {
  return { ...given, spec: withLayers(given.spec, { cluster: cluster({ enforced: JSON.stringify(part) }) }).spec };
}

/** Each property that comes from a field, and could be in `sparkConf`. */
const PAIRS = APPLICATIONS.flatMap((given, index) => {
  const properties = propertiesOf(given);
  return properties.entries().map(([key, value]) => ({ index, key, value, field: properties.fieldOf(key) }));
}).filter(({ key, field }) => /^(spec\.(?!sparkConf\[)|metadata\.labels)/.test(field) && !SPARK_CONF_RULES.some(({ rule }) => rule.includes(`'${key}'`)));

test('there are pairs of each kind', () => {
  const kinds = new Set(PAIRS.map(({ field }) => field.replace(/\[.*/, '')));
  const wanted = [
    'metadata.labels', 'spec.driver.serviceLabels', 'spec.driver.serviceAnnotations', 'spec.executor.secrets', 'spec.monitoring.prometheus', 'spec.monitoring.prometheusServlet',
    'spec.dynamicAllocation.maxExecutors', 'spec.driver.volumeMounts', 'spec.executor.securityContext', 'spec.executor.terminationGracePeriodSeconds', 'spec.sparkConfigMap',
  ];
  expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
});

/** Another value of the same type. */
function another(value: string): string {
  if (/^(true|false)$/.test(value)) return String(value !== 'true');
  return /^[0-9]+$/.test(value) ? String(Number(value) + 1) : 'theirs';
}

test.each(PAIRS)('$key in enforced sparkConf wins over $field of application $index', ({ index, key, value }) => {
  const other = another(value);
  const result = propertiesOf(enforced(APPLICATIONS[index]!, { sparkConf: { [key]: other } })).get(key)!;
  // The exporter's agent is appended and the archive of fastStart precedes, wherever the options come from.
  expect(result.replace(/^-XX:SharedArchiveFile=\S+ /, '').replace(/ -javaagent:\S+$/, '')).toBe(other);
});

/** The part of a specification that a field is in: lists and metrics as a whole. */
function partWith(field: string, spec: SparkApplicationSpec): object | undefined {
  const [, path = '', , key] = /^spec\.([^[]+)(\[(.*)\])?$/.exec(field)!;
  const names = path.startsWith('monitoring') ? ['monitoring'] : [...path.split('.'), ...(key !== undefined && !/^[0-9]+$/.test(key) ? [key] : [])];
  const value = names.reduce<any>((at, name) => at?.[name], spec);
  if (value === undefined) return undefined;
  const part = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
  return path.endsWith('volumeMounts') ? { ...part, volumes: spec.volumes } : part;
}

/**
 * Fields that apply only if nothing else sets the value, as fastStart does, and the name that no two
 * applications can have.
 */
const NOT_ENFORCED = ['spec.driver.podName', 'spec.monitoring.prometheusServlet spark.metrics.namespace', 'spec.monitoring.prometheusServlet spark.metrics.conf.driver.source.jvm.class'];
const ENFORCEABLE = PAIRS.filter(({ key, field }) => field.startsWith('spec.') && !field.includes('.template.') && field !== 'spec.fastStart' && !NOT_ENFORCED.some((name) => `${field} ${key}`.startsWith(name)))
  // Defaults for unset values come from no field.
  .map((pair) => ({ ...pair, part: partWith(pair.field, APPLICATIONS[pair.index]!.spec) })).filter(({ part }) => part !== undefined);

test.each(ENFORCEABLE)('enforced $field of application $index wins over $key in sparkConf', ({ index, key, value, part }) => {
  const given = { ...application({ spec: { sparkConf: { [key]: another(value) } } }), metadata: APPLICATIONS[index]!.metadata };
  const result = propertiesOf(enforced(given, part!)).get(key)!;
  expect(result.replace(/^\S+ (?=-javaagent:)/, '')).toBe(value.replace(/^\S+ (?=-javaagent:)/, ''));
});

test.each<[string, Changes, object, string, string | undefined]>([
  ['dynamic allocation that is off, over a property', { spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true' } } }, { dynamicAllocation: { enabled: false } }, 'spark.dynamicAllocation.enabled', 'false'],
  ['a field that the application has as well, over a property', { spec: { dynamicAllocation: { enabled: false }, sparkConf: { 'spark.dynamicAllocation.enabled': 'true' } } }, { dynamicAllocation: { enabled: false } }, 'spark.dynamicAllocation.enabled', 'false'],
  ['a pull policy that the application has as well, over a property', { spec: { imagePullPolicy: ImagePullPolicy.ALWAYS, sparkConf: { 'spark.kubernetes.container.image.pullPolicy': 'Never' } } }, { imagePullPolicy: 'Always' }, 'spark.kubernetes.container.image.pullPolicy', 'Always'],
  ['a bound of dynamic allocation that properties turn on', { spec: { sparkConf: { 'spark.dynamicAllocation.enabled': 'true', 'spark.dynamicAllocation.maxExecutors': '1000' } } }, { dynamicAllocation: { maxExecutors: 10 } }, 'spark.dynamicAllocation.maxExecutors', '10'],
  ['a factor for both roles, over that of one', { spec: { sparkConf: { 'spark.driver.memoryOverheadFactor': '0.01' } } }, { memoryOverheadFactor: '0.4' }, 'spark.driver.memoryOverheadFactor', undefined],
  ['a factor, over an overhead', { driver: { memoryOverhead: '9g' } }, { driver: { memoryOverheadFactor: '0.1' } }, 'spark.driver.memoryOverhead', undefined],
  ['a factor for both roles, over an overhead by its old name', { spec: { sparkConf: { 'spark.yarn.executor.memoryOverhead': '9g' } } }, { memoryOverheadFactor: '0.1' }, 'spark.yarn.executor.memoryOverhead', undefined],
  ['privileges for both roles, over those of one', { driver: { securityContext: { privileged: true } } }, { sparkConf: { 'spark.kubernetes.securityContext.allowPrivilegeEscalation': 'false' } }, 'spark.kubernetes.driver.securityContext.allowPrivilegeEscalation', undefined],
  ['a variable, over that of a Secret', { driver: { secrets: [{ name: 'gcp', path: '/gcp', secretType: SecretType.GCP_SERVICE_ACCOUNT }] } }, { driver: { envVars: { GOOGLE_APPLICATION_CREDENTIALS: '/theirs' } } }, 'spark.kubernetes.driverEnv.GOOGLE_APPLICATION_CREDENTIALS', '/theirs'],
  ['a variable, over a ConfigMap of Hadoop', { spec: { hadoopConfigMap: 'mine' } }, { sparkConf: { 'spark.kubernetes.driverEnv.HADOOP_CONF_DIR': '/theirs' } }, 'spark.kubernetes.driverEnv.HADOOP_CONF_DIR', '/theirs'],
  ['a variable as a property, over a list', { driver: { env: [{ name: 'A', value: 'mine' }] } }, { sparkConf: { 'spark.kubernetes.driverEnv.A': 'theirs' } }, 'spark.kubernetes.driverEnv.A', 'theirs'],
  ['an image of the driver as a property leaves the executors theirs', { spec: { image: 'mine' } }, { sparkConf: { 'spark.kubernetes.driver.container.image': 'theirs' } }, 'spark.kubernetes.executor.container.image', 'mine'],
])('%s', (_, changes, part, key, value) => {
  expect(propertiesOf(enforced(application(changes), part)).get(key)).toBe(value);
});

test('the cluster\'s properties win over the namespace\'s fields', () => {
  const given = application({ spec: { dynamicAllocation: { enabled: true, maxExecutors: 1000 } } });
  const { spec } = withLayers(given.spec, { cluster: cluster({ enforced: 'sparkConf: {spark.dynamicAllocation.maxExecutors: "10"}' }), namespace: namespace({ enforced: 'dynamicAllocation: {maxExecutors: 20}' }) });
  expect(propertiesOf({ ...given, spec }).get('spark.dynamicAllocation.maxExecutors')).toBe('10');
});

test('what only loses to what is enforced, and says more than that, stays', () => {
  const given = application({ spec: { image: 'mine' }, driver: { secrets: [{ name: 'gcp', path: '/gcp', secretType: SecretType.GCP_SERVICE_ACCOUNT }] } });
  const { spec } = enforced(given, { driver: { image: 'theirs', env: [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: '/theirs' }] } });
  expect([spec.image, spec.driver.secrets]).toEqual(['mine', given.spec.driver.secrets]);
});
