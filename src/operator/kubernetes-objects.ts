/**
 * The Kubernetes objects that the operator builds, in the shape in which the API server takes them (JSON).
 * Only the fields that are built are here; names and meaning are Kubernetes' own.
 */

import type { ObjectMeta } from './kube/objects';

/** String to string, as labels, annotations and selectors are. */
export interface StringMap {
  [key: string]: string;
}

/** An environment variable: a value, or the name of a field of the pod. */
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { fieldRef: { apiVersion: string; fieldPath: string } };
}

/** A port on which a container listens. */
export interface ContainerPort {
  name: string;
  containerPort: number;
  protocol: 'TCP';
}

/** CPU and memory as Kubernetes quantities. */
export interface ResourceRequirements {
  requests?: StringMap;
  limits?: StringMap;
}

/** Where a volume appears in a container. */
export interface VolumeMount {
  name: string;
  mountPath: string;
}

/** A container. */
export interface Container {
  name: string;
  image?: string;
  imagePullPolicy?: string;
  args?: string[];
  env?: EnvVar[];
  ports?: ContainerPort[];
  resources?: ResourceRequirements;
  securityContext?: { allowPrivilegeEscalation?: boolean };
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  volumeMounts?: VolumeMount[];
}

/** A key of a ConfigMap and the file that it becomes. */
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
}

/** A volume: an empty directory or the files of a ConfigMap. */
export interface Volume {
  name: string;
  emptyDir?: { medium?: 'Memory' };
  configMap?: { name: string; items?: KeyToPath[] };
}

/** What a pod runs. */
export interface PodSpec {
  containers: Container[];
  volumes?: Volume[];
  restartPolicy?: 'Never';
  nodeSelector?: StringMap;
  imagePullSecrets?: { name: string }[];
  schedulerName?: string;
  serviceAccount?: string;
  serviceAccountName?: string;
  enableServiceLinks?: boolean;
}

/** A pod. */
export interface Pod {
  apiVersion: 'v1';
  kind: 'Pod';
  metadata: ObjectMeta;
  spec: PodSpec;
}

/** A port of a Service. */
export interface ServicePort {
  name: string;
  port: number;
  targetPort: number;
  appProtocol?: string;
}

/** A Service. */
export interface Service {
  apiVersion: 'v1';
  kind: 'Service';
  metadata: ObjectMeta;
  spec: {
    clusterIP?: string;
    ipFamilyPolicy?: string;
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
    selector: StringMap;
    ports: ServicePort[];
  };
}

/** A ConfigMap. */
export interface ConfigMap {
  apiVersion: 'v1';
  kind: 'ConfigMap';
  metadata: ObjectMeta;
  data: StringMap;
  immutable?: boolean;
}
