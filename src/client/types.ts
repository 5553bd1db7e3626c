import type { Duration } from 'cdk8s';
import type { ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../api/scheduled-spark-application-status';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { SparkApplicationStatus } from '../api/spark-application-status';
import type { ObjectMeta } from '../kube/objects';

declare global {
  // For compilers without the types of Node and of browsers; with either, these declarations add
  // nothing.
  interface AbortSignal {}
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Connection to a cluster. */
export interface ClusterChoice {
  /**
   * @default - as kubectl: $KUBECONFIG, else ~/.kube/config; if neither exists, the service account
   * of the pod
   */
  readonly kubeconfig?: string;
  /** Context within the kubeconfig. @default - its current one */
  readonly context?: string;
}

/** Options of a client. */
export interface ConnectOptions extends ClusterChoice {
  /**
   * Default namespace.
   *
   * @default - that of the kubeconfig's context or of the pod, else `default`
   */
  readonly namespace?: string;
}

/** Metadata of a namespaced object. */
export type NamespacedMeta = ObjectMeta & { readonly namespace: string; readonly uid: string };

/** SparkApplication in one version from the API server. */
export interface SparkApplicationObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: NamespacedMeta;
  readonly spec: SparkApplicationSpec;
  /** @default - the operator has not reconciled it yet */
  readonly status?: SparkApplicationStatus;
}

/** ScheduledSparkApplication in one version from the API server. */
export interface ScheduledSparkApplicationObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: NamespacedMeta;
  readonly spec: ScheduledSparkApplicationSpec;
  /** @default - the operator has not reconciled it yet */
  readonly status?: ScheduledSparkApplicationStatus;
}

/**
 * Reference to an object: its name, its name and namespace, or an object that the client returned.
 * The latter refers to that very object, and not to a later one of the same name.
 */
export type ObjectRef = string | { readonly name: string; readonly namespace?: string } | { readonly metadata: NamespacedMeta };

/** Name and labels of an object to create. Either `name` or `generateName` is required. */
export interface Target {
  /** Name of the object. */
  readonly name?: string;
  /** Prefix of a generated unique name. */
  readonly generateName?: string;
  /** @default - the client's namespace */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: { readonly [key: string]: string };
  /** @default - none */
  readonly annotations?: { readonly [key: string]: string };
}

/** Options of a submission. */
export interface SubmitOptions extends CallSettings {
  /**
   * Idempotency key of the submission: a text that is the same when a step is restarted and
   * different for each run, such as the id of the pipeline's run; 1 to 1,024 characters. A call
   * with the same name and key returns the existing application unchanged, also if the props
   * differ, instead of failing or creating a second one. With `generateName` the name follows from
   * the key.
   *
   * @default - a random one: each call creates an application
   */
  readonly requestId?: string;
}

/** Options of every call. */
export interface CallSettings {
  /** Aborts the call, which then rejects with the signal's reason. @default - it is not aborted */
  readonly signal?: AbortSignal;
}

/** SparkApplication in the shape of a manifest. */
export interface SparkApplicationManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Target;
  readonly spec: SparkApplicationSpec;
}

/** ScheduledSparkApplication in the shape of a manifest. */
export interface ScheduledSparkApplicationManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Omit<Target, 'generateName'> & { readonly name: string };
  readonly spec: ScheduledSparkApplicationSpec;
}

/** Selection of applications. */
export interface Selection extends CallSettings {
  /** @default - the client's namespace */
  readonly namespace?: string;
  /** Whether to select from all namespaces. @default false */
  readonly allNamespaces?: boolean;
  /** Label selector, such as `team=data,env!=test`. @default - all */
  readonly labelSelector?: string;
}

/** Change of an application. A `deleted` one contains the last version. */
export interface ApplicationEvent {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly application: SparkApplicationObject;
}

/** Condition to wait for. */
export type Until = 'ended' | 'running' | ((application: SparkApplicationObject) => boolean);

/** Options of `wait`. */
export interface WaitOptions<U extends Until = Until> extends CallSettings {
  /**
   * Condition: `ended`, `running` (its driver runs), or a function of the observed application. The
   * end of the application also ends the wait.
   *
   * @default 'ended'
   */
  readonly until?: U;
  /** Maximum time to wait. @default - no limit */
  readonly timeout?: Duration;
}

/** Options for reading the log of a driver. */
export interface LogOptions extends CallSettings {
  /**
   * Whether to continue until the application has ended, over attempts and lost connections.
   *
   * @default false
   */
  readonly follow?: boolean;
  /** Number of lines from the end of the existing log to start with. @default - all */
  readonly tailLines?: number;
}

/** Options of `cancel`. */
export interface CancelOptions extends CallSettings {
  /**
   * Whether to suspend it instead of deleting it: its run stops, and it can be resumed.
   *
   * @default false
   */
  readonly keep?: boolean;
}

/** Options of `runNow`. */
export interface RunNowOptions extends CallSettings {
  /** Maximum time to wait for the start of the run. @default - one minute */
  readonly timeout?: Duration;
}
