/** Keys of a ConfigMap with defaults and limits. Each contains YAML; all can be missing. */
export const DEFAULTS_KEY = 'defaults.yaml';
export const ENFORCED_KEY = 'enforced.yaml';
export const LIMITS_KEY = 'limits.yaml';

/** A partial specification as written. It matches the CRD's schema, except for missing fields. */
export interface PartialSpec {
  readonly [field: string]: unknown;
}

/** The content of one ConfigMap for applications. */
export interface Layer {
  /** The ConfigMap, as `namespace/name`. */
  readonly configMap: string;
  /** Name of the origin of limits in messages. @default - the ConfigMap */
  readonly origin?: string;
  /** The version that was read. */
  readonly resourceVersion: string;
  /** Values that apply if an application sets none. */
  readonly defaults: PartialSpec;
  /** Values that apply whatever an application sets. */
  readonly enforced: PartialSpec;
  /** Maximum values for applications. */
  readonly limits: Limits;
}

/**
 * The ConfigMaps that apply to an application: that of the operator's namespace, for all
 * applications, and that of its own namespace.
 */
export interface Layers {
  readonly cluster?: Layer;
  readonly namespace?: Layer;
}

/** Maximum values for applications. A missing field has no limit. */
export interface Limits {
  /**
   * Maximum number of concurrent executors. With dynamic allocation this limits `maxExecutors`,
   * which is then required.
   */
  readonly maxExecutors?: number;
  readonly driver?: PodLimits;
  readonly executor?: PodLimits;
  /** Images of all containers, as globs. */
  readonly allowedImages?: readonly string[];
  /** Service accounts of driver and executors, as globs. A pod without one has `default`. */
  readonly allowedServiceAccounts?: readonly string[];
  /** Keys that `sparkConf` must not contain, as globs. */
  readonly deniedSparkConf?: readonly string[];
  /** Types of Services, in Kubernetes' words; ClusterIP is always allowed. */
  readonly allowedServiceTypes?: readonly string[];
  /** Annotations of Services, Ingresses and HTTPRoutes, as globs. */
  readonly allowedServiceAnnotations?: readonly string[];
  /**
   * Maximum seconds to keep a finished application. It is the default for applications that set
   * none.
   */
  readonly maxTimeToLiveSeconds?: number;
  /** Maximum retries of submission and of runs. `Always` is unlimited. */
  readonly maxRetries?: number;
  /** Minimum time between two runs of a schedule. */
  readonly minScheduleInterval?: Interval;
}

/** A duration. */
export interface Interval {
  /** The duration as written. */
  readonly text: string;
  readonly milliseconds: number;
}

/** Maximum values for one pod. */
export interface PodLimits {
  /** Cores for Spark, and request and limit of CPU. */
  readonly maxCores?: Bound;
  /** Memory of Spark's container, including all memory outside the heap. */
  readonly maxMemory?: Bound;
}

/** A maximum value. */
export interface Bound {
  /** The value as written. */
  readonly text: string;
  /** The value in billionths of a core or byte. */
  readonly amount: bigint;
}

/** The current defaults and limits of a namespace. */
export type CurrentDefaults =
  | { readonly kind: 'ready'; readonly layers: Layers }
  /**
   * Nothing can be submitted: a ConfigMap is invalid, or has not been read yet. The reason is for
   * users.
   */
  | { readonly kind: 'unusable'; readonly reason: string; /** Those that can be read. @default - none */ readonly layers?: Layers };
