import type { Duration } from 'cdk8s';
import type { ScheduledSparkApplicationSpec } from '../api/scheduled-spark-application';
import type { ScheduledSparkApplicationStatus } from '../api/scheduled-spark-application-status';
import type { SparkApplicationSpec } from '../api/spark-application';
import type { SparkApplicationStatus } from '../api/spark-application-status';
import type { ObjectMeta } from '../kube/objects';

declare global {
  // For those whose compiler has neither the types of Node nor those of browsers; with either, these add nothing.
  interface AbortSignal {}
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Which cluster. */
export interface ClusterChoice {
  /** @default - as kubectl: $KUBECONFIG, else ~/.kube/config; if there is neither, the service account of the pod */
  readonly kubeconfig?: string;
  /** Context within the kubeconfig. @default - its current one */
  readonly context?: string;
}

/** Where a client connects to. */
export interface ConnectOptions extends ClusterChoice {
  /** The namespace that is meant when none is named. @default - that of the kubeconfig's context or of the pod, else `default` */
  readonly namespace?: string;
}

/** What every object of a namespace has. */
export type NamespacedMeta = ObjectMeta & { readonly namespace: string; readonly uid: string };

/** A SparkApplication as the API server had it at some moment. */
export interface SparkApplicationObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: NamespacedMeta;
  readonly spec: SparkApplicationSpec;
  /** @default - nobody has looked at it yet */
  readonly status?: SparkApplicationStatus;
}

/** A ScheduledSparkApplication as the API server had it at some moment. */
export interface ScheduledSparkApplicationObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: NamespacedMeta;
  readonly spec: ScheduledSparkApplicationSpec;
  /** @default - nobody has looked at it yet */
  readonly status?: ScheduledSparkApplicationStatus;
}

/**
 * Which object: its name, its name and namespace, or an object that the client has given. With the latter that very object is meant, not another one that has got
 * its name since.
 */
export type ObjectRef = string | { readonly name: string; readonly namespace?: string } | { readonly metadata: NamespacedMeta };

/** The name and the labels of what is created. Either `name` or `generateName` is needed. */
export interface Target {
  /** Name of the object. */
  readonly name?: string;
  /** The beginning of a name that is made: letters and digits are added that nobody else has. */
  readonly generateName?: string;
  /** @default - the client's namespace */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: { readonly [key: string]: string };
  /** @default - none */
  readonly annotations?: { readonly [key: string]: string };
}

/** Settings of a submission. */
export interface SubmitOptions extends CallSettings {
  /**
   * What stands for this wish, such as the id of the pipeline's run: whoever submits the same name with the same id gets the application that is there, instead of an
   * error or a second one. So a step that was started again finds what it has begun.
   *
   * @default - a random one
   */
  readonly requestId?: string;
}

/** What every call can be told. */
export interface CallSettings {
  /** Ends the call, which then rejects with the signal's reason. @default - it is not ended */
  readonly signal?: AbortSignal;
}

/** A SparkApplication in the manifest's own shape. */
export interface SparkApplicationManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Target;
  readonly spec: SparkApplicationSpec;
}

/** A ScheduledSparkApplication in the manifest's own shape. */
export interface ScheduledSparkApplicationManifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Omit<Target, 'generateName'> & { readonly name: string };
  readonly spec: ScheduledSparkApplicationSpec;
}

/** Which applications. */
export interface Selection extends CallSettings {
  /** @default - the client's namespace */
  readonly namespace?: string;
  /** Those of all namespaces. @default false */
  readonly allNamespaces?: boolean;
  /** Only those with these labels, such as `team=data,env!=test`. @default - all */
  readonly labelSelector?: string;
}

/** What happened to an application. When it is `deleted`, the application is as it was last. */
export interface ApplicationEvent {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly application: SparkApplicationObject;
}

/** For what is waited. */
export type Until = 'ended' | 'running' | ((application: SparkApplicationObject) => boolean);

/** How it is waited. */
export interface WaitOptions<U extends Until = Until> extends CallSettings {
  /** `ended`: for its end; `running`: until its driver runs; or until a function of what is seen of it is true. All of them end with the application, too. @default 'ended' */
  readonly until?: U;
  /** How long it is waited at most. @default - as long as it takes */
  readonly timeout?: Duration;
}

/** How the log of a driver is read. */
export interface LogOptions extends CallSettings {
  /** Go on until the application has ended, over attempts and over lost connections. @default false */
  readonly follow?: boolean;
  /** Begin with this many lines before the end of what is there. @default - all of it */
  readonly tailLines?: number;
}

/** How an application is cancelled. */
export interface CancelOptions extends CallSettings {
  /** Suspend it instead of deleting it: nothing of it runs, and it can be resumed. @default false */
  readonly keep?: boolean;
}

/** How a run is asked for. */
export interface RunNowOptions extends CallSettings {
  /** How long it is waited for the operator to begin it. @default - one minute */
  readonly timeout?: Duration;
}
