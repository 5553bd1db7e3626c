/*
 * What the console's server and its page say to each other, as JSON. All texts of the cluster are in it as they are: whoever shows them has to escape them. Times are milliseconds since 1970.
 */

/** An application, as a row of the list. */
export interface ApplicationRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** As in the status; empty for one that nobody has looked at yet. */
  readonly state: string;
  /** Why it failed or does not start. */
  readonly reason?: string;
  readonly created: number;
  /** When the latest attempt began. */
  readonly begun?: number;
  /** When it ended. */
  readonly ended?: number;
  /** How often the driver was tried to be started, since the application was last begun anew. */
  readonly attempts: number;
  /** How many executors are in which state. */
  readonly executors?: ExecutorCounts;
  /** How many executors are asked for; absent with dynamic allocation. */
  readonly wanted?: number;
  readonly type?: string;
  readonly sparkVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Name of the schedule that it is a run of. */
  readonly schedule?: string;
  /** The time of the schedule that the run is for. */
  readonly scheduledAt?: number;
  /** Whether the specification says that it is suspended. */
  readonly suspended?: true;
  /** Whether it is being deleted. */
  readonly deleting?: true;
}

/** How many executors are in which state. */
export interface ExecutorCounts {
  readonly pending: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
}

/** A schedule, as a row of the list. */
export interface ScheduleRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly created: number;
  /** The cron expression. */
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspended?: true;
  readonly lastRun?: number;
  readonly lastRunName?: string;
  readonly nextRun?: number;
  /** As in the status: Scheduled, FailedValidation, … */
  readonly state: string;
  /** Why no runs are planned. */
  readonly reason?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What has changed of the rows of one kind. */
export interface Changes<Row> {
  /** New and changed ones. */
  readonly put?: readonly Row[];
  /** Those that are gone, as `namespace/name`. */
  readonly drop?: readonly string[];
}

/** A message of the event stream. */
export interface Update {
  /** All that was told before is void. */
  readonly reset?: true;
  /** More of the same follows: what is there is not all. */
  readonly more?: true;
  readonly applications?: Changes<ApplicationRow>;
  readonly schedules?: Changes<ScheduleRow>;
  /** Whether the server has not read all rows yet. */
  readonly loading?: boolean;
  /** What is wrong with the server's own view of the cluster; empty if nothing is any more. */
  readonly trouble?: string;
}

/** Whom the page is for. */
export interface Session {
  /** The version of the package. */
  readonly version: string;
  /** What the cluster is called, for people. */
  readonly cluster: string;
  /** Who is signed in; absent where the kubeconfig says it. */
  readonly user?: string;
  /** Nothing can be changed from here. */
  readonly readOnly: boolean;
  /** The namespace that is followed; absent for all. */
  readonly namespace?: string;
}

/** What a user may do in a namespace. */
export interface Allowed {
  /** suspend, resume and rerun of applications. */
  readonly change: boolean;
  readonly remove: boolean;
  /** suspend, resume and run of schedules. */
  readonly changeSchedules: boolean;
  /** The Spark UI of a driver. */
  readonly forward: boolean;
}

/** A stretch of time in one state. */
export interface Stretch {
  readonly state: string;
  readonly from: number;
  /** Absent while it lasts. */
  readonly to?: number;
}

/** One attempt to run an application. */
export interface Attempt {
  readonly number: number;
  readonly from: number;
  /** Absent while it lasts. */
  readonly to?: number;
  /** The state that it ended in, or is in. */
  readonly state: string;
}

/** When a pod ran. */
export interface PodRow {
  readonly name: string;
  /** The driver of the next attempt has the same name, and another uid. */
  readonly uid: string;
  readonly role: 'driver' | 'executor';
  /** Spark's number of an executor. */
  readonly executor?: string;
  readonly attempt?: string;
  /** PENDING, RUNNING, COMPLETED, FAILED or UNKNOWN. */
  readonly state: string;
  readonly node?: string;
  readonly created?: number;
  /** When Spark's container began. */
  readonly started?: number;
  readonly ended?: number;
  readonly exitCode?: number;
  /** Why it does not start, or how it ended. */
  readonly reason?: string;
  /** Names of its containers, Spark's own first. */
  readonly containers: readonly string[];
}

/** A change of the number of executors that run. */
export interface ExecutorStep {
  readonly at: number;
  readonly running: number;
}

/** An event of Kubernetes. */
export interface EventRow {
  readonly uid: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** What it is about, such as `Pod/pi-driver`. */
  readonly about: string;
}

/** An object that belongs to an application. */
export interface OwnedRow {
  readonly kind: string;
  readonly name: string;
  readonly created?: number;
}

/** All about one application. */
export interface ApplicationDetail {
  readonly row: ApplicationRow;
  readonly headline: string;
  readonly sentence: string;
  readonly remedy?: string;
  readonly states: readonly Stretch[];
  readonly attempts: readonly Attempt[];
  readonly pods: readonly PodRow[];
  readonly executorSteps: readonly ExecutorStep[];
  readonly events: readonly EventRow[];
  readonly owned: readonly OwnedRow[];
  /** The object as YAML, without what only machines read. */
  readonly yaml: string;
  readonly driverPod?: string;
  /** Address of the Spark UI outside of the cluster. */
  readonly sparkUi?: string;
  /** Parts that the user may not see, in words. */
  readonly hidden: readonly string[];
}

/** When schedules are due, by `namespace/name`. */
export type PlannedRuns = Readonly<Record<string, readonly number[]>>;

/** What is sent to do something to an application or a schedule. */
export interface ActionRequest {
  /** Of the object that the user has looked at: another one of its name is not meant. @default - whichever has the name */
  readonly uid?: string;
}

/** Asks for a session with the token of the address that `sparkctl ui` prints. */
export interface AdmissionRequest {
  readonly token: string;
}

/** The session that a token was exchanged for. */
export interface Admission {
  /** The bearer token of all further requests. */
  readonly session: string;
}

/** What went wrong with a request. */
export interface Problem {
  readonly error: string;
}
