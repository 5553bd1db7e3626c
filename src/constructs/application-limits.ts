import { Duration, Size } from 'cdk8s';
import { ServiceType } from '../api/driver-exposure';

/** What one driver, or one executor, may have at most. */
export interface PodLimits {
  /**
   * CPU cores: `cores`, `coreRequest` and `coreLimit`.
   *
   * @default - not limited
   */
  readonly maxCores?: number;

  /**
   * Memory of Spark's container, with the overhead.
   *
   * @default - not limited
   */
  readonly maxMemory?: Size;
}

/**
 * What an application may not exceed: an application that does fails with a sentence that says so. Meant against accidents; what must
 * never happen a quota, Pod Security Standards and roles prevent.
 */
export interface ApplicationLimits {
  /**
   * Executors: `executor.instances`, and `maxExecutors` of a dynamic allocation, which then has to be there.
   *
   * @default - not limited
   */
  readonly maxExecutors?: number;

  /**
   * The driver.
   *
   * @default - not limited
   */
  readonly driver?: PodLimits;

  /**
   * Each executor.
   *
   * @default - not limited
   */
  readonly executor?: PodLimits;

  /**
   * Images that may be used, as globs such as `registry.example.org/*`.
   *
   * @default - all
   */
  readonly allowedImages?: string[];

  /**
   * Service accounts that drivers and executors may have, as globs.
   *
   * @default - all of the namespace
   */
  readonly allowedServiceAccounts?: string[];

  /**
   * Keys of `sparkConf` that users may not write, as globs such as `spark.kubernetes.*`.
   *
   * @default - none
   */
  readonly deniedSparkConf?: string[];

  /**
   * Types of Services that applications may ask for, for their web UI, other ports of the driver, and Spark Connect servers. `ClusterIP` is always allowed. With this limit, `externalIPs` are
   * refused, too.
   *
   * @default [ServiceType.CLUSTER_IP]
   */
  readonly allowedServiceTypes?: ServiceType[];

  /**
   * Annotations of Services, Ingresses and HTTPRoutes that applications may write, as globs such as `prometheus.io/*`; an empty list allows none. By such annotations other controllers give out
   * names (`external-dns.alpha.kubernetes.io/hostname`) and addresses.
   *
   * @default - all
   */
  readonly allowedServiceAnnotations?: string[];

  /**
   * The longest time to live after its end; an application without one gets this.
   *
   * Warning: applications that ended longer ago are deleted as soon as the operator reads it.
   *
   * @default - not limited
   */
  readonly maxTimeToLive?: Duration;

  /**
   * The most retries of an application, and of its submission.
   *
   * @default - not limited
   */
  readonly maxRetries?: number;

  /**
   * The shortest time between two runs of a schedule; one that runs more often is rejected.
   *
   * @default - that of the operator, `minScheduleInterval`
   */
  readonly minScheduleInterval?: Duration;
}
