import type { SparkUIConfiguration } from './driver-exposure';
import type { DynamicAllocationSpec } from './dynamic-allocation';
import type { KindDefinition } from './kind';
import type { RestartBackoff } from './restart-policy';
import type { PodTemplateSpec, ServiceSpec } from '../k8s';

/** Definition of the kind. */
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
    rule: "!self.metadata.name.matches('^[0-9]|[.]') || (has(self.spec.server.service) && "
      + 'has(self.spec.server.service.metadata) && has(self.spec.server.service.metadata.name))',
    message: 'metadata.name must begin with a letter and have no dots, as the Service of its server is called <name>-server: '
      + 'choose another name, or name the Service in spec.server.service.metadata.name',
  }],
  printerColumns: [
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
    { name: 'Status', jsonPath: '.status.state', type: 'string' },
    { name: 'PodName', jsonPath: '.status.server.podName', type: 'string' },
  ],
};

/** Description of a Spark Connect server: the `spec` of a `SparkConnect` manifest. */
export interface SparkConnectSpec {
  /** Spark version of the image, such as `4.1.1`. */
  readonly sparkVersion: string;

  /**
   * Image of server and executors.
   *
   * @default - none; then the containers of both templates must have one
   */
  readonly image?: string;

  /**
   * Spark properties, such as `spark.sql.shuffle.partitions`. The fields of this specification take
   * precedence.
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

  /** The server, which runs the driver of all sessions. */
  readonly server: SparkConnectServerSpec;

  /** The executors, which all sessions share. */
  readonly executor: SparkConnectExecutorSpec;

  /**
   * Dynamic allocation, with which Spark adds and removes executors by load.
   *
   * @default - off; `executor.instances` executors run as long as the server
   */
  readonly dynamicAllocation?: DynamicAllocationSpec;

  /**
   * Whether server and executors are stopped, until this is `false`. The Service remains.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * When a server that has ended is restarted.
   *
   * @default - always, with a growing delay
   */
  readonly restartPolicy?: SparkConnectRestartPolicySpec;

  /**
   * Seconds without a session after which the SparkConnect is deleted with all its objects.
   *
   * @default - never
   * @minimum 1
   * @format int64
   */
  readonly idleTimeToLiveSeconds?: number;

  /**
   * Access to Spark's web UI from outside the cluster, in addition to the port of the server's
   * Service.
   *
   * @default - the operator's settings
   */
  readonly sparkUIOptions?: SparkUIConfiguration;
}

/** Settings that server and executors have in common. */
export interface SparkConnectPodSpec {
  /**
   * Cores of Spark, and the CPU request.
   * @default - Spark's: 1
   * @minimum 1
   */
  readonly cores?: number;
  /**
   * Heap of the JVM as Spark writes sizes, such as `512m` or `4g`, or as Kubernetes does, such as
   * `4Gi`.
   * @default - Spark's: 1g
   * @validationFrom model/memory-size SIZE_RULES
   */
  readonly memory?: string;
  /**
   * Pod template of the server or executor. Spark's container is the one named
   * `spark-kubernetes-driver` or `spark-kubernetes-executor`, else the first.
   * @see https://spark.apache.org/docs/latest/running-on-kubernetes.html#pod-template
   * @default - an empty pod
   * @freeForm
   */
  readonly template?: PodTemplateSpec;
}

/** The server. */
export interface SparkConnectServerSpec extends SparkConnectPodSpec {
  /**
   * The Service of the server, to which clients connect.
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

/** The Service of a server, in the form of its manifest. */
export interface SparkConnectService {
  /**
   * Not used; accepted for existing manifests.
   * @default - none
   */
  readonly apiVersion?: string;
  /**
   * Not used; accepted for existing manifests.
   * @default - none
   */
  readonly kind?: string;
  /**
   * Name, labels and annotations.
   * @default - the name `<name>-server`
   */
  readonly metadata?: SparkConnectServiceMetadata;
  /**
   * Further fields of the Service. The operator sets its selector and the ports of Spark.
   * @default - of type ClusterIP
   */
  readonly spec?: ServiceSpec;
  /**
   * Not used; accepted for existing manifests.
   * @default - none
   * @freeForm
   */
  readonly status?: { [key: string]: any };
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
   * Labels in addition to the operator's.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
  /**
   * Annotations.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Not used; accepted for existing manifests. The Service is in the namespace of the SparkConnect.
   * @default - none
   */
  readonly namespace?: string;
  /**
   * Not used; accepted for existing manifests.
   * @default - none
   */
  readonly finalizers?: string[];
}

/** When a server that has ended is restarted. */
export enum SparkConnectRestartPolicyType {
  /** Always: clients expect a server. */
  ALWAYS = 'Always',
  /** Never. */
  NEVER = 'Never',
}

/** When and after which delay a server that has ended is restarted. */
export interface SparkConnectRestartPolicySpec {
  /**
   * When the server is restarted.
   * @default SparkConnectRestartPolicyType.ALWAYS
   */
  readonly type?: SparkConnectRestartPolicyType;
  /**
   * Seconds before the first restart.
   * @default 5
   * @minimum 1
   * @format int64
   */
  readonly interval?: number;
  /**
   * How the delay grows with each restart.
   * @default - doubles, up to 300 seconds; a server that ran for 600 seconds resets it
   */
  readonly backoff?: RestartBackoff;
}
