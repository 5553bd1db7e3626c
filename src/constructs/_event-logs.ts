import { refuseArguments } from '../props/_check';
import { wrongKey, wrongLabelName, wrongName } from '../props/_names';
import { HTTPS } from './_network-policies';
import { secretViolations } from './_secret-properties';
import type { ObjectStoreOptions, SecretEntry, VolumeAccess } from './event-log-options';
import { AllowedTraffic, NetworkPeer, NetworkPort } from './network-peer';
import type { Violation } from '../model/problem';

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
  readonly claim?: { readonly name: string; readonly access?: VolumeAccess; readonly subPath?: string; readonly manifest?: object };
  /** What has to be reached for it; undefined: nobody knows. */
  readonly traffic?: readonly AllowedTraffic[];
  /** The property with the class that finds credentials, where nobody has said which. */
  readonly credentialsProperty?: string;
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

/** EKS Pod Identity: the agent on each node. */
const EKS_POD_IDENTITY: AllowedTraffic = { peers: [NetworkPeer.addresses('169.254.170.23/32'), NetworkPeer.addresses('fd00:ec2::23/128')], ports: [NetworkPort.tcp(80)] };

/**
 * Workload Identity of GKE: the metadata server, with and without Dataplane V2.
 * @internal
 */
export const GKE_METADATA: readonly AllowedTraffic[] = [
  { peers: [NetworkPeer.addresses('169.254.169.254/32')], ports: [NetworkPort.tcp(80)] },
  { peers: [NetworkPeer.addresses('169.254.169.252/32')], ports: [NetworkPort.tcp(988)] },
];

/**
 * How S3, or a store that speaks as S3 does, is reached. One with an endpoint of its own may be in the cluster, where ranges of addresses do not count for all networks.
 * @internal
 */
export function s3Traffic(endpoint: string | undefined, hasSecret: boolean): AllowedTraffic[] {
  const store = endpoint === undefined ? HTTPS : { peers: [NetworkPeer.anywhere()], ports: [NetworkPort.tcp(portOf(endpoint)!)] };
  // Roles of service accounts are looked up at AWS.
  return [store, ...(hasSecret ? [] : [...(store === HTTPS ? [] : [HTTPS]), EKS_POD_IDENTITY])];
}

/**
 * The URL of a store, or host and port of one that is reached by HTTPS.
 * @internal
 */
export function wrongEndpoint(path: string, value: string | undefined): Violation | undefined {
  return value === undefined || portOf(value) !== undefined ? undefined : { path, value, reason: 'is not the URL of a store, such as http://minio.minio.svc:9000' };
}

/**
 * The endpoint of a store as a property of Hadoop, which would open no port for it.
 * @internal
 */
export function endpointProperties(bucket: string, { hadoopConf = {}, hadoopSecrets = {} }: ObjectStoreOptions): Violation[] {
  const isEndpoint = (key: string) => key === 'fs.s3a.endpoint' || key === `fs.s3a.bucket.${bucket}.endpoint`;
  return Object.entries({ hadoopConf, hadoopSecrets }).flatMap(([prop, properties]) => Object.keys(properties).filter(isEndpoint).map((key) => (
    { path: `${prop}[${JSON.stringify(key)}]`, value: undefined, reason: 'is the URL of the store, to whose port the history server would not be let out; write endpoint' }
  )));
}

/**
 * A Secret that Spark mounts: of its volume, `<secret>-volume`, the name has at most 63 characters and no dots (MountSecretsFeatureStep).
 * @internal
 */
export function wrongMountedSecret(path: string, name: string | undefined): Violation | undefined {
  const wrong = wrongName(path, name);
  if (wrong || name === undefined || wrongLabelName(path, `${name}-volume`) === undefined) return wrong;
  return { path, value: name, reason: `cannot be mounted by Spark, which calls the volume ${name}-volume: name a Secret with at most 56 characters and no dots` };
}

function portOf(endpoint: string): number | undefined {
  const url = endpoint.includes('://') ? endpoint : `https://${endpoint}`;
  if (!/^https?:\/\/[^\s/?#@]+\/?$/.test(url) || !URL.canParse(url)) return undefined;
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) || undefined;
}

type Incomplete = Pick<EventLogSpec, 'uri' | 'connector' | 'traffic' | 'credentialsProperty'> & Partial<Pick<EventLogSpec, 'secretEnv' | 'secretFiles'>> & { readonly conf: { readonly [key: string]: string | undefined } };

/**
 * A folder of an object store.
 *
 * @param spec its URI ends with the store
 * @internal
 */
export function objectStore(spec: Incomplete, { path = 'spark-events', hadoopConf, hadoopSecrets }: ObjectStoreOptions): EventLogSpec {
  refuseArguments('EventLogStorage', [/^[^\s/?#]+(\/[^\s/?#]+)*$/.test(path) ? undefined : { path: 'path', value: path, reason: "is not a folder of the store, such as logs/spark, without '/' at its ends" }]);
  const conf = Object.fromEntries(Object.entries(spec.conf).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const further = hadoop(hadoopConf, hadoopSecrets);
  return { ...NONE, ...spec, uri: `${spec.uri}${path}`, conf: { ...conf, ...further.conf }, secretEnv: { ...spec.secretEnv, ...further.secretEnv } };
}

/**
 * Properties of Hadoop as Spark has them, and those whose values are in Secrets.
 * @internal
 */
export function hadoop(conf: { readonly [key: string]: string } = {}, secrets: { readonly [key: string]: SecretEntry } = {}): Pick<EventLogSpec, 'conf' | 'secretEnv'> {
  refuseArguments('EventLogStorage', [
    ...secretViolations('hadoopConf', conf, 'name the entry of a Secret in hadoopSecrets'),
    ...Object.entries(secrets).flatMap(([key, { secretName, key: entry }]) => [
      wrongName(`hadoopSecrets[${JSON.stringify(key)}].secretName`, secretName),
      wrongKey(`hadoopSecrets[${JSON.stringify(key)}].key`, entry),
    ]),
  ]);
  const variable = (key: string) => key.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
  const all = { ...conf, ...Object.fromEntries(Object.keys(secrets).map((key) => [key, secretVariable(variable(key))])) };
  return {
    conf: Object.fromEntries(Object.entries(all).map(([key, value]) => [`spark.hadoop.${key}`, value])),
    secretEnv: Object.fromEntries(Object.entries(secrets).map(([key, { secretName, key: entry }]) => [`${PREFIX}${variable(key)}`, { secretName, key: entry }])),
  };
}

/**
 * The name of a bucket, a container or an account, which stands in a URI and in the names of properties.
 * @internal
 */
export function wrongPart(path: string, value: string): Violation | undefined {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,220}[A-Za-z0-9])?$/.test(value) ? undefined : { path, value, reason: "is not a name: use letters, digits, '-', '_' and '.'" };
}
