/** The keys of a ConfigMap with defaults and limits. Each holds YAML; all may be missing. */
export const DEFAULTS_KEY = 'defaults.yaml';
export const ENFORCED_KEY = 'enforced.yaml';
export const LIMITS_KEY = 'limits.yaml';

/** A part of a specification, as it is written: checked against the CRD's schema, but for what is missing. */
export interface PartialSpec {
  readonly [field: string]: unknown;
}

/** What one ConfigMap says about applications. */
export interface Layer {
  /** `namespace/name`. */
  readonly configMap: string;
  /** The version that was read. */
  readonly resourceVersion: string;
  /** What counts where an application says nothing. */
  readonly defaults: PartialSpec;
  /** What counts whatever an application says. */
  readonly enforced: PartialSpec;
  /** What an application may not exceed. */
  readonly limits: Limits;
}

/** The ConfigMaps that count for an application: that of the operator's namespace, for all, and that of its own. */
export interface Layers {
  readonly cluster?: Layer;
  readonly namespace?: Layer;
}

/** What an application may not exceed. What is not there has no limit. */
export interface Limits {
  /** Executors at a time. With dynamic allocation `maxExecutors` counts, and must be there. */
  readonly maxExecutors?: number;
  readonly driver?: PodLimits;
  readonly executor?: PodLimits;
  /** Images of all containers, as globs. */
  readonly allowedImages?: readonly string[];
  /** Service accounts of driver and executors, as globs. A pod that names none has `default`. */
  readonly allowedServiceAccounts?: readonly string[];
  /** Keys that may not be in `sparkConf`, as globs. */
  readonly deniedSparkConf?: readonly string[];
  /** Types of Services, in Kubernetes' words; ClusterIP is always allowed. */
  readonly allowedServiceTypes?: readonly string[];
  /** Annotations of Services, Ingresses and HTTPRoutes, as globs. */
  readonly allowedServiceAnnotations?: readonly string[];
  /** Seconds after its end after which an application is deleted at the latest. One that says nothing gets this. */
  readonly maxTimeToLiveSeconds?: number;
  /** Retries of submission and of runs. `Always` is without end. */
  readonly maxRetries?: number;
  /** Minimum time between two runs of a schedule. */
  readonly minScheduleInterval?: Interval;
}

/** A duration. */
export interface Interval {
  /** As it is written. */
  readonly text: string;
  readonly milliseconds: number;
}

/** What one pod may not exceed. */
export interface PodLimits {
  /** Cores that Spark counts on, and request and limit of CPU. */
  readonly maxCores?: Bound;
  /** Memory of Spark's container, with all that is outside of the heap. */
  readonly maxMemory?: Bound;
}

/** The most of something. */
export interface Bound {
  /** As it is written. */
  readonly text: string;
  /** In billionths: of a core, of a byte. */
  readonly amount: bigint;
}

/** The defaults and limits of a namespace now. */
export type CurrentDefaults =
  | { readonly kind: 'ready'; readonly layers: Layers }
  /** Nothing may be submitted: a ConfigMap cannot be read, or has not been seen yet. The reason is for users. */
  | { readonly kind: 'unusable'; readonly reason: string; /** Those that can be read. @default - none */ readonly layers?: Layers };
