import type { SparkUIConfiguration } from './driver-exposure';
import type { DynamicAllocationSpec } from './dynamic-allocation';
import type { KindDefinition } from './kind';
import type { RestartBackoff } from './restart-policy';
import type { PodTemplateSpec, ServiceSpec } from '../k8s';

/** The kind as the API server knows it. */
export const SPARK_CONNECT: KindDefinition = {
  group: 'sparkoperator.k8s.io',
  version: 'v1alpha1',
  kind: 'SparkConnect',
  plural: 'sparkconnects',
  singular: 'sparkconnect',
  shortNames: ['sparkconn'],
  maxNameLength: 56,
  maxNameReason: 'as its server and Service are called <name>-server',
  creationRules: [{
    rule: "!self.metadata.name.matches('^[0-9]|[.]') || (has(self.spec.server.service) && has(self.spec.server.service.metadata) && has(self.spec.server.service.metadata.name))",
    message: 'metadata.name must begin with a letter and have no dots, as the Service of its server is called <name>-server: choose another name, or name the Service in spec.server.service.metadata.name',
  }],
  printerColumns: [
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
    { name: 'Status', jsonPath: '.status.state', type: 'string' },
    { name: 'PodName', jsonPath: '.status.server.podName', type: 'string' },
  ],
};

/** What a Spark Connect server is and what it needs, as in the `spec` of a `SparkConnect` manifest. */
export interface SparkConnectSpec {
  /** The version of Spark in the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * The image of server and executors.
   *
   * @default - none; then the containers of both templates must have one
   */
  readonly image?: string;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The fields of this specification win over them.
   *
   * @see https://spark.apache.org/docs/latest/configuration.html
   * @default - none
   * @validationFrom api/denied-conf SPARK_CONNECT_CONF_RULES
   */
  readonly sparkConf?: { [key: string]: string };

  /**
   * Hadoop properties. Each becomes the Spark property `spark.hadoop.<key>`.
   *
   * @default - none
   */
  readonly hadoopConf?: { [key: string]: string };

  /** The server, in which the driver of all sessions runs. */
  readonly server: SparkConnectServerSpec;

  /** The executors, which all sessions share. */
  readonly executor: SparkConnectExecutorSpec;

  /**
   * Let Spark add and remove executors with the load.
   *
   * @default - off; `executor.instances` executors run as long as the server
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /**
   * Whether server and executors are stopped, until this is `false` again. The Service stays.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Whether a server that has ended is started again.
   *
   * @default - always, after a wait that grows
   */
  readonly restartPolicy?: SparkConnectRestartPolicySpec;

  /**
   * Seconds without a session after which the SparkConnect is deleted with all that belongs to it.
   *
   * @default - never
   * @minimum 1
   * @format int64
   */
  readonly idleTimeToLiveSeconds?: number;

  /**
   * How Spark's web UI is reached from outside the cluster, besides the port of the server's Service.
   *
   * @default - as the operator is told
   */
  readonly sparkUIOptions?: SparkUIConfiguration;
}

/** What server and executors have in common. */
export interface SparkConnectPodSpec {
  /**
   * Cores that Spark counts on, and the CPU request.
   * @default - Spark's: 1
   * @minimum 1
   */
  readonly cores?: number;
  /**
   * Heap of the JVM as Spark writes sizes, such as `512m` or `4g`.
   * @default - Spark's: 1g
   * @validation [{"rule": "self.matches('^ *[0-9]+([bB]|[kKmMgGtTpP][bB]?)? *$')", "message": "must be a size as Spark writes it, such as 512m or 4g (not 4Gi)"}]
   */
  readonly memory?: string;
  /**
   * A pod that the server or executor starts from. Spark's container is the one named `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the first.
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   * @freeForm
   */
  readonly template?: PodTemplateSpec;
}

/** The server. */
export interface SparkConnectServerSpec extends SparkConnectPodSpec {
  /**
   * The Service through which clients reach the server.
   * @default - `<name>-server` of type ClusterIP
   */
  readonly service?: SparkConnectService;
}

/** The executors. */
export interface SparkConnectExecutorSpec extends SparkConnectPodSpec {
  /**
   * Number of executors.
   * @default - Spark's: 2
   * @minimum 0
   */
  readonly instances?: number;
}

/** The Service of a server, as a manifest of a Service has it. */
export interface SparkConnectService {
  /**
   * Says nothing; it is here for manifests that have it.
   * @default - none
   */
  readonly apiVersion?: string;
  /**
   * Says nothing; it is here for manifests that have it.
   * @default - none
   */
  readonly kind?: string;
  /**
   * Name, labels and annotations.
   * @default - the name `<name>-server`
   */
  readonly metadata?: SparkConnectServiceMetadata;
  /**
   * What the Service is besides. Its selector, and the ports of Spark, are the operator's.
   * @default - of type ClusterIP
   */
  readonly spec?: ServiceSpec;
}

/** Name, labels and annotations of the Service of a server. */
export interface SparkConnectServiceMetadata {
  /**
   * Name of the Service.
   * @default - `<name>-server`
   * @maxLength 63
   * @validation [{"rule": "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", "message": "must be the name of a Service: lower-case letters, digits and -, a letter first"}]
   */
  readonly name?: string;
  /**
   * Labels, besides the operator's.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
  /**
   * Annotations.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** When a server that has ended is started again. */
export enum SparkConnectRestartPolicyType {
  /** Always: clients expect a server. */
  ALWAYS = 'Always',
  /** Never. */
  NEVER = 'Never',
}

/** Whether a server that has ended is started again, and after which wait. */
export interface SparkConnectRestartPolicySpec {
  /**
   * When it is started again.
   * @default SparkConnectRestartPolicyType.ALWAYS
   */
  readonly type?: SparkConnectRestartPolicyType;
  /**
   * Seconds before the first start after the end.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly interval?: number;
  /**
   * How the wait grows from one end to the next.
   * @default - twofold, up to 300 seconds; it is the first one again when a server has run for 600 seconds
   */
  readonly backoff?: RestartBackoff;
}
