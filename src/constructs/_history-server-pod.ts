import { createHash } from 'crypto';
import { Size, SizeRoundingBehavior } from 'cdk8s';
import { commonPodViolations, withCommonPodProps } from './_common-pod-props';
import { EVENT_LOG_FOLDER, type EventLogSpec } from './_event-logs';
import { coresQuantity, sizeQuantity } from './_quantity';
import { VolumeAccess } from './event-log-options';
import type { SparkHistoryServerProps } from './spark-history-server-props';
import { SPARK_USER_ID } from '../api/labels';
import { ImagePullPolicy } from '../api/spark-application';
import type { Volume, VolumeMount } from '../k8s';
import type { Problem } from '../model/problem';
import type { PodTemplate } from '../plan/pods/pod-template';
import type { SecretMount } from '../props/common-pod-props';

const CONTAINER = 'history-server';
const DEFAULT_MEMORY = Size.gibibytes(2);
/** @internal */
export const DEFAULT_CACHE = Size.gibibytes(10);
/** @internal */
export const PORT = 18080;

/** Folder of the file with properties. */
const CONF_FOLDER = '/etc/spark-history-server';
/** @internal */
export const CONF_FILE = 'spark-defaults.conf';
/**
 * Folder of the local store.
 * @internal
 */
export const CACHE_FOLDER = '/var/cache/spark-history-server';

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
 * Returns the specification of the Deployment.
 * @internal
 */
export function deploymentSpec(server: ServerDeployment, props: SparkHistoryServerProps): object {
  return {
    replicas: 1,
    // Two nodes cannot mount the volume at the same time, so a second pod would wait forever.
    ...(server.logs.claim?.access === VolumeAccess.READ_WRITE_ONCE && { strategy: { type: 'Recreate' } }),
    selector: { matchLabels: server.labels },
    template: withCommonPodProps(podTemplate(server, props), CONTAINER, props),
  };
}

/**
 * Returns the problems of the props of the pod.
 * @internal
 */
export function podViolations(logs: EventLogSpec, props: SparkHistoryServerProps): Problem[] {
  const { memory: _, cpu: __, cache: ___, ...rest } = props;
  const pod = podTemplate({ name: 'name', image: 'image', labels: {}, logs, properties: '' }, rest);
  return commonPodViolations(pod, CONTAINER, props);
}

/** Returns the pod without common props. It meets the restricted Pod Security Standard. */
function podTemplate({ name, image, labels, logs, properties }: ServerDeployment, props: SparkHistoryServerProps): PodTemplate {
  const { memory = DEFAULT_MEMORY, cpu = 0.5, cache = DEFAULT_CACHE, javaOptions } = props;
  const { userId = SPARK_USER_ID, userIdFromPlatform } = props;
  const { volumes, mounts } = volumesOf(name, logs, sizeQuantity(cache), props.secrets);
  const heap = Math.floor(memory.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * 0.7);
  return {
    metadata: {
      labels: { ...props.podLabels, ...labels }, annotations: {
        ...props.podAnnotations, 'checksum/properties': createHash('sha256').update(properties).digest('hex').slice(0, 16),
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
        name: CONTAINER,
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
          ...(javaOptions === undefined ? [] : [{ name: 'SPARK_HISTORY_OPTS', value: javaOptions }]),
          ...Object.entries(logs.secretEnv).map(([variable, secretKeyRef]) => ({ name: variable, valueFrom: { secretKeyRef } })),
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
  };
}

/** The root file system is read-only: Java and Spark write to temporary volumes. */
function volumesOf(
  name: string, logs: EventLogSpec, cache: string, mounted: readonly SecretMount[] = [],
): { volumes: Volume[]; mounts: VolumeMount[] } {
  const own = Object.entries(logs.secretFiles).map(([secretName, path]) => ({ name: secretName, path }));
  const secrets = [...own, ...mounted].map((secret, index) => ({ name: `secret-${index + 1}`, secretName: secret.name, mountPath: secret.path }));
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
