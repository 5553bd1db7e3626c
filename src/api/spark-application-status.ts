import type { ApplicationState, ConditionType, ExecutorState } from './states';

/** What the operator knows about an application, as in its `status`. */
export interface SparkApplicationStatus {
  /**
   * Spark's id of the application.
   * @default - not submitted yet
   */
  readonly sparkApplicationId?: string;
  /**
   * Id of the current submission. It is written before anything is created, and names what is created.
   * @default - not submitted yet
   */
  readonly submissionID?: string;
  /**
   * When the current submission began (RFC 3339).
   * @default - not submitted yet
   * @format date-time
   */
  readonly lastSubmissionAttemptTime?: string;
  /**
   * When the application ended (RFC 3339).
   * @default - not ended yet
   * @format date-time
   */
  readonly terminationTime?: string;
  /** The driver. */
  readonly driverInfo: DriverInfo;
  /**
   * The application's state.
   * @default - new
   */
  readonly applicationState?: ApplicationStateInfo;
  /**
   * State of each executor, by the name of its Pod.
   * @default - none
   */
  readonly executorState?: { [podName: string]: ExecutorState };
  /**
   * How often the driver was started.
   * @default 0
   */
  readonly executionAttempts?: number;
  /**
   * How often it was tried to start the driver.
   * @default 0
   */
  readonly submissionAttempts?: number;
  /**
   * `metadata.generation` of the application that this status is about.
   * @default - nobody has looked at it yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * The standard conditions: Submitted, Running, Completed, Failed, Suspended. One that has never been true is missing.
   * @default - none
   * @listMapKeys ["type"]
   */
  readonly conditions?: Condition[];
  /**
   * Stands for the specification that the current attempt was begun with. When the specification asks for something else the application is run again.
   * @default - no attempt has begun
   */
  readonly specHash?: string;
  /**
   * When the current attempt is ended at the latest (RFC 3339), by the `activeDeadlineSeconds` that it was begun with.
   * @default - it may take as long as it takes
   * @format date-time
   */
  readonly deadlineTime?: string;
  /**
   * What the current submission has from ConfigMaps with defaults, one entry for each ConfigMap.
   * @default - nothing
   */
  readonly appliedDefaults?: AppliedDefaults[];
}

/** What is true or not about an application, in Kubernetes' standard form (metav1.Condition). */
export interface Condition {
  /** What it is about. */
  readonly type: ConditionType;
  /** `True` or `False`. */
  readonly status: string;
  /** Why, in one word. */
  readonly reason: string;
  /** Why, in words; may be empty. */
  readonly message: string;
  /**
   * When `status` last changed (RFC 3339).
   * @format date-time
   */
  readonly lastTransitionTime: string;
  /**
   * `metadata.generation` of the application that it is about.
   * @default - unknown
   * @format int64
   */
  readonly observedGeneration?: number;
}

/** What a submission has from one ConfigMap with defaults. */
export interface AppliedDefaults {
  /** The ConfigMap, as `namespace/name`. */
  readonly configMap: string;
  /** The version of the ConfigMap that was applied. */
  readonly resourceVersion: string;
  /**
   * The fields that the application did not set, such as `spec.driver.memory`.
   * @default - none
   */
  readonly fields?: string[];
  /**
   * The fields that the ConfigMap enforces, where the application did not set the same.
   * @default - none
   */
  readonly enforcedFields?: string[];
  /**
   * How many more fields there are; at most 100 are listed.
   * @default 0
   */
  readonly more?: number;
}

/** The application's state and why it is in it. */
export interface ApplicationStateInfo {
  /** The state. */
  readonly state: ApplicationState;
  /**
   * Why the application failed or does not start, in words.
   * @default - nothing is wrong
   */
  readonly errorMessage?: string;
}

/** Where the driver is. */
export interface DriverInfo {
  /**
   * Name of the driver's Pod.
   * @default - not submitted yet
   */
  readonly podName?: string;
  /**
   * Name of the Service of the web UI.
   * @default - none
   */
  readonly webUIServiceName?: string;
  /**
   * Address of the web UI within the cluster, as `host:port`.
   * @default - none
   */
  readonly webUIAddress?: string;
  /**
   * Port of the web UI's Service.
   * @default - none
   */
  readonly webUIPort?: number;
  /**
   * Name of the Ingress, or of the HTTPRoute, of the web UI.
   * @default - none
   */
  readonly webUIIngressName?: string;
  /**
   * URL of the web UI outside the cluster.
   * @default - none
   */
  readonly webUIIngressAddress?: string;
}
