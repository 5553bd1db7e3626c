import type { StandardCondition } from './standard-condition';

/**
 * States of a SparkConnect, in `status.state`. The strings are those of kubeflow/spark-operator,
 * and `Suspended`.
 */
export enum SparkConnectState {
  /** The operator has not reconciled the object yet. */
  NEW = '',
  /** The operator creates the server and its objects. */
  PROVISIONING = 'Provisioning',
  /** The server accepts connections. */
  READY = 'Ready',
  /** The server does not accept connections. */
  NOT_READY = 'NotReady',
  /** The server ended and is not restarted. */
  FAILED = 'Failed',
  /** The server is stopped, because of `spec.suspend`. */
  SUSPENDED = 'Suspended',
}

/** Status of a SparkConnect. */
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
   * When the operator first reconciled the object (RFC 3339).
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
   * `metadata.generation` of the object that the operator last reconciled.
   * @default - not reconciled yet
   * @format int64
   */
  readonly observedGeneration?: number;
  /**
   * Number of restarts of the server since it last ran long enough to reset the backoff.
   * @default 0
   */
  readonly restarts?: number;
  /**
   * When the operator gives up on a server that cannot be created or does not start (RFC 3339);
   * `restartPolicy` decides whether it is started again. Present while something needs user action,
   * such as a missing image.
   * @default - the server has started, waits for something that comes by itself, or is created
   * again and again as `restartPolicy` asks for
   * @format date-time
   */
  readonly startDeadlineTime?: string;
  /**
   * When the server last ended, or the operator gave up on it (RFC 3339).
   * @default - it has not ended
   * @format date-time
   */
  readonly lastTerminationTime?: string;
  /**
   * Since when there has been no session (RFC 3339).
   * @default - a session exists, or sessions are not checked
   * @format date-time
   */
  readonly idleSince?: string;
}

/** Addresses of the server. */
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
