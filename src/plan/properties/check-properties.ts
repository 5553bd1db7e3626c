import { LABEL_SPARK_APP_SELECTOR, LABEL_SPARK_ROLE } from '../../api/labels';
import { metadataViolations } from '../../rules/metadata';
import { isConfigKey, isDescendingPath, isDnsLabel, isSubdomain, isVariable } from '../../rules/names';
import { factorOf, offHeapOf } from '../container-memory';
import { parseQuantity } from '../pods/quantity';
import { SUB_PATH_REASON, SUB_PATH_REMEDY } from '../pods/rejected-values';
import { checkDynamicAllocation, checkInstances } from './check-dynamic-allocation';
import { checkJavaOptions } from './check-java-options';
import { checkPackages } from './dependencies';
import { SubmissionError } from '../errors';
import { javaSplit } from './java-values';
import { MAX_DNS_LABEL_LENGTH } from '../names';
import { ConfReader } from '../native/conf-reader';
import { quantity } from '../native/quantity';
import { STOP_AT_FIRST, type Steps } from '../problems';
import { environmentPrefix, type Role } from './role';
import type { ReadonlySparkProperties, SparkProperties } from './spark-conf';
import type { SparkVersion } from '../versions';

/**
 * Checks properties from which Spark would create pods that the API server rejects, or no pods, and
 * those with which Spark does not start. Problems of executors would not reach the user: the driver
 * retries forever, and only its log has the reason.
 *
 * @param properties all properties of the application
 * @param version the application's version of Spark, by which sizes and labels are parsed
 * @param steps runs the checks
 * @throws SubmissionError that names the field of the first problem
 */
export function checkProperties(properties: SparkProperties, version: SparkVersion, steps: Steps = STOP_AT_FIRST): void {
  const check = (step: () => void) => steps.attempt(step, properties);
  for (const role of ['driver', 'executor'] as const) {
    check(() => checkMetadata(properties, role, version));
    if (role === 'executor') check(() => checkReservedLabels(properties));
    check(() => checkVariables(properties, role));
    check(() => checkVolumeNames(properties, role));
    check(() => checkCores(properties, role));
    check(() => checkJavaOptions(properties, role));
  }
  const conf = new ConfReader(properties, version);
  for (const key of EXECUTOR_SIZES.filter(name => isPlain(properties.get(name)))) {
    check(() => conf.mebibytes(key));
  }
  if (isPlain(properties.get('spark.executor.memoryOverheadFactor'))) check(() => factorOf(conf, 'executor'));
  check(() => checkOffHeap(properties, conf));
  check(() => checkTaskCores(properties, conf));
  check(() => checkPodNamePrefix(properties, conf));
  check(() => checkPackages(properties));
  check(() => checkInstances(properties, conf));
  check(() => checkDynamicAllocation(properties, version));
}

/**
 * Sizes that only executors read (ResourceProfile). Those of the driver are read when its Pod is
 * built.
 */
const EXECUTOR_SIZES = ['spark.executor.memoryOverhead', 'spark.executor.pyspark.memory'];

/**
 * Whether a property is set and has no references. Spark resolves references where it reads them,
 * with variables that only exist there (ConfigReader).
 */
function isPlain(value: string | undefined): value is string {
  return value !== undefined && !value.includes('${');
}

/**
 * Checks the size of off-heap memory, which Spark reads even if it uses none
 * (Utils.executorOffHeapMemorySizeAsMb).
 */
function checkOffHeap(properties: ReadonlySparkProperties, conf: ConfReader): void {
  const [enabled, size] = ['spark.memory.offHeap.enabled', 'spark.memory.offHeap.size'] as const;
  if (properties.get(enabled)?.includes('${') || properties.get(size)?.includes('${')) return;
  const mebibytes = offHeapOf(conf) ?? 0;
  if (conf.boolean([enabled], false) && mebibytes < 1) {
    throw conf.wrong(
      properties.has(size) ? size : enabled, `needs at least 1 MiB in ${size}, without which Spark does not start`,
      'write a size such as 1g',
    );
  }
}

/**
 * Checks that an executor can run a task (ResourceUtils.validateTaskCpusLargeEnough). Since Spark
 * 4.3, a task can need a part of a core.
 */
function checkTaskCores(properties: ReadonlySparkProperties, conf: ConfReader): void {
  const [task, executor] = ['spark.task.cpus', 'spark.executor.cores'] as const;
  if (!isPlain(properties.get(task)) || properties.get(executor)?.includes('${')) return;
  const cores = conf.integer(executor) ?? 1;
  if (Number(properties.get(task)) > cores) {
    throw conf.wrong(
      task, `is more than the cores of an executor, ${properties.fieldOf(executor)} = ${cores}, with which Spark does not start`,
      'lower it, or raise the other',
    );
  }
}

/** Maximum length: that of a name without `-exec-` and the number of an executor. */
const MAX_PREFIX_LENGTH = 237;

/** Checks the prefix of executors' names as Spark does (KUBERNETES_EXECUTOR_POD_NAME_PREFIX). */
function checkPodNamePrefix(properties: ReadonlySparkProperties, conf: ConfReader): void {
  const key = 'spark.kubernetes.executor.podNamePrefix';
  const prefix = properties.get(key);
  if (!isPlain(prefix) || (isSubdomain(prefix) && prefix.length <= MAX_PREFIX_LENGTH)) return;
  throw conf.wrong(
    key, 'is not the beginning of names of Pods', `write at most ${MAX_PREFIX_LENGTH} lower-case letters, digits, '-' and '.'`,
  );
}

/** A text with the length of Spark's application ID. */
const SOME_APPLICATION_ID = `spark-${'0'.repeat(32)}`;

function checkMetadata(properties: ReadonlySparkProperties, role: Role, { features }: SparkVersion): void {
  const withIds = (value: string) => value.replaceAll('{{APP_ID}}', SOME_APPLICATION_ID).replaceAll(
    '{{EXECUTOR_ID}}', role === 'driver' ? '' : '1',
  );
  for (const owner of role === 'driver' ? ['driver.', 'driver.service.'] : ['executor.']) {
    checkEach(properties, `spark.kubernetes.${owner}label.`, (key, value) => (
      metadataViolations('name', { labels: { [key]: features.idsInLabels && owner !== 'driver.service.' ? withIds(value) : value } })
    ));
    checkEach(properties, `spark.kubernetes.${owner}annotation.`, (key, value) => metadataViolations(
      'name', { annotations: { [key]: value } },
    ));
  }
}

/**
 * Spark does not create executors with labels of its own (KubernetesExecutorConf.labels), and finds
 * its executors by them. The driver's labels are checked when its Pod is planned.
 */
function checkReservedLabels(properties: ReadonlySparkProperties): void {
  for (const label of [LABEL_SPARK_ROLE, LABEL_SPARK_APP_SELECTOR]) {
    const key = `spark.kubernetes.executor.label.${label}`;
    if (properties.has(key)) {
      throw new SubmissionError({
        field: properties.fieldOf(key), value: properties.get(key), reason: `sets the label ${label}, which belongs to Spark`,
        remedy: 'remove it or choose another label',
      });
    }
  }
}

function checkEach(
  properties: ReadonlySparkProperties, prefix: string,
  violationsOf: (key: string, value: string) => ReturnType<typeof metadataViolations>,
): void {
  for (const [key, value] of properties.withPrefix(prefix)) {
    const [violation] = violationsOf(key, value);
    if (violation) {
      const aboutValue = violation.value !== undefined;
      throw new SubmissionError({
        field: properties.fieldOf(prefix + key), ...(aboutValue ? { value } : {}), reason: violation.reason,
        remedy: aboutValue ? 'write another value' : 'write another name',
      });
    }
  }
}

function checkVariables(properties: ReadonlySparkProperties, role: Role): void {
  const references = `spark.kubernetes.${role}.secretKeyRef.`;
  for (const prefix of [environmentPrefix(role), references]) {
    for (const [name] of properties.withPrefix(prefix)) {
      if (!isVariable(name)) {
        throw new SubmissionError({
          field: properties.fieldOf(prefix + name), reason: 'is not the name of an environment variable',
          remedy: "write letters, digits and '_'",
        });
      }
    }
  }
  for (const [variable, reference] of properties.withPrefix(references)) {
    // EnvSecretsFeatureStep accepts exactly two parts.
    const [secret, key, ...others] = javaSplit(reference, ':');
    if (!secret || !isConfigKey(key ?? '') || others.length > 0) {
      throw new SubmissionError({
        field: properties.fieldOf(references + variable),
        reason: 'does not name a Secret and one of its keys',
        remedy: "write them as secret:key (the fields name and key); a key has letters, digits, '-', '_' and '.'",
      });
    }
  }
}

/** Suffix with which Spark forms the name of a Secret's volume (MountSecretsFeatureStep). */
const SECRET_VOLUME_SUFFIX = '-volume';

function checkVolumeNames(properties: ReadonlySparkProperties, role: Role): void {
  const secrets = `spark.kubernetes.${role}.secrets.`;
  for (const [secret] of properties.withPrefix(secrets)) {
    if (!isDnsLabel(secret + SECRET_VOLUME_SUFFIX)) {
      throw new SubmissionError({
        field: properties.fieldOf(secrets + secret),
        reason: `names the Secret ${secret}, but Spark names its volume ${secret}${SECRET_VOLUME_SUFFIX}, and names of volumes have at most ${MAX_DNS_LABEL_LENGTH} characters and no dots`,
        remedy: `mount the Secret by spec.volumes and spec.${role}.volumeMounts, with another name for the volume`,
      });
    }
  }
  const volumes = `spark.kubernetes.${role}.volumes.`;
  for (const [key, value] of properties.withPrefix(volumes)) {
    if (/\.mount\.subPath(Expr)?$/.test(key) && !isDescendingPath(value)) {
      throw new SubmissionError({ field: properties.fieldOf(volumes + key), value, reason: SUB_PATH_REASON, remedy: SUB_PATH_REMEDY });
    }
    const name = key.split('.')[1];
    if (name !== undefined && !isDnsLabel(name)) {
      throw new SubmissionError({
        field: properties.fieldOf(volumes + key),
        value: name,
        reason: 'is not the name of a volume',
        remedy: `write at most ${MAX_DNS_LABEL_LENGTH} lower-case letters, digits and '-'`,
      });
    }
  }
}

/**
 * Checks that the CPU limit is not below the request. By default, the request is Spark's number of
 * cores (BasicDriverFeatureStep, BasicExecutorFeatureStep).
 */
function checkCores(properties: ReadonlySparkProperties, role: Role): void {
  const [request, limit, cores] = [
    `spark.kubernetes.${role}.request.cores`, `spark.kubernetes.${role}.limit.cores`, `spark.${role}.cores`,
  ] as const;
  for (const key of [request, limit]) {
    const value = properties.get(key);
    if (isPlain(value)) {
      quantity(value, properties.fieldOf(key));
      if (parseQuantity(value)! > MAX_CORES) {
        throw new SubmissionError({
          field: properties.fieldOf(key), value, reason: `is more than ${MAX_CORES / NANO} cores, for which no node has room`,
          remedy: 'write thousandths of a core with a lower-case m, such as 500m',
        });
      }
    }
  }
  const requested = properties.has(request) ? request : cores;
  const [asked, most] = [amount(properties.get(requested)), amount(properties.get(limit))];
  if (asked !== undefined && most !== undefined && asked > most) {
    const field = properties.fieldOf(requested);
    throw new SubmissionError({
      field: properties.fieldOf(limit),
      value: properties.get(limit),
      reason: `is less than what the pod requests, ${field} = ${properties.get(requested)}`,
      remedy: requested === cores ? `raise it, or write a lower spec.${role}.coreRequest` : `raise it, or lower ${field}`,
    });
  }
}

const NANO = 10n ** 9n;
/** More cores than any machine has, in billionths: `500M` are 500 million. */
const MAX_CORES = 100_000n * NANO;

function amount(value: string | undefined): bigint | undefined {
  return isPlain(value) ? parseQuantity(value) : undefined;
}
