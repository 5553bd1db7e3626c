import { RestartPolicyType } from '../../api/restart-policy';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { sparkConfField } from '../properties/denied-conf';
import { SubmissionError } from '../errors';
import type { Role } from '../properties/role';
import type { SubmittedApplication } from '../properties/properties';
import { demandOf, type Demand } from '../demand/demand';
import { globList, refusal, type Excess } from './excess';
import { GlobBudget, matchesGlob } from './glob';
import type { Layers, Limits } from './layer';
import { javaOptions } from './option-limits';
import { serviceViolations } from './service-limits';

/**
 * Lists why an application must not run, by the limits of the cluster and of its namespace. Both
 * limits apply. An application whose demand cannot be determined is rejected.
 *
 * @param application with its defaults, as it would run
 * @param written as its user wrote it: a ConfigMap can set values that users must not write
 */
export function limitViolations(application: SubmittedApplication, written: SparkApplicationSpec, layers: Layers): SubmissionError[] {
  return [...demandViolations(application, written, layers), ...serviceViolations(application.spec, layers)].slice(0, MAX_VIOLATIONS);
}

/** Maximum number of violations in a message. */
const MAX_VIOLATIONS = 50;

/** Limits that do not depend on an application's demand. */
const OF_OTHERS: readonly string[] = ['allowedServiceTypes', 'allowedServiceAnnotations', 'minScheduleInterval'] satisfies (keyof Limits)[];

function demandViolations(
  application: SubmittedApplication, written: SparkApplicationSpec, { cluster, namespace }: Layers,
): SubmissionError[] {
  const layers = [cluster, namespace]
    .filter((layer) => layer !== undefined)
    .filter(({ limits }) => Object.keys(limits).some((name) => !OF_OTHERS.includes(name)));
  if (layers.length === 0) return [];
  let demand: Demand;
  try {
    demand = demandOf(application);
  } catch (error) {
    if (SubmissionError.is(error)) return [error];
    throw error;
  }
  const globs = new GlobBudget();
  const found = layers.flatMap((layer) => (
    CHECKS
      .flatMap((check) => check({ limits: layer.limits, demand, spec: application.spec, written, globs }))
      .map((excess) => ({ excess, layer }))
  ));
  return found.slice(0, MAX_VIOLATIONS).map(({ excess, layer }) => refusal(excess, layer));
}

interface Case {
  readonly limits: Limits;
  readonly demand: Demand;
  /** With defaults. */
  readonly spec: SparkApplicationSpec;
  /** As the user wrote it. */
  readonly written: SparkApplicationSpec;
  readonly globs: GlobBudget;
}

const CHECKS: readonly ((given: Case) => Excess[])[] = [
  unknownValues, executors, ...(['driver', 'executor'] as const).flatMap(
    (role) => [(given: Case) => cores(given, role), (given: Case) => memory(given, role)],
  ),
  images, templateFiles, serviceAccounts, sparkConf, javaOptions, timeToLive, retries, tooMuchToCompare,
];

function unknownValues({ demand }: Case): Excess[] {
  return demand.unknown.map(({ field, value }) => ({
    field, value, reason: 'refers to what is known only in the driver, so that it cannot be compared with', limit: 'any',
    remedy: 'write the value itself',
  }));
}

function executors({ limits: { maxExecutors: most }, demand }: Case): Excess[] {
  if (most === undefined) return [];
  const limit = `maxExecutors: ${most}`;
  return demand.executors.flatMap(({ field, value }): Excess[] => {
    if (value === undefined) {
      return [{ field, reason: 'is missing, so that Spark can add more executors than', limit, remedy: `write at most ${most}` }];
    }
    return value > most ? [{ field, value: String(value), reason: 'is more than', limit, remedy: `write at most ${most}` }] : [];
  });
}

function cores({ limits, demand }: Case, role: Role): Excess[] {
  const most = limits[role]?.maxCores;
  if (!most) return [];
  return demand[role].cores.filter(({ amount }) => amount > most.amount)
    .map(({ field, value }) => ({
      field, value, reason: 'is more than', limit: `${role}.maxCores: ${most.text}`, remedy: `write at most ${most.text}`,
    }));
}

const MEBIBYTE = 2n ** 20n * 10n ** 9n;

function memory({ limits, demand }: Case, role: Role): Excess[] {
  const most = limits[role]?.maxMemory;
  if (!most) return [];
  return demand[role].memory.filter(({ value }) => BigInt(value) * MEBIBYTE > most.amount).map(({ field, value }) => ({
    field, reason: `makes a container of ${value} MiB, with all that is outside of the heap: more than`,
    limit: `${role}.maxMemory: ${most.text}`, remedy: 'write less',
  }));
}

function images({ limits: { allowedImages }, demand, globs }: Case): Excess[] {
  if (!allowedImages) return [];
  const wrong = demand.images.filter(({ value }) => !allowedImages.some((glob) => matchesGlob(glob, value, globs)));
  return unique(wrong).map(({ field, value }) => ({
    field, value, reason: 'is not among', limit: `allowedImages: ${globList(allowedImages)}`, remedy: 'write one of those images',
  }));
}

/**
 * Rejects template files, which also contain images and service accounts: the operator does not
 * read them.
 */
function templateFiles({ limits: { allowedImages, allowedServiceAccounts }, spec }: Case): Excess[] {
  if (!allowedImages && !allowedServiceAccounts) return [];
  const keys = ['driver', 'executor'].map((role) => `spark.kubernetes.${role}.podTemplateFile`);
  return keys.filter((key) => spec.sparkConf?.[key] !== undefined).map((key) => ({
    field: sparkConfField(key), reason: 'names a file that cannot be compared with',
    limit: allowedImages ? 'allowedImages' : 'allowedServiceAccounts',
    remedy: 'write the template itself into spec.driver.template or spec.executor.template',
  }));
}

function serviceAccounts({ limits: { allowedServiceAccounts: allowed }, demand, globs }: Case): Excess[] {
  if (!allowed) return [];
  const wrong = [demand.driver.serviceAccount, demand.executor.serviceAccount].filter(
    ({ field, value }) => field !== '' && !allowed.some((glob) => matchesGlob(glob, value, globs)),
  );
  return unique(wrong).map(({ field, value }) => ({
    field, value, reason: 'is not among', limit: `allowedServiceAccounts: ${globList(allowed)}`,
    remedy: 'write one of those service accounts',
  }));
}

function sparkConf({ limits: { deniedSparkConf: denied }, written, globs }: Case): Excess[] {
  if (!denied) return [];
  const keys = [
    ...Object.keys(written.sparkConf ?? {}).map((key) => ({ key, field: sparkConfField(key) })),
    ...Object.keys(written.hadoopConf ?? {}).map((key) => ({ key: `spark.hadoop.${key}`, field: `spec.hadoopConf[${key}]` })),
  ];
  return keys.flatMap(({ key, field }) => {
    const glob = denied.find((pattern) => matchesGlob(pattern, key, globs));
    return glob === undefined ? [] : [{ field, reason: 'is not among', limit: `deniedSparkConf: ${glob}`, remedy: 'remove it' }];
  });
}

function timeToLive({ limits: { maxTimeToLiveSeconds: most }, spec: { timeToLiveSeconds: value } }: Case): Excess[] {
  if (most === undefined || value === undefined || value <= most) return [];
  return [{
    field: 'spec.timeToLiveSeconds', value: String(value), reason: 'is more than', limit: `maxTimeToLiveSeconds: ${most}`,
    remedy: `write at most ${most}`,
  }];
}

function retries({ limits: { maxRetries: most }, spec: { restartPolicy } }: Case): Excess[] {
  if (most === undefined || !restartPolicy?.type || restartPolicy.type === RestartPolicyType.NEVER) return [];
  const limit = `maxRetries: ${most}`;
  if (restartPolicy.type === RestartPolicyType.ALWAYS) {
    return [{
      field: 'spec.restartPolicy.type', value: restartPolicy.type, reason: 'is without end, and so more than', limit,
      remedy: `write ${RestartPolicyType.ON_FAILURE} with at most ${most} retries`,
    }];
  }
  return (['onFailureRetries', 'onSubmissionFailureRetries'] as const).flatMap((field) => {
    const value = restartPolicy[field];
    return value === undefined || value <= most
      ? []
      : [{ field: `spec.restartPolicy.${field}`, value: String(value), reason: 'is more than', limit, remedy: `write at most ${most}` }];
  });
}

/** Runs last, after all comparisons: values that were not compared are not allowed. */
function tooMuchToCompare({ globs }: Case): Excess[] {
  return globs.isSpent
    ? [{
      field: 'spec', reason: 'has more and longer names than can be compared with',
      limit: 'allowedImages, allowedServiceAccounts, deniedSparkConf', remedy: 'write fewer or shorter ones',
    }]
    : [];
}

/** Removes duplicates: the same image for driver and executors is one mistake. */
function unique<T extends { readonly field: string; readonly value: string }>(asked: readonly T[]): T[] {
  return [...new Map(asked.map((one) => [JSON.stringify([one.field, one.value]), one])).values()];
}
