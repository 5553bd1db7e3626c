import { FAST_START, FAST_START_FILES, FAST_START_FOLDER } from '../../api/fast-start';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { bytesOf, parseMemorySize } from '../../model/memory-size';
import type { Problem } from '../../model/problem';
import { sparkOptions } from './java-option-text';
import { javaOptionProperties } from './java-options';
import { environmentPrefix, ROLES, type Role } from './role';
import type { ReadonlySparkProperties, SparkProperties } from './spark-conf';

const FIELD = 'spec.fastStart';

/** Its folder is in the class path of the archive, before the jars. */
const SPARK_CONFIG_MAP = 'spec.sparkConfigMap';

/** Folder with Spark's configuration in executors (SPARK_CONF_DIR_INTERNAL). */
const CONF_DIRECTORY = '/opt/spark/conf';

/**
 * Options of the JVM that only prints the driver's command: it ends after a fraction of a second.
 * Its own jar on the boot class path spares it the search through all jars of Spark.
 */
const LAUNCHER_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xbootclasspath/a:';

const LAUNCHER_VARIABLE = `${environmentPrefix('driver')}SPARK_LAUNCHER_OPTS`;

/** Parts of an application for its fast start. */
export type FastStartSpec = Pick<SparkApplicationSpec, 'fastStart' | 'sparkConfigMap'>
  & { readonly executor: Pick<SparkApplicationSpec['executor'], 'env'> };

/**
 * Sets the properties with which driver and executors use the class-data archive of their image. A
 * JVM only uses it if the class path starts with the archive's, and ignores it otherwise:
 *
 * - The driver gets it as `spark.driver.extraClassPath`, which Spark puts first.
 * - Executors start their class path with `SPARK_CONF_DIR`, so that it becomes two entries: the jar
 *   of the archive, and the folder as before. Missing entries have no effect.
 *
 * Settings of users take precedence, with a warning. Must be called after the properties of all
 * other fields are set.
 */
export function setFastStart(properties: SparkProperties, spec: FastStartSpec): Problem[] {
  const { fastStart = FAST_START.none } = spec;
  if (fastStart === FAST_START.none) return [];
  const folder = fastStart === FAST_START.auto ? FAST_START_FOLDER : fastStart;
  const jar = `${folder}/${FAST_START_FILES.jar}`;
  return ROLES.flatMap((role) => {
    const obstacle = obstacleOf(role, properties, spec);
    if (obstacle !== undefined) {
      return [{ path: FIELD, reason: `does not apply to the ${NAMES[role]}: ${obstacle}`, severity: 'warning' as const }];
    }
    const [, options] = javaOptionProperties(role);
    // Before the user's options, of which the last one applies.
    prepend(properties, options, `-XX:SharedArchiveFile=${folder}/${FAST_START_FILES.archive}`);
    if (role === 'driver') {
      properties.set(CLASS_PATH.driver, jar, FIELD);
      properties.setIfMissing(LAUNCHER_VARIABLE, `${LAUNCHER_OPTIONS}${folder}/${FAST_START_FILES.launcher}`, FIELD);
    } else {
      properties.set(EXECUTOR_CONF_DIR, `${jar}:${properties.get(EXECUTOR_CONF_DIR) ?? CONF_DIRECTORY}`, confDirField(properties) ?? FIELD);
    }
    return [];
  });
}

const NAMES: { readonly [role in Role]: string } = { driver: 'driver', executor: 'executors' };

const CLASS_PATH = { driver: 'spark.driver.extraClassPath', executor: 'spark.executor.extraClassPath' } as const;
const CONF_DIR = 'SPARK_CONF_DIR';
const EXECUTOR_CONF_DIR = `${environmentPrefix('executor')}${CONF_DIR}`;

/** Properties that decide about the beginning of the class path. */
const OF_CLASS_PATH: { readonly [role in Role]: readonly string[] } = {
  driver: [CLASS_PATH.driver],
  executor: [
    CLASS_PATH.executor, `${environmentPrefix('executor')}SPARK_CLASSPATH`, EXECUTOR_CONF_DIR, `spark.kubernetes.executor.secretKeyRef.${CONF_DIR}`,
  ],
};

/**
 * Options with which a JVM uses another archive or none: those of archives, of other class paths,
 * and of pointers with another size.
 */
const OTHER_ARCHIVE = new RegExp(`^(?:${[
  '-Xshare:', '-Xbootclasspath/', '--(?:patch-module|upgrade-module-path|limit-modules)\\b',
  '-XX:(?:SharedArchiveFile|ArchiveClassesAtExit|AOT[A-Za-z]*|ObjectAlignmentInBytes)=',
  '-XX:[+]UseZGC$', '-XX:-UseCompressed(?:Oops|ClassPointers)$', '-XX:[+-](?:UseSharedSpaces|AutoCreateSharedArchive)$',
].join('|')})`);

/** Heap from which pointers have another size than in the archive, in bytes. */
const LARGE_HEAP = 32 * 2 ** 30;

/** Returns the setting that prevents the archive for a role, as the end of a sentence. */
function obstacleOf(role: Role, properties: ReadonlySparkProperties, spec: FastStartSpec): string | undefined {
  const classPath = OF_CLASS_PATH[role].find((key) => properties.has(key) && properties.fieldOf(key) !== SPARK_CONFIG_MAP);
  if (classPath !== undefined) {
    return `${properties.fieldOf(classPath)} decides about the class path; jars in the folder jars of Spark need no entry`;
  }
  if (role === 'executor' && !spec.sparkConfigMap && spec.executor.env?.some(({ name }) => name === CONF_DIR)) {
    return `spec.executor.env[${CONF_DIR}] decides about the beginning of the class path`;
  }
  for (const key of javaOptionProperties(role)) {
    const option = sparkOptions(properties.get(key) ?? '').find((text) => OTHER_ARCHIVE.test(text));
    if (option !== undefined) return `${properties.fieldOf(key)} has ${option.replace(/=.*/s, '')}`;
  }
  const heap = `spark.${role}.memory`;
  const size = parseMemorySize(properties.get(heap) ?? '');
  return size && bytesOf(size) >= LARGE_HEAP
    ? `${properties.fieldOf(heap)} is 32 GiB or more, for which a JVM needs another archive`
    : undefined;
}

/** Returns the field that sets the folder with the configuration of executors. */
function confDirField(properties: ReadonlySparkProperties): string | undefined {
  return properties.has(EXECUTOR_CONF_DIR) ? properties.fieldOf(EXECUTOR_CONF_DIR) : undefined;
}

function prepend(properties: SparkProperties, key: string, option: string): void {
  const before = properties.get(key);
  properties.set(key, before ? `${option} ${before}` : option, before ? properties.fieldOf(key) : FIELD);
}
