import { refuseArguments } from './_check';
import type { ObjectStoreOptions } from './event-log-storage';
import type { Violation } from '../validation/validate';

/**
 * Where event logs are, and what Spark needs to get there.
 * @internal
 */
export interface EventLogSpec {
  /** Where Spark writes and reads. */
  readonly uri: string;
  /** Spark properties of both, writers and reader. */
  readonly conf: { readonly [key: string]: string };
  /** The connector that is not in Spark's own image. */
  readonly connector?: string;
  readonly claim?: { readonly name: string; readonly subPath?: string; readonly manifest?: object };
  /** Variables with entries of Secrets. */
  readonly secretEnv: { readonly [name: string]: { readonly secretName: string; readonly key: string } };
  /** Secrets and the folders where they are mounted. */
  readonly secretFiles: { readonly [secretName: string]: string };
}

/**
 * Where the volume is mounted.
 * @internal
 */
export const EVENT_LOG_FOLDER = '/mnt/spark-event-logs';

/**
 * Where a Secret with a key is mounted.
 * @internal
 */
export const KEY_FOLDER = '/mnt/spark-event-logs-key';

/** @internal */
export const NONE = { conf: {}, secretEnv: {}, secretFiles: {} };

/** Of variables of our own, so that they are in nobody's way. */
const PREFIX = 'SPARK_EVENT_LOG_';

/**
 * A value of which Hadoop's Configuration looks up the variable when it is asked, so that it stands in no file.
 * @internal
 */
export function secretVariable(name: string): string {
  return `\${env.${PREFIX}${name}}`;
}

/**
 * Variables with entries of a Secret.
 * @internal
 */
export function secretVariables(secretName: string | undefined, keys: { readonly [name: string]: string }): EventLogSpec['secretEnv'] {
  return secretName === undefined ? {} : Object.fromEntries(Object.entries(keys).map(([name, key]) => [`${PREFIX}${name}`, { secretName, key }]));
}

type Incomplete = Pick<EventLogSpec, 'uri' | 'connector'> & Partial<Pick<EventLogSpec, 'secretEnv' | 'secretFiles'>> & { readonly conf: { readonly [key: string]: string | undefined } };

/**
 * A folder of an object store.
 *
 * @param spec its URI ends with the store
 * @internal
 */
export function objectStore(spec: Incomplete, { path = 'spark-events', hadoopConf }: ObjectStoreOptions): EventLogSpec {
  refuseArguments('EventLogStorage', [/^[^\s/?#]+(\/[^\s/?#]+)*$/.test(path) ? undefined : { path: 'path', value: path, reason: "is not a folder of the store, such as logs/spark, without '/' at its ends" }]);
  const conf = Object.fromEntries(Object.entries(spec.conf).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return { ...NONE, ...spec, uri: `${spec.uri}${path}`, conf: { ...conf, ...hadoop(hadoopConf) } };
}

/**
 * Properties of Hadoop as Spark has them.
 * @internal
 */
export function hadoop(conf: { readonly [key: string]: string } = {}): { [key: string]: string } {
  return Object.fromEntries(Object.entries(conf).map(([key, value]) => [`spark.hadoop.${key}`, value]));
}

/**
 * The name of a bucket, a container or an account, which stands in a URI and in the names of properties.
 * @internal
 */
export function wrongPart(path: string, value: string): Violation | undefined {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,220}[A-Za-z0-9])?$/.test(value) ? undefined : { path, value, reason: "is not a name: use letters, digits, '-', '_' and '.'" };
}
