/*
 * JSON messages between the console's server and its page. Texts of the cluster are not escaped:
 * the page must escape them. Times are milliseconds since 1970.
 */

/** Application, as a row of the list. */
export interface ApplicationRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** As in the status; empty before the first reconcile. */
  readonly state: string;
  /** Whether it has a status although its state is empty, as while its driver waits for a quota. */
  readonly reconciled?: true;
  /** Whether it has ended or is suspended, and a later change still needs an operator. */
  readonly changed?: true;
  /** Whether another operator than the one of `noOperator` wrote its status. */
  readonly otherOperator?: true;
  /** Reason for a failure, or for a start that is delayed. */
  readonly reason?: string;
  /** Reason of the state in a few words, such as `ImagePullBackOff`; from the status alone. */
  readonly shortReason?: string;
  /** Whether it failed or does not progress. The page ignores old failures. */
  readonly attention?: true;
  /** Time after which it needs attention if nothing changes, and the reason from then on. */
  readonly slow?: { readonly at: number; readonly reason: string };
  /** Time of the next attempt. */
  readonly retryAt?: number;
  readonly created: number;
  /** Start of the latest attempt. */
  readonly begun?: number;
  /** End of the latest attempt. */
  readonly ended?: number;
  /** Attempts since the last submission, edit, resume or rerun; also while it is suspended. */
  readonly attempts: number;
  /** Numbers of executors by state. */
  readonly executors?: ExecutorCounts;
  /** Number of executors that the specification requests; absent with dynamic allocation. */
  readonly requested?: number;
  readonly type?: string;
  readonly sparkVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Name of the schedule that created it. */
  readonly schedule?: string;
  /** Scheduled time of this run. */
  readonly scheduledAt?: number;
  /** Whether `spec.suspend` is true. */
  readonly suspended?: true;
  /** Whether it has a deletion timestamp. */
  readonly deleting?: true;
}

/** Numbers of executors by state. */
export interface ExecutorCounts {
  readonly pending: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  /** Those that are gone, such as idle ones that Spark removed. @default 0 */
  readonly unknown?: number;
}

/** Schedule, as a row of the list. */
export interface ScheduleRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly created: number;
  /** Cron expression. */
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspended?: true;
  /** Policy about a run while another is active. @default - Allow */
  readonly concurrencyPolicy?: string;
  /** Whether another operator than the one of `noOperator` wrote its status. */
  readonly otherOperator?: true;
  readonly lastRun?: number;
  readonly lastRunName?: string;
  /**
   * Finished runs from its status, oldest first, at most 20; some are deleted by now. Active runs
   * are among the applications.
   */
  readonly finished?: readonly FinishedRun[];
  readonly nextRun?: number;
  /** As in the status: Scheduled, FailedValidation, … */
  readonly state: string;
  /** Why it starts no runs although it is active and has an operator. */
  readonly reason?: string;
  /** The same in a few words. */
  readonly shortReason?: 'invalid' | 'no operator' | 'cannot start';
  readonly labels?: Readonly<Record<string, string>>;
}

/** Finished run of a schedule. */
export interface FinishedRun {
  /** Name of its application, which might be deleted. */
  readonly name: string;
  /** Absent for a requested run. */
  readonly scheduledAt?: number;
  /** Creation of its application. */
  readonly created: number;
  readonly ended?: number;
  readonly state: 'COMPLETED' | 'FAILED';
  /** Cause of a failure. */
  readonly cause?: string;
}

/** Changed rows of one kind. */
export interface Changes<Row> {
  /** New and changed rows. */
  readonly put?: readonly Row[];
  /** Deleted rows, as `namespace/name`. */
  readonly drop?: readonly string[];
}

/** Message of the stream of rows. */
export interface Update {
  /** Whether the page must drop all rows that it has. */
  readonly reset?: true;
  /** Whether further messages belong to the same snapshot. */
  readonly more?: true;
  readonly applications?: Changes<ApplicationRow>;
  readonly schedules?: Changes<ScheduleRow>;
  /** Whether the server's first list is incomplete. */
  readonly loading?: boolean;
  /** Problem of the server's own connection to the cluster; empty when it is resolved. */
  readonly trouble?: string;
  /** Evidence that no operator runs; empty when one runs. */
  readonly noOperator?: string;
  readonly unlisted?: Unlisted;
}

/**
 * Namespaces where the viewer cannot list applications or schedules. `*` if they cannot list them
 * in all namespaces: the names of the others are not revealed.
 */
export interface Unlisted {
  readonly applications: readonly string[];
  readonly schedules: readonly string[];
}

/** Session of the page. */
export interface Session {
  /** Version of the package. */
  readonly version: string;
  /** Display name of the cluster. */
  readonly cluster: string;
  /** Name of the signed-in user; absent where the kubeconfig determines the user. */
  readonly user?: string;
  /** Whether the console rejects all changes. */
  readonly readOnly: boolean;
  /** Namespace that the console shows; absent for all. */
  readonly namespace?: string;
}

/** Permissions of a user in a namespace. */
export interface Permissions {
  /** Suspend, resume and rerun applications. */
  readonly change: boolean;
  readonly remove: boolean;
  /** Suspend, resume and run schedules. */
  readonly changeSchedules: boolean;
  /** Open the Spark UI of a driver. */
  readonly forward: boolean;
}

/** Period in one state. */
export interface StatePeriod {
  readonly state: string;
  readonly from: number;
  /** Absent for the current state. */
  readonly to?: number;
}

/** Attempt to run an application, as its status records it. */
export interface Attempt {
  /** Counted over the whole life of the application. */
  readonly number: number;
  /** Label of its pods. */
  readonly submissionId: string;
  /** Why it began: `Creation`, `RestartPolicy`, `SpecChange` or `Resume`. */
  readonly trigger?: string;
  /** Begin of the submission. */
  readonly from: number;
  /** Creation of the driver's Pod. */
  readonly created?: number;
  /** Acceptance of the driver's Pod by a node. */
  readonly scheduled?: number;
  /** Start of the driver's container. */
  readonly started?: number;
  /** Absent for an attempt that has not ended. */
  readonly to?: number;
  /** Current state, or how it ended: `STOPPED` by a suspension, a change or a rerun. */
  readonly state: string;
  /** `Completed`, `Failed`, `SubmissionFailed` or `Stopped`; absent for an active attempt. */
  readonly result?: string;
  /** Cause of a failure. */
  readonly cause?: string;
  readonly driverPod?: string;
  readonly node?: string;
  readonly exitCode?: number;
  readonly executors?: AttemptExecutors;
}

/** Executors of an attempt. */
export interface AttemptExecutors {
  /** Absent with dynamic allocation. */
  readonly requested?: number;
  /** Maximum number that ran at the same time. */
  readonly peak: number;
  /** Start of the first executor's container. */
  readonly firstStarted?: number;
  readonly failed: number;
  /** Reasons of the failures. */
  readonly failures: readonly { readonly reason: string; readonly exitCode?: number; readonly count: number }[];
}

/** Pod of an application and the times when it ran. */
export interface PodRow {
  readonly name: string;
  /** Distinguishes the drivers of two attempts, which have the same name. */
  readonly uid: string;
  readonly role: 'driver' | 'executor';
  /** Spark's executor id. */
  readonly executor?: string;
  readonly attempt?: string;
  /** PENDING, RUNNING, COMPLETED, FAILED or UNKNOWN. */
  readonly state: string;
  readonly node?: string;
  readonly created?: number;
  /** Start of Spark's container. */
  readonly started?: number;
  readonly ended?: number;
  readonly exitCode?: number;
  /** Reason why it does not start, or how it ended. */
  readonly reason?: string;
  /** Names of its containers, Spark's first. */
  readonly containers: readonly string[];
  /** Image of Spark's container. */
  readonly image?: string;
  /** Resources of Spark's container. */
  readonly resources?: PodResources;
}

/** CPU in cores and memory in bytes that a container requests. */
export interface PodResources {
  readonly cpu?: number;
  readonly cpuLimit?: number;
  /** Limit of the memory, or its request without a limit. */
  readonly memory?: number;
}

/** CPU in cores and memory in bytes that a pod uses now. */
export interface PodUsage {
  readonly name: string;
  readonly cpu: number;
  readonly memory: number;
}

/** Resources that the pods of an application use. */
export interface ApplicationUsage {
  /** Absent without the metrics API, or without the permission to read it. */
  readonly pods?: readonly PodUsage[];
}

/** Change of the number of running executors. */
export interface ExecutorStep {
  readonly at: number;
  readonly running: number;
}

/** Event of Kubernetes. */
export interface EventRow {
  readonly uid: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** Involved object, such as `Pod/pi-driver`. */
  readonly about: string;
}

/** Object that belongs to an application. */
export interface OwnedRow {
  readonly kind: string;
  readonly name: string;
  readonly created?: number;
}

/** Cores, memory and number of a role's pods, as the specification has them. */
export interface RoleFacts {
  readonly cores?: string;
  /** CPU that the container requests, and its limit. @default - as many as cores */
  readonly cpu?: string;
  readonly memory?: string;
  readonly instances?: string;
}

/** Facts of an application's specification. */
export interface SpecFacts {
  readonly image?: string;
  readonly mainFile?: string;
  readonly mainClass?: string;
  readonly driver: RoleFacts;
  readonly executor: RoleFacts;
}

/** Details of one application. */
export interface ApplicationDetail {
  readonly row: ApplicationRow;
  readonly headline: string;
  readonly sentence: string;
  /** The parts of the sentence, of which the first is the cause or the main fact. */
  readonly clauses: readonly [string, ...string[]];
  readonly remedy?: string;
  readonly states: readonly StatePeriod[];
  /** The first attempt and the latest ones, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Number of attempts between the first one and the others that are not recorded. */
  readonly omittedAttempts: number;
  readonly pods: readonly PodRow[];
  readonly executorSteps: readonly ExecutorStep[];
  readonly events: readonly EventRow[];
  readonly owned: readonly OwnedRow[];
  /** Object as YAML, without fields that only machines read. */
  readonly yaml: string;
  /** Whether the driver of the last attempt has a log that the user can read. */
  readonly hasLog: boolean;
  /** Whether that log does not have the cause of the failure. @default - unknown */
  readonly hasNoLoggedCause?: true;
  /** Why there is no pod of the driver, as a clause. @default - there is one, or it is unknown */
  readonly noDriver?: string;
  /** Name of the driver's pod, which might be deleted. @default - none was created */
  readonly driverPod?: string;
  readonly facts: SpecFacts;
  /** Address of the Spark UI outside the cluster. */
  readonly sparkUi?: string;
  /** Whether the driver's pod does not exist although the status names it. */
  readonly isDriverGone?: true;
  /**
   * Whether the driver has ended although the status has it running. The times are those of its
   * pod.
   */
  readonly hasDriverEnded?: true;
  /** Address of the application in the History Server. */
  readonly historyServer?: string;
  /** Permissions that the user lacks, for parts that are missing here. */
  readonly hidden: readonly string[];
}

/** Body of an action on an application or a schedule. */
export interface ActionRequest {
  /**
   * Uid of the object that the page showed; the server rejects the action for another object of
   * that name.
   *
   * @default - any object of that name
   */
  readonly uid?: string;
}

/** Request for a session, with the token of the address that `sparkctl ui` prints. */
export interface LoginRequest {
  readonly token: string;
}

/** Session that the server returns for a token. */
export interface Login {
  /** Bearer token of all further requests. */
  readonly session: string;
}

/** HTTP status for the log of a container that has not started yet. */
export const NOT_STARTED = 409;

/** Error answer. */
export interface Problem {
  readonly error: string;
}
