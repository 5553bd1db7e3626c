import { Size } from 'cdk8s';

/**
 * Maximum resources of all pods of a namespace together. Unset resources are not limited.
 *
 * When the quota is exhausted, the API server rejects further pods: a driver then waits, and an
 * application runs with fewer executors.
 */
export interface JobNamespaceQuota {
  /**
   * CPU cores that pods can request: `coreRequest`, else `cores` of drivers and executors. CPU
   * limits are not restricted, because Spark sets none by default.
   *
   * @default - not limited
   */
  readonly cpu?: number;

  /**
   * Memory requests and limits, which Spark sets to the same value: heap and overhead of drivers
   * and executors.
   *
   * @default - not limited
   */
  readonly memory?: Size;

  /**
   * Pods that have not ended.
   *
   * @default - not limited
   */
  readonly pods?: number;

  /**
   * SparkApplications, including those that have ended and are not deleted yet: give them a time to
   * live. A quota that is created together with the CRD rejects all of them until Kubernetes counts
   * again, within five minutes.
   *
   * @default - not limited
   */
  readonly applications?: number;

  /**
   * NVIDIA GPUs that pods can request.
   *
   * @default - not limited
   */
  readonly gpus?: number;

  /**
   * Storage that volume claims can request.
   *
   * @default - not limited
   */
  readonly storage?: Size;

  /**
   * Further resources, with their names in a ResourceQuota, such as `count/services` or
   * `requests.amd.com/gpu`.
   *
   * @default - none
   */
  readonly others?: { [resource: string]: string };
}

/** Default and maximum resources of one container of a namespace. */
export interface JobNamespaceContainerLimits {
  /**
   * CPU request of a container that sets none, in cores.
   *
   * @default 0.1
   */
  readonly defaultCpu?: number;

  /**
   * Memory request and limit of a container that sets none. Drivers and executors always set them;
   * sidecars might not. A container that requests more must also set its limit.
   *
   * @default Size.mebibytes(512)
   */
  readonly defaultMemory?: Size;

  /**
   * Maximum CPU limit of a container, in cores. A container without a CPU limit gets this one.
   *
   * @default - not limited
   */
  readonly maxCpu?: number;

  /**
   * Maximum memory limit of a container.
   *
   * @default - not limited
   */
  readonly maxMemory?: Size;
}
