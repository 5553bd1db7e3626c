import { Duration } from 'cdk8s';
import { BatchScheduler } from './batch-scheduler';
import { Monitoring } from './monitoring';
import { RestartPolicy } from './restart-policy';
import { SparkDriverProps } from './spark-pod-props';
import { SparkWorkloadProps } from './spark-workload-props';

/** Settings that many applications share. */
export interface SparkProfileProps extends SparkWorkloadProps {
  /**
   * Pod of the driver.
   *
   * @default - 1 core, 1 GiB of heap, and the service account `spark`
   */
  readonly driver?: SparkDriverProps;

  /**
   * Whether, when and how often the application runs again.
   *
   * @default RestartPolicy.never()
   */
  readonly restartPolicy?: RestartPolicy;

  /**
   * Maximum duration of an attempt, from the creation of its driver to its end. An attempt that
   * exceeds it has failed, and `restartPolicy` decides about another one.
   *
   * @default - no limit
   */
  readonly activeDeadline?: Duration;

  /**
   * Time after its end when the application is deleted with its objects.
   *
   * @default - the operator's, else never
   */
  readonly timeToLive?: Duration;

  /**
   * Metrics of the application.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;

  /**
   * Scheduler that starts driver and executors together. The operator must have batch scheduling
   * enabled.
   *
   * @default - none; the cluster's scheduler starts pod by pod
   */
  readonly batchScheduler?: BatchScheduler;

  /**
   * Whether a PodDisruptionBudget protects the driver from eviction.
   *
   * @default - the operator's
   */
  readonly driverPodDisruptionBudget?: boolean;

  /**
   * Class-data archive of the image, with which driver and executors start faster: `auto` for the
   * one that `sparkctl image` puts into an image, or the path of its folder.
   *
   * @default - none
   */
  readonly fastStart?: string;

  /**
   * User name with which Spark accesses Hadoop.
   *
   * @default - the operator's Spark user
   */
  readonly proxyUser?: string;
}
