import { ApiObjectMetadata, Duration } from 'cdk8s';
import { ISparkJobNamespace } from '../props/job-namespace';
import { SparkPodProps } from '../props/spark-pod-props';
import { SparkProfile } from '../props/spark-profile';
import { SparkWorkloadProps } from '../props/spark-workload-props';
import { SparkConnectRestartPolicy } from './spark-connect-restart-policy';
import { ServiceType } from '../api/driver-exposure';

/** A Spark Connect server and its executors. Without `executor.instances` it has two executors. */
export interface SparkConnectProps extends SparkWorkloadProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Settings for many workloads. The other props take precedence. Its `driver` applies to the
   * server; settings that only applications have are without effect.
   *
   * @default - none
   */
  readonly profile?: SparkProfile;

  /**
   * Namespace in which the server runs. It decides about the service account if the server does
   * not, and its limits and quota apply at synthesis.
   *
   * @default - that of `metadata` or the chart, without these checks
   */
  readonly jobNamespace?: ISparkJobNamespace;

  /**
   * Whether synthesis rejects the server also for warnings: about fields that others override, or
   * that have no effect.
   *
   * @default false
   */
  readonly strict?: boolean;

  /**
   * The server, which runs the driver of all sessions.
   *
   * @default - 1 core, 1 GiB of heap, and the service account `spark`
   */
  readonly server?: SparkConnectServerProps;

  /**
   * Whether a server that has ended starts again.
   *
   * @default SparkConnectRestartPolicy.always()
   */
  readonly restartPolicy?: SparkConnectRestartPolicy;

  /**
   * Whether server and executors are stopped. The Service remains.
   *
   * @default false
   */
  readonly suspend?: boolean;

  /**
   * Time without a session after which the SparkConnect is deleted with its objects.
   *
   * @default - never
   */
  readonly idleTimeToLive?: Duration;
}

/** Settings of the server. */
export interface SparkConnectServerProps extends SparkPodProps {
  /**
   * Name of the server's service account. It must be allowed to manage executors.
   *
   * @default - `spark`, which `SparkOperator` creates in each job namespace, unless the template
   * sets one
   */
  readonly serviceAccount?: string;

  /**
   * The Service through which clients reach the server.
   *
   * @default - `<name>-server` of type ClusterIP
   */
  readonly service?: SparkConnectServiceProps;
}

/** The Service through which clients reach the server. */
export interface SparkConnectServiceProps {
  /**
   * Name of the Service.
   *
   * @default - `<name>-server`
   */
  readonly name?: string;

  /**
   * Type of the Service.
   *
   * @default ServiceType.CLUSTER_IP
   */
  readonly type?: ServiceType;

  /**
   * Labels in addition to the operator's.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations, such as those for a cloud's load balancer.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}
