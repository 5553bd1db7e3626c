import type { StandardCondition } from './standard-condition';

/** States of a SparkConnect, in `status.state`. The strings are those of kubeflow/spark-operator, with one more. */
export enum SparkConnectState {
  /** Nobody has looked at it yet. */
  NEW = '',
  /** What it needs is being created. */
  PROVISIONING = 'Provisioning',
  /** The server takes connections. */
  READY = 'Ready',
  /** The server does not take connections. */
  NOT_READY = 'NotReady',
  /** The server ended, and is not started again. */
  FAILED = 'Failed',
  /** The server is stopped, as `spec.suspend` asks for. */
  SUSPENDED = 'Suspended',
}

/** What the operator knows about a server, as in the `status`. */
export interface SparkConnectStatus {
  /**
   * The standard conditions, `ServerPodReady` among them.
   * @default - none
   * @listMapKeys ["type"]
   */
  readonly conditions?: StandardCondition[];
  /**
   * The state.
   * @default - new
   */
  readonly state?: SparkConnectState;
  /**
   * The server.
   * @default - none yet
   */
  readonly server?: SparkConnectServerStatus;
  /**
   * Number of executors in each phase (`pending`, `running`, `succeeded`, `failed`, `unknown`).
   * @default - none
   */
  readonly executors?: { [phase: string]: number };
  /**
   * When the operator first looked at it (RFC 3339).
   * @default - not yet
   * @format date-time
   */
  readonly startTime?: string;
  /**
   * When this status last changed (RFC 3339).
   * @default - not yet
   * @format date-time
   */
  readonly lastUpdateTime?: string;
  /**
   * `metadata.generation` of the object that this status is about.
   * @default - nobody has looked at it yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * How often the server was started again, since it last ran for long.
   * @default 0
   */
  readonly restarts?: number;
  /**
   * When the server last ended (RFC 3339).
   * @default - it has not
   * @format date-time
   */
  readonly lastTerminationTime?: string;
  /**
   * Since when there is no session (RFC 3339).
   * @default - there is one, or nobody asks
   * @format date-time
   */
  readonly idleSince?: string;
}

/** Where the server is. */
export interface SparkConnectServerStatus {
  /**
   * Name of the server's Pod.
   * @default - none yet
   */
  readonly podName?: string;
  /**
   * IP address of that Pod.
   * @default - none yet
   */
  readonly podIp?: string;
  /**
   * Name of the server's Service.
   * @default - none yet
   */
  readonly serviceName?: string;
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
