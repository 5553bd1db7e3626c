import {
  duration, instanceOf, keys, named, number, object, oneOf, size, text, textOrNumber, texts, truth, type PropType,
} from './_prop-types';
import { ImagePullPolicy } from '../api/spark-application';
import type { CommonPodProps } from './common-pod-props';
import type { SparkDriverProps, SparkExecutorProps, SparkPodProps } from './spark-pod-props';
import type { SparkProfileProps } from './spark-profile-props';
import type { SparkWorkloadProps } from './spark-workload-props';

/** A type for each prop. The schemas check objects of Kubernetes and words. @internal */
export type PropTypesOf<T> = { readonly [prop in keyof T]-?: PropType };

/** @internal */
export const COMMON_POD_PROP_TYPES = {
  env: texts, secretEnv: keys, extraEnv: [object], envFrom: [object], secrets: [object], configMaps: [object], volumeMounts: [named],
  nodeSelector: texts, affinity: object, tolerations: [object], priorityClassName: text, schedulerName: text,
  podSecurityContext: object, securityContext: object, sidecars: [object], initContainers: [object], lifecycle: object,
  terminationGracePeriod: duration, hostAliases: [object], dnsConfig: object, shareProcessNamespace: truth,
} as const satisfies PropTypesOf<CommonPodProps>;

/** @internal */
export const POD_PROP_TYPES = {
  ...COMMON_POD_PROP_TYPES,
  cores: number, coreRequest: textOrNumber, coreLimit: textOrNumber, memory: size, memoryOverhead: size, memoryOverheadFactor: number,
  gpu: { name: text, quantity: number }, image: text, labels: texts, annotations: texts, javaOptions: text,
  ports: [{ name: text, port: number, protocol: text }], hostNetwork: truth, template: object,
} as const satisfies PropTypesOf<SparkPodProps>;

const DRIVER_PROP_TYPES = {
  ...POD_PROP_TYPES,
  memoryLimit: size, serviceAccount: text, podName: text, kubernetesMaster: text, serviceAnnotations: texts, serviceLabels: texts,
} as const satisfies PropTypesOf<SparkDriverProps>;

const EXECUTOR_PROP_TYPES = {
  ...POD_PROP_TYPES, instances: number, deleteOnTermination: truth, serviceAccount: text,
} as const satisfies PropTypesOf<SparkExecutorProps>;

/** @internal */
export const SERVICE_PROP_TYPES = {
  portName: text, serviceType: text, serviceAnnotations: texts, serviceLabels: texts, ingressAnnotations: texts, ingressTls: [object],
} as const;

/** @internal */
export const WORKLOAD_PROP_TYPES = {
  sparkVersion: text, image: text, imagePullPolicy: oneOf(Object.values(ImagePullPolicy)),
  imagePullSecrets: [text], pods: POD_PROP_TYPES, executor: EXECUTOR_PROP_TYPES,
  dynamicAllocation: instanceOf('DynamicAllocation', '_toAllocation'), sparkConf: texts, hadoopConf: texts, sparkConfigMap: text,
  hadoopConfigMap: text,
  deps: {
    jars: [text], files: [text], pyFiles: [text], archives: [text], packages: [text], excludePackages: [text], repositories: [text],
  },
  openLineage: { url: text, namespace: text, listenerPackage: text }, volumes: [named],
  localDirs: [instanceOf('LocalDir', '_toVolume')], memoryOverheadFactor: number, nodeSelector: texts, ui: { ...SERVICE_PROP_TYPES, port: number },
} as const satisfies PropTypesOf<SparkWorkloadProps>;

/** @internal */
export const PROFILE_PROP_TYPES = {
  ...WORKLOAD_PROP_TYPES,
  driver: DRIVER_PROP_TYPES, restartPolicy: instanceOf('RestartPolicy', '_toRestartPolicy'), activeDeadline: duration, timeToLive: duration,
  monitoring: instanceOf('Monitoring', '_toMonitoring'), batchScheduler: instanceOf('BatchScheduler', '_toScheduler'),
  driverPodDisruptionBudget: truth, fastStart: text, proxyUser: text,
} as const satisfies PropTypesOf<SparkProfileProps>;
