import { Duration, Size } from 'cdk8s';
import { ServiceType } from '../api/driver-exposure';

/** Maximum resources of one driver or one executor. */
export interface PodLimits {
  /**
   * CPU cores: `cores`, `coreRequest` and `coreLimit`.
   *
   * @default - not limited
   */
  readonly maxCores?: number;

  /**
   * Memory of Spark's container, including the overhead.
   *
   * @default - not limited
   */
  readonly maxMemory?: Size;
}

/**
 * Limits of applications: the operator fails an application that exceeds one, and reports the
 * reason. They prevent accidents; use quotas, Pod Security Standards and roles for security.
 */
export interface ApplicationLimits {
  /**
   * Maximum number of executors: `executor.instances`, and `maxExecutors` of dynamic allocation,
   * which is then required.
   *
   * @default - not limited
   */
  readonly maxExecutors?: number;

  /**
   * Maximum resources of the driver.
   *
   * @default - not limited
   */
  readonly driver?: PodLimits;

  /**
   * Maximum resources of each executor.
   *
   * @default - not limited
   */
  readonly executor?: PodLimits;

  /**
   * Allowed images, as globs such as `registry.example.org/*`.
   *
   * @default - all
   */
  readonly allowedImages?: string[];

  /**
   * Allowed service accounts of drivers and executors, as globs.
   *
   * @default - all of the namespace
   */
  readonly allowedServiceAccounts?: string[];

  /**
   * Keys of `sparkConf` that users cannot set, as globs such as `spark.kubernetes.*`.
   *
   * @default - none
   */
  readonly deniedSparkConf?: string[];

  /**
   * Allowed types of Services for the web UI, other ports of the driver, and Spark Connect servers.
   * `ClusterIP` is always allowed. With this limit, `externalIPs` are rejected, too.
   *
   * @default [ServiceType.CLUSTER_IP]
   */
  readonly allowedServiceTypes?: ServiceType[];

  /**
   * Allowed annotations of Services, Ingresses and HTTPRoutes, as globs such as `prometheus.io/*`;
   * an empty list allows none. By such annotations, other controllers assign names
   * (`external-dns.alpha.kubernetes.io/hostname`) and addresses.
   *
   * @default - all
   */
  readonly allowedServiceAnnotations?: string[];

  /**
   * Maximum time to live after the end; an application without one gets this.
   *
   * Warning: the operator deletes applications that ended longer ago as soon as it reads this
   * limit.
   *
   * @default - not limited
   */
  readonly maxTimeToLive?: Duration;

  /**
   * Maximum number of retries of an application, and of its submission.
   *
   * @default - not limited
   */
  readonly maxRetries?: number;

  /**
   * Minimum time between two runs of a schedule; a more frequent one is rejected.
   *
   * @default - that of the operator, `minScheduleInterval`
   */
  readonly minScheduleInterval?: Duration;
}
