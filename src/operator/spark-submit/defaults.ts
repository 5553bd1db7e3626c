import { spawn } from 'node:child_process';
import * as files from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { getCACertificates } from 'node:tls';
import type { Environment } from './proxies';
import type { SparkSubmitPermissions } from '../../plan/spark-submit/reasons-against';
import { SparkSubmitRunner } from './runner';
import type { SparkSubmitRunnerOptions } from './runner';

/** Where the image (target spark-submit of the Dockerfile) has its archive of classes. */
export const CLASS_ARCHIVE = '/opt/spark-operator/spark-submit.jsa';

/** Longer no run of spark-submit may take, in milliseconds. */
export const DEFAULT_TIMEOUT = 300_000;

/** Files that are put here, by an image or a volume, may be used by all applications. */
export const DEFAULT_PERMISSIONS: SparkSubmitPermissions = { folders: ['/opt/spark-operator/files'], packages: false };

/** What one run takes, in bytes: measured 235 MB for Spark 4.1.1 and a small application. */
const MEMORY_OF_RUN = 300 * 2 ** 20;
/** What the operator itself needs, in bytes. */
const MEMORY_OF_OPERATOR = 192 * 2 ** 20;

/**
 * How many runs of spark-submit there may be at a time: one a CPU, and not more than there is memory for.
 *
 * @param cpus the CPUs of the container
 * @param memory the memory of the container in bytes; undefined if it has no limit
 */
export function defaultConcurrency(cpus: number, memory: number | undefined): number {
  const room = memory === undefined ? Infinity : Math.floor((memory - MEMORY_OF_OPERATOR) / MEMORY_OF_RUN);
  return Math.max(1, Math.min(cpus, room));
}

/** Returns how many runs of spark-submit this container has room for at a time. */
export function availableConcurrency(): number {
  return defaultConcurrency(availableParallelism(), memoryLimit());
}

/** The memory limit of this container in bytes, or undefined. */
function memoryLimit(): number | undefined {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < 2 ** 53 ? limit : undefined;
}

/** A runner of the machine's own Spark. */
export function createSparkSubmitRunner(
  options: Pick<SparkSubmitRunnerOptions, 'logger' | 'clock'> & Partial<SparkSubmitRunnerOptions> & { readonly environment: Environment },
): SparkSubmitRunner {
  return new SparkSubmitRunner({
    temporary: tmpdir(),
    archive: CLASS_ARCHIVE,
    // Node adds those of this file to those that it comes with; the JVM does not know of it.
    ...(options.environment.NODE_EXTRA_CA_CERTS && { certificates: getCACertificates('default') }),
    timeout: DEFAULT_TIMEOUT,
    spawn,
    files,
    ...options,
  });
}
