import { createHash } from 'crypto';
import { Size, SizeRoundingBehavior } from 'cdk8s';
import { isSize, seconds, wrongNumber, wrongSeconds, wrongSize } from '../props/_check';
import { EVENT_LOG_FOLDER, type EventLogSpec } from './_event-logs';
import { wrongLabels } from '../rules/metadata';
import { found, wrongKey, wrongLabelName, wrongName, wrongServiceName, wrongVariable, wrongImage } from '../rules/names';
import { trafficViolations } from './_network-policies';
import { propertiesFile } from './_properties-file';
import { coresQuantity, sizeQuantity, wrongCores } from './_quantity';
import { exposureViolations } from './_service-exposure';
import { secretViolations } from '../rules/secret-properties';
import { VolumeAccess } from './event-log-options';
import type { SparkHistoryServerProps } from './spark-history-server-props';
import { SPARK_USER_ID } from '../api/labels';
import { ImagePullPolicy } from '../api/spark-application';
import type { Problem } from '../model/problem';

/** @internal */
export const PORT = 18080;

/** Folders of the file with properties, and of the local store. */
const CONF_FOLDER = '/etc/spark-history-server';
const CACHE_FOLDER = '/var/cache/spark-history-server';
/** @internal */
export const CONF_FILE = 'spark-defaults.conf';

/**
 * Returns the file with the properties of the history server.
 * @internal
 */
export function serverProperties(logs: EventLogSpec, props: SparkHistoryServerProps): string {
  const { retention, cache = DEFAULT_CACHE, updateInterval } = props;
  const properties: { [key: string]: string | undefined } = {
    ...logs.conf,
    'spark.history.fs.logDirectory': logs.uri,
    'spark.history.fs.update.interval': inSeconds(seconds(updateInterval)),
    'spark.history.ui.port': String(PORT),
    'spark.history.store.path': CACHE_FOLDER,
    // Less than the size of the volume: Kubernetes evicts a pod that exceeds it.
    'spark.history.store.maxDiskUsage': `${Math.floor(cache.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * 0.9)}m`,
    'spark.history.fs.cleaner.enabled': String(retention !== undefined),
    'spark.history.fs.cleaner.maxAge': inSeconds(seconds(retention?.maxAge)),
    'spark.history.fs.cleaner.maxNum': retention?.maxApplications?.toString(),
    'spark.history.fs.cleaner.interval': inSeconds(seconds(retention?.interval)),
    ...props.sparkConf,
  };
  return propertiesFile(
    Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  );
}

function inSeconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}s`;
}

/** @internal */
export interface ServerDeployment {
  readonly name: string;
  readonly image: string;
  readonly labels: { readonly [key: string]: string };
  readonly logs: EventLogSpec;
  /** File with properties: pods are replaced when it changes. */
  readonly properties: string;
}

/**
 * Returns the specification of the Deployment. Its pods meet the restricted Pod Security Standard.
 * @internal
 */
export function deploymentSpec({ name, image, labels, logs, properties }: ServerDeployment, props: SparkHistoryServerProps): object {
  const { memory = DEFAULT_MEMORY, cpu = 0.5, cache = DEFAULT_CACHE, env = {}, secretEnv } = props;
  const { userId = SPARK_USER_ID, userIdFromPlatform } = props;
  const { volumes, mounts } = volumesOf(name, logs, sizeQuantity(cache));
  const heap = Math.floor(memory.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * 0.7);
  return {
    replicas: 1,
    // Two nodes cannot mount the volume at the same time, so a second pod would wait forever.
    ...(logs.claim?.access === VolumeAccess.READ_WRITE_ONCE && { strategy: { type: 'Recreate' } }),
    selector: { matchLabels: labels },
    template: {
      metadata: {
        labels: { ...props.podLabels, ...labels }, annotations: {
          'checksum/properties': createHash('sha256').update(properties).digest('hex').slice(0, 16),
        },
      },
      spec: {
        serviceAccountName: name,
        automountServiceAccountToken: false, // it does not call the API server
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true, ...(!userIdFromPlatform && {
            runAsUser: userId, runAsGroup: userId, fsGroup: userId, fsGroupChangePolicy: 'OnRootMismatch',
          }), seccompProfile: { type: 'RuntimeDefault' },
        },
        ...(props.imagePullSecrets && { imagePullSecrets: props.imagePullSecrets.map((secret) => ({ name: secret })) }),
        containers: [{
          name: 'history-server',
          image,
          imagePullPolicy: props.imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT,
          // The image's entrypoint runs first and adds a user name. No shell interprets the
          // arguments.
          args: [
            '/opt/spark/bin/spark-class', 'org.apache.spark.deploy.history.HistoryServer', '--properties-file',
            `${CONF_FOLDER}/${CONF_FILE}`,
          ],
          env: [
            { name: 'SPARK_DAEMON_MEMORY', value: `${heap}m` },
            ...Object.entries({ ...logs.secretEnv, ...secretEnv }).map(([variable, { secretName, key }]) => (
              { name: variable, valueFrom: { secretKeyRef: { name: secretName, key } } }
            )),
            ...Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
          ],
          ports: [{ name: 'http', containerPort: PORT, protocol: 'TCP' }],
          startupProbe: { httpGet: { path: '/api/v1/version', port: 'http' }, periodSeconds: 2, failureThreshold: 90, timeoutSeconds: 5 },
          readinessProbe: { httpGet: { path: '/api/v1/version', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 },
          livenessProbe: { httpGet: { path: '/api/v1/version', port: 'http' }, periodSeconds: 30, failureThreshold: 4, timeoutSeconds: 10 },
          resources: { requests: { cpu: coresQuantity(cpu), memory: sizeQuantity(memory) }, limits: { memory: sizeQuantity(memory) } },
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          volumeMounts: mounts,
        }],
        volumes,
      },
    },
  };
}

/** The root file system is read-only: Java and Spark write to temporary volumes. */
function volumesOf(name: string, logs: EventLogSpec, cache: string): { volumes: object[]; mounts: object[] } {
  const secrets = Object.entries(logs.secretFiles).map(([secretName, mountPath], index) => ({
    name: `secret-${index + 1}`, secretName, mountPath,
  }));
  const { claim } = logs;
  return {
    volumes: [
      { name: 'conf', configMap: { name } },
      { name: 'cache', emptyDir: { sizeLimit: cache } },
      { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
      ...(claim ? [{ name: 'event-logs', persistentVolumeClaim: { claimName: claim.name } }] : []),
      ...secrets.map((secret) => ({ name: secret.name, secret: { secretName: secret.secretName } })),
    ],
    mounts: [
      { name: 'conf', mountPath: CONF_FOLDER, readOnly: true },
      { name: 'cache', mountPath: CACHE_FOLDER },
      { name: 'tmp', mountPath: '/tmp' },
      ...(claim ? [{ name: 'event-logs', mountPath: EVENT_LOG_FOLDER, ...(claim.subPath && { subPath: claim.subPath }) }] : []),
      ...secrets.map((secret) => ({ name: secret.name, mountPath: secret.mountPath, readOnly: true })),
    ],
  };
}

/**
 * Returns the problems of the props.
 * @internal
 */
export function serverViolations(logs: EventLogSpec, props: SparkHistoryServerProps): Problem[] {
  const { retention = {} } = props;
  return [
    ...found([
      /^[0-9][0-9A-Za-z._-]*$/.test(props.sparkVersion) ? undefined : {
        path: 'sparkVersion', value: props.sparkVersion, reason: 'is not a version such as 4.1.1',
      },
      props.image === undefined && logs.connector !== undefined ? {
        path: 'image', value: undefined,
        reason: `is missing: Spark's own image has no ${logs.connector}, which is needed to read the event logs; choose an image that contains it`,
      } : undefined,
      wrongImage('image', props.image),
      ...(props.imagePullSecrets ?? []).map((name, index) => wrongName(`imagePullSecrets[${index}]`, name)),
      wrongServiceName('name', props.name),
      wrongLabelName('namespace', props.namespace),
      wrongSize('memory', props.memory),
      isSize(props.memory) && props.memory.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) < MIN_MEMORY ? {
        path: 'memory', value: props.memory.asString(), reason: `is not enough for a JVM; write at least ${MIN_MEMORY} MiB`,
      } : undefined,
      wrongCores('cpu', props.cpu),
      wrongSize('cache', props.cache, MIN_CACHE),
      wrongSeconds('retention.maxAge', retention.maxAge),
      wrongNumber('retention.maxApplications', retention.maxApplications, 1),
      wrongSeconds('retention.interval', retention.interval),
      wrongSeconds('updateInterval', props.updateInterval),
      wrongNumber('userId', props.userId, 1),
      props.userIdFromPlatform && props.userId !== undefined ? {
        path: 'userId', value: props.userId, reason: 'contradicts userIdFromPlatform; leave one of them out',
      } : undefined,
      ...Object.keys(props.env ?? {}).map((variable) => wrongVariable(`env[${variable}]`, variable)),
      ...Object.entries(props.secretEnv ?? {}).flatMap(([variable, { secretName, key }]) => [
        wrongVariable(`secretEnv[${variable}]`, variable),
        wrongName(`secretEnv[${variable}].secretName`, secretName),
        wrongKey(`secretEnv[${variable}].key`, key),
      ]),
      ...Object.keys(props.secretEnv ?? {}).filter((variable) => props.env?.[variable] !== undefined).map((variable) => ({
        path: `secretEnv[${variable}]`, value: undefined, reason: 'is also in env; leave one of them out',
      })),
      props.isolated === false && (props.clients || props.egress || props.dns) ? {
        path: props.clients ? 'clients' : props.egress ? 'egress' : 'dns', value: undefined,
        reason: 'has no effect with isolated: false; leave one of them out',
      } : undefined,
      props.clients?.length === 0
        ? { path: 'clients', value: undefined, reason: 'is empty, so that no client could open the web UI; leave it out, or add a client' }
        : undefined,
    ]),
    ...exposureViolations('', props),
    ...Object.entries(props.sparkConf ?? {}).flatMap(([key, value]) => (key.startsWith('spark.') ? [] : [
      { path: `sparkConf[${key}]`, value, reason: "is ignored: the names of Spark's properties begin with spark." },
    ])),
    ...Object.entries(OWN).filter(([key]) => props.sparkConf?.[key] !== undefined).map(([key, reason]) => ({
      path: `sparkConf[${key}]`, value: props.sparkConf![key], reason,
    })),
    ...secretViolations('sparkConf', props.sparkConf, 'write ${env:NAME} (${env.NAME} for spark.hadoop.…) with NAME in secretEnv'),
    ...(props.dns ? trafficViolations('dns', props.dns) : []),
    ...(props.egress ?? []).flatMap((traffic, index) => trafficViolations(`egress[${index}]`, traffic)),
    ...wrongLabels('podLabels', props.podLabels),
  ];
}

/** Properties on which other created objects depend. */
const OWN: { readonly [key: string]: string } = {
  'spark.history.ui.port': `conflicts with the Service, probes and NetworkPolicy, which use ${PORT}; leave it out`,
  'spark.history.fs.logDirectory': 'is set by eventLogs; use eventLogs instead',
  'spark.history.store.path': 'must be the only writable folder; leave it out, and set its size with cache',
};

const DEFAULT_MEMORY = Size.gibibytes(2);
const DEFAULT_CACHE = Size.gibibytes(10);
const MIN_MEMORY = 256;
/** Minimum size: less is not enough for one event log. */
const MIN_CACHE = 256;
