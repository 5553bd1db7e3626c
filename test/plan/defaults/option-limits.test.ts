import { applyLayers } from '../../../src/plan/defaults/apply';
import { application, type Changes } from '../application';
import { cluster, type Files } from './layers';

function problems(changes: Changes, limits: string, others: Omit<Files, 'limits'> = {}): string[] {
  return applyLayers(application(changes), { cluster: cluster({ limits, ...others }) }).violations.map(({ message }) => message);
}

const CONFIG_MAP = 'ConfigMap spark-operator/spark-operator-defaults allows';
const options = (javaOptions: string): Changes => ({ driver: { serviceAccount: 'spark', javaOptions } });

test.each([
  ['cores', 'executor: {maxCores: 2}', 'spark.kubernetes.executor.request.cores'],
  ['memory', 'executor: {maxMemory: 8g}', 'spark.executor.memoryOverhead'],
  ['executors', 'maxExecutors: 20', 'spark.dynamicAllocation.maxExecutors'],
  ['images', 'allowedImages: ["*"]', 'spark.kubernetes.executor.container.image'],
  ['template files', 'allowedServiceAccounts: ["*"]', 'spark.kubernetes.executor.podTemplateFile'],
])('a property that limits bound is refused as an option, whatever its value is: %s', (_, limits, property) => {
  expect(problems(options(`-Dapp.mode=fast -D${property}=1`), limits)).toEqual([
    `spec.driver.javaOptions sets ${property} as an option, which is not compared with what ${CONFIG_MAP} (limits.yaml: any); write it in spec.sparkConf, or ask who looks after the ConfigMap`,
  ]);
});

test('a property that users must not write is refused as an option of any place', () => {
  const limits = 'deniedSparkConf: ["spark.eventLog.*"]';
  const said = `sets spark.eventLog.dir, which is not among what ${CONFIG_MAP} (limits.yaml: deniedSparkConf: spark.eventLog.*); remove it, or ask who looks after the ConfigMap`;
  expect(problems(options('-Dspark.eventLog.dir=s3a://mine'), limits)).toEqual([`spec.driver.javaOptions ${said}`]);
  expect(problems({ driver: { env: [{ name: 'JDK_JAVA_OPTIONS', value: '-Dsp"ark.event"Log.dir=s3a://mine' }] } }, limits)).toEqual([`spec.driver.env[JDK_JAVA_OPTIONS] ${said}`]);
});

test('options that cannot be read are refused where there are limits', () => {
  const changes: Changes = { driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }] } };
  expect(problems(changes, 'maxExecutors: 20')).toEqual([
    `spec.driver.env[JAVA_TOOL_OPTIONS] has options from another source, so that it cannot be compared with what ${CONFIG_MAP} (limits.yaml: any); write the options themselves, or ask who looks after the ConfigMap`,
  ]);
  expect(problems(options('@/opt/options'), 'maxExecutors: 20')).toHaveLength(1);
});

const FROM_CONFIG_MAP: Changes = { driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { configMapKeyRef: { name: 'apm', key: 'options' } } }] } };

test.each([
  'maxExecutors: 20', 'driver: {maxCores: 2}', 'driver: {maxMemory: 8g}', 'executor: {maxCores: 2}', 'executor: {maxMemory: 8g}', 'allowedImages: ["*"]',
  'allowedServiceAccounts: ["*"]', 'deniedSparkConf: ["spark.eventLog.*"]',
])('options of a ConfigMap are refused where an option can break the limit: %s', (limits) => {
  expect(problems(FROM_CONFIG_MAP, `${limits}\nmaxRetries: 3`)).toEqual([expect.stringContaining('has options from another source')]);
});

test.each([
  'maxRetries: 3', 'maxTimeToLiveSeconds: 60', 'allowedServiceTypes: [ClusterIP]', 'allowedServiceAnnotations: ["example.org/*"]', 'minScheduleInterval: 5m',
])('options are not refused for a limit that none can break: %s', (limits) => {
  expect(problems(FROM_CONFIG_MAP, limits)).toEqual([]);
  expect(problems(options('-Dspark.executor.memoryOverhead=9g'), limits)).toEqual([]);
});

test.each<[string, Changes, string, Omit<Files, 'limits'>]>([
  ['other properties of Spark', options('-Dspark.sql.shuffle.partitions=7'), 'maxExecutors: 20', {}],
  ['options of a ConfigMap', {}, 'deniedSparkConf: ["spark.eventLog.*"]', { defaults: 'driver: {javaOptions: "-Dspark.eventLog.dir=s3a://logs"}' }],
  ['options from elsewhere, where only Services are limited', { driver: { envSecretKeyRefs: { JAVA_TOOL_OPTIONS: { name: 'a', key: 'b' } } } }, 'allowedServiceTypes: [ClusterIP]', {}],
])('what keeps working: %s', (_, changes, limits, others) => {
  expect(problems(changes, limits, others)).toEqual([]);
});
