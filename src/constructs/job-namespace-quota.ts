import { Size } from 'cdk8s';

/**
 * What all pods of a namespace may take together. What is not written is not bounded.
 *
 * Where the quota is used up the API server refuses further pods: a driver then waits, and an application runs with fewer executors.
 */
export interface JobNamespaceQuota {
  /**
   * CPU cores that may be requested: `coreRequest`, else `cores` of drivers and executors. Limits of CPU are not bounded, as Spark sets none by itself.
   *
   * @default - not bounded
   */
  readonly cpu?: number;

  /**
   * Memory, requested and as a limit, which Spark sets to the same: heap and overhead of drivers and executors.
   *
   * @default - not bounded
   */
  readonly memory?: Size;

  /**
   * Pods that have not ended.
   *
   * @default - not bounded
   */
  readonly pods?: number;

  /**
   * SparkApplications, also those that have ended and have not been deleted yet: give them a time to live.
   * A quota that is created together with the CRD lets none be created until Kubernetes counts anew, within five minutes.
   *
   * @default - not bounded
   */
  readonly applications?: number;

  /**
   * GPUs of NVIDIA that may be requested.
   *
   * @default - not bounded
   */
  readonly gpus?: number;

  /**
   * Storage that volume claims may request.
   *
   * @default - not bounded
   */
  readonly storage?: Size;

  /**
   * Further resources, as a ResourceQuota names them, such as `count/services` or `requests.amd.com/gpu`.
   *
   * @default - none
   */
  readonly others?: { [resource: string]: string };
}

/** What one container of a namespace has if it does not say it, and may have at most. */
export interface JobNamespaceContainerLimits {
  /**
   * CPU cores that a container requests which does not say how many.
   *
   * @default 0.1
   */
  readonly defaultCpu?: number;

  /**
   * Memory that a container requests, and has as its limit, which does not say how much. Drivers and executors always say it; sidecars may not.
   * A container that requests more has to say its limit, too.
   *
   * @default Size.mebibytes(512)
   */
  readonly defaultMemory?: Size;

  /**
   * The most CPU cores that a container may have as its limit. With it a container without a limit of CPU gets this one.
   *
   * @default - not bounded
   */
  readonly maxCpu?: number;

  /**
   * The most memory that a container may have as its limit.
   *
   * @default - not bounded
   */
  readonly maxMemory?: Size;
}
