import type { ApplicationState, AttemptResult, AttemptTrigger, ConditionType, ExecutorState } from './states';

/** Status of a SparkApplication. */
export interface SparkApplicationStatus {
  /**
   * Spark's id of the application.
   * @default - not submitted yet
   */
  readonly sparkApplicationId?: string;
  /**
   * Id of the current submission. The operator writes it before it creates objects, and names them
   * with it.
   * @default - not submitted yet
   */
  readonly submissionID?: string;
  /**
   * When the current submission started (RFC 3339).
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
   * State of each executor, by the name of its Pod. The operator leaves out the executors that have
   * ended first, and then the newest, if the map would have more than 44 KiB of JSON, or more
   * entries than `--max-tracked-executor-per-app`.
   * @default - none
   */
  readonly executorState?: { [podName: string]: ExecutorState };
  /**
   * Number of starts of the driver.
   * @default 0
   */
  readonly executionAttempts?: number;
  /**
   * Number of attempts to start the driver.
   * @default 0
   */
  readonly submissionAttempts?: number;
  /**
   * `metadata.generation` of the application that the operator last reconciled.
   * @default - not reconciled yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * Standard conditions: Submitted, Running, Completed, Failed, Suspended. A condition that has
   * never been true is missing.
   * @default - none
   * @listMapKeys ["type"]
   */
  readonly conditions?: Condition[];
  /**
   * Hash of the specification of the current attempt. If the specification changes, the application
   * is restarted.
   * @default - no attempt has started
   */
  readonly specHash?: string;
  /**
   * Deadline of the current attempt (RFC 3339), from the `activeDeadlineSeconds` with which it
   * started.
   * @default - no deadline
   * @format date-time
   */
  readonly deadlineTime?: string;
  /**
   * When the operator gives up on a driver that cannot be created or does not start (RFC 3339).
   * Present while something needs user action, such as a missing image.
   * @default - the driver has started, or waits for something that comes by itself
   * @format date-time
   */
  readonly startDeadlineTime?: string;
  /**
   * Fields of the current submission that come from ConfigMaps with defaults, one entry per
   * ConfigMap.
   * @default - none
   */
  readonly appliedDefaults?: AppliedDefaults[];
  /**
   * Attempts to run the application, oldest first: the first one and the latest ones, at most 20
   * and 12 KiB of JSON. The latest might be active.
   * @default - no attempt has started
   */
  readonly attemptHistory?: AttemptRecord[];
  /**
   * Number of attempts between the first one and the others in `attemptHistory` that it does not
   * list.
   * @default 0
   */
  readonly omittedAttempts?: number;
}

/** One attempt to run an application. */
export interface AttemptRecord {
  /**
   * Number of the attempt, counted from 1 over the whole life of the application. Unlike
   * `submissionAttempts`, it also increases after a suspension or an edit.
   */
  readonly number: number;
  /** Id of the submission, which is a label of the attempt's Pods. */
  readonly submissionID: string;
  /**
   * Why the attempt began.
   * @default - another operator, or a version without this field, began it
   */
  readonly trigger?: AttemptTrigger;
  /**
   * When the operator began the submission (RFC 3339).
   * @format date-time
   */
  readonly submissionTime: string;
  /**
   * Creation of the driver's Pod (RFC 3339).
   * @default - not created yet
   * @format date-time
   */
  readonly driverCreationTime?: string;
  /**
   * When a node accepted the driver's Pod (RFC 3339, by the clock of the node).
   * @default - no node yet
   * @format date-time
   */
  readonly driverScheduledTime?: string;
  /**
   * Start of the driver's container (RFC 3339, by the clock of its node).
   * @default - not started yet
   * @format date-time
   */
  readonly driverStartTime?: string;
  /**
   * End of the attempt (RFC 3339).
   * @default - the attempt is active, or another operator did not record its end
   * @format date-time
   */
  readonly endTime?: string;
  /**
   * Name of the driver's Pod.
   * @default - the driver was not created
   */
  readonly driverPodName?: string;
  /**
   * Node of the driver.
   * @default - no node yet
   */
  readonly nodeName?: string;
  /**
   * Exit code of the driver.
   * @default - the driver has not ended, or its end is unknown
   */
  readonly exitCode?: number;
  /**
   * How the attempt ended.
   * @default - the attempt is active
   */
  readonly result?: AttemptResult;
  /**
   * Cause of a failure in one line; at most 200 characters.
   * @default - no failure
   */
  readonly cause?: string;
  /**
   * Executors of the attempt.
   * @default - none
   */
  readonly executors?: AttemptExecutors;
}

/** Executors of one attempt. */
export interface AttemptExecutors {
  /**
   * Number of executors that the specification requests.
   * @default - dynamic allocation determines it
   */
  readonly requested?: number;
  /**
   * Maximum number of executors that ran at the same time.
   * @default 0
   */
  readonly peak?: number;
  /**
   * Start of the first executor's container (RFC 3339, by the clock of its node).
   * @default - none has started
   * @format date-time
   */
  readonly firstStartTime?: string;
  /**
   * Number of executors that failed before the attempt ended, without those that ended because they
   * were deleted: Spark also removes idle executors in this way.
   * @default 0
   */
  readonly failed?: number;
  /**
   * Reasons of these failures, at most 5; the last one can be `Other`.
   * @default - none
   */
  readonly failures?: ExecutorFailures[];
}

/** Executors of an attempt that failed for the same reason. */
export interface ExecutorFailures {
  /** Reason of the container's or the Pod's end, such as `OOMKilled` or `Evicted`. */
  readonly reason: string;
  /**
   * Exit code of the container.
   * @default - unknown
   */
  readonly exitCode?: number;
  /** Number of executors. */
  readonly count: number;
}

/** A condition of an application in Kubernetes' standard form (metav1.Condition). */
export interface Condition {
  /** Type of the condition. */
  readonly type: ConditionType;
  /** `True` or `False`. */
  readonly status: string;
  /** Reason as one word. */
  readonly reason: string;
  /** Message for people; can be empty. */
  readonly message: string;
  /**
   * When `status` last changed (RFC 3339).
   * @format date-time
   */
  readonly lastTransitionTime: string;
  /**
   * `metadata.generation` of the application that the condition is about.
   * @default - unknown
   * @format int64
   */
  readonly observedGeneration?: number;
}

/** Fields that a submission got from one ConfigMap with defaults. */
export interface AppliedDefaults {
  /** The ConfigMap, as `namespace/name`. */
  readonly configMap: string;
  /** Resource version of the applied ConfigMap. */
  readonly resourceVersion: string;
  /**
   * Default fields that the application did not set, such as `spec.driver.memory`.
   * @default - none
   */
  readonly fields?: string[];
  /**
   * Enforced fields for which the application did not set the same value.
   * @default - none
   */
  readonly enforcedFields?: string[];
  /**
   * Number of further fields; at most 100 are listed.
   * @default 0
   */
  readonly more?: number;
}

/** State of an application and its reason. */
export interface ApplicationStateInfo {
  /** The state. */
  readonly state: ApplicationState;
  /**
   * Why the application failed or does not start.
   * @default - no error
   */
  readonly errorMessage?: string;
}

/** Addresses of the driver. */
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
