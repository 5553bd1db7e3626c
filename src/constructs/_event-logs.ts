import { NameKey } from '../api/spark-pod';
import { rejectArguments } from '../props/_check';
import { wrongKey, wrongLabelName, wrongName } from '../rules/names';
import { HTTPS } from './_network-policies';
import { secretViolations } from '../rules/secret-properties';
import type { ObjectStoreOptions, VolumeAccess } from './event-log-options';
import { AllowedTraffic, NetworkPeer, NetworkPort } from './network-peer';
import type { Problem } from '../model/problem';

/**
 * Storage of event logs, and Spark's settings for it.
 * @internal
 */
export interface EventLogSpec {
  /** URI for writers and the reader. */
  readonly uri: string;
  /** Spark properties of writers and the reader. */
  readonly conf: { readonly [key: string]: string };
  /** Connector that Apache's image lacks. */
  readonly connector?: string;
  readonly claim?: { readonly name: string; readonly access?: VolumeAccess; readonly subPath?: string; readonly manifest?: object };
  /** Network destinations of the storage; undefined if they are unknown. */
  readonly traffic?: readonly AllowedTraffic[];
  /** Property with the credentials provider, to set if the user has not. */
  readonly credentialsProperty?: string;
  /** Variables from entries of Secrets. */
  readonly secretEnv: { readonly [name: string]: NameKey };
  /** Secrets and the folders where they are mounted. */
  readonly secretFiles: { readonly [secretName: string]: string };
}

/**
 * Mount path of the volume.
 * @internal
 */
export const EVENT_LOG_FOLDER = '/mnt/spark-event-logs';

/**
 * Mount path of a Secret with a key.
 * @internal
 */
export const KEY_FOLDER = '/mnt/spark-event-logs-key';

/** @internal */
export const NONE = { conf: {}, secretEnv: {}, secretFiles: {} };

/** Prefix of our variables, which avoids conflicts. */
const PREFIX = 'SPARK_EVENT_LOG_';

/**
 * Returns a value that refers to a variable. Hadoop's Configuration resolves it at runtime, so no
 * file contains the secret.
 * @internal
 */
export function secretVariable(name: string): string {
  return `\${env.${PREFIX}${name}}`;
}

/**
 * Returns variables from entries of a Secret.
 * @internal
 */
export function secretVariables(secretName: string | undefined, keys: { readonly [name: string]: string }): EventLogSpec['secretEnv'] {
  return secretName === undefined
    ? {}
    : Object.fromEntries(Object.entries(keys).map(([name, key]) => [`${PREFIX}${name}`, { name: secretName, key }]));
}

/** EKS Pod Identity: the agent on each node. */
const EKS_POD_IDENTITY: AllowedTraffic = {
  peers: [NetworkPeer.addresses('169.254.170.23/32'), NetworkPeer.addresses('fd00:ec2::23/128')], ports: [NetworkPort.tcp(80)],
};

/**
 * Workload Identity of GKE: the metadata server, with and without Dataplane V2.
 * @internal
 */
export const GKE_METADATA: readonly AllowedTraffic[] = [
  { peers: [NetworkPeer.addresses('169.254.169.254/32')], ports: [NetworkPort.tcp(80)] },
  { peers: [NetworkPeer.addresses('169.254.169.252/32')], ports: [NetworkPort.tcp(988)] },
];

/**
 * Returns the network destinations of S3, or of a compatible store. A store with its own endpoint
 * might be in the cluster, where some network plugins ignore ranges of addresses.
 * @internal
 */
export function s3Traffic(endpoint: string | undefined, hasSecret: boolean): AllowedTraffic[] {
  const store = endpoint === undefined ? HTTPS : { peers: [NetworkPeer.anywhere()], ports: [NetworkPort.tcp(portOf(endpoint)!)] };
  // The SDK exchanges a service account's token at AWS.
  return [store, ...(hasSecret ? [] : [...(store === HTTPS ? [] : [HTTPS]), EKS_POD_IDENTITY])];
}

/**
 * Checks the URL of a store, or the host and port of one with HTTPS.
 * @internal
 */
export function wrongEndpoint(path: string, value: string | undefined): Problem | undefined {
  return value === undefined || portOf(value) !== undefined ? undefined : {
    path, value, reason: 'is not the URL of a store, such as http://minio.minio.svc:9000',
  };
}

/**
 * Rejects an endpoint in the properties of Hadoop, because the NetworkPolicy would not allow its
 * port.
 * @internal
 */
export function endpointProperties(bucket: string, { hadoopConf = {}, hadoopSecrets = {} }: ObjectStoreOptions): Problem[] {
  const isEndpoint = (key: string) => key === 'fs.s3a.endpoint' || key === `fs.s3a.bucket.${bucket}.endpoint`;
  return Object.entries({
    hadoopConf, hadoopSecrets,
  }).flatMap(([prop, properties]) => Object.keys(properties).filter(isEndpoint).map((key) => (
    {
      path: `${prop}[${key}]`, value: undefined,
      reason: 'is the URL of the store, whose port the NetworkPolicy would not allow; set endpoint instead',
    }
  )));
}

/**
 * Checks the name of a Secret that Spark mounts. The name of its volume, `<secret>-volume`, has at
 * most 63 characters and no dots (MountSecretsFeatureStep).
 * @internal
 */
export function wrongMountedSecret(path: string, name: string | undefined): Problem | undefined {
  const wrong = wrongName(path, name);
  if (wrong || name === undefined || wrongLabelName(path, `${name}-volume`) === undefined) return wrong;
  return {
    path, value: name,
    reason: `cannot be mounted by Spark, which names the volume ${name}-volume: choose a Secret whose name has at most 56 characters and no dots`,
  };
}

function portOf(endpoint: string): number | undefined {
  const url = endpoint.includes('://') ? endpoint : `https://${endpoint}`;
  if (!/^https?:\/\/[^\s/?#@]+\/?$/.test(url) || !URL.canParse(url)) return undefined;
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) || undefined;
}

type Incomplete = Pick<EventLogSpec, 'uri' | 'connector' | 'traffic' | 'credentialsProperty'>
  & Partial<Pick<EventLogSpec, 'secretEnv' | 'secretFiles'>>
  & { readonly conf: { readonly [key: string]: string | undefined } };

/**
 * Returns the URI of a folder of an object store.
 *
 * @param spec its URI ends with the store
 * @internal
 */
export function objectStore(spec: Incomplete, { path = 'spark-events', hadoopConf, hadoopSecrets }: ObjectStoreOptions): EventLogSpec {
  rejectArguments('EventLogStorage', [/^[^\s/?#]+(\/[^\s/?#]+)*$/.test(path) ? undefined : {
    path: 'path', value: path, reason: "is not a folder of the store; write for example logs/spark, without '/' at either end",
  }]);
  const conf = Object.fromEntries(Object.entries(spec.conf).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const further = hadoop(hadoopConf, hadoopSecrets);
  return {
    ...NONE, ...spec, uri: `${spec.uri}${path}`, conf: { ...conf, ...further.conf }, secretEnv: {
      ...spec.secretEnv, ...further.secretEnv,
    },
  };
}

/**
 * Returns properties of Hadoop as Spark properties, and those whose values are in Secrets.
 * @internal
 */
export function hadoop(
  conf: { readonly [key: string]: string } = {}, secrets: { readonly [key: string]: NameKey } = {},
): Pick<EventLogSpec, 'conf' | 'secretEnv'> {
  rejectArguments('EventLogStorage', [
    ...secretViolations('hadoopConf', conf, 'name the entry of a Secret in hadoopSecrets'),
    ...Object.entries(secrets).flatMap(([key, { name, key: entry }]) => [
      wrongName(`hadoopSecrets[${key}].name`, name),
      wrongKey(`hadoopSecrets[${key}].key`, entry),
    ]),
  ]);
  const variable = (key: string) => key.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
  const all = { ...conf, ...Object.fromEntries(Object.keys(secrets).map((key) => [key, secretVariable(variable(key))])) };
  return {
    conf: Object.fromEntries(Object.entries(all).map(([key, value]) => [`spark.hadoop.${key}`, value])),
    secretEnv: Object.fromEntries(Object.entries(secrets).map(([key, { name, key: entry }]) => [
      `${PREFIX}${variable(key)}`, { name, key: entry },
    ])),
  };
}

/**
 * Checks the name of a bucket, a container or an account, which occurs in a URI and in names of
 * properties.
 * @internal
 */
export function wrongPart(path: string, value: string): Problem | undefined {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,220}[A-Za-z0-9])?$/.test(value) ? undefined : {
    path, value, reason: "is not a name: use letters, digits, '-', '_' and '.'",
  };
}
