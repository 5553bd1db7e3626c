import { Duration } from 'cdk8s';
import { DriverServiceAccount, OperatorAccountProps } from './operator-account';
import { OperatorBatchScheduling } from './operator-batch-scheduling';
import { OperatorConsole } from './operator-console';
import { LeaderElection } from './operator-leader-election';
import { LogEncoder, LogLevel } from './operator-log';
import { OperatorMetrics } from './operator-metrics';
import { OperatorNaming } from './operator-naming';
import { OperatorNetworkPolicy } from './operator-network-policy';
import { OperatorPodProps } from './operator-pod';
import { OperatorWebhook } from './operator-webhook';
import { WebUI } from './web-ui';

/** Ways to submit applications. */
export enum SubmissionMode {
  /**
   * Natively, or by spark-submit if native submission is impossible. spark-submit runs in a Pod of
   * the application's namespace.
   */
  AUTO = 'auto',
  /**
   * Natively: the operator creates the objects that spark-submit would create. Applications that
   * cannot be submitted natively fail with the reasons.
   */
  NATIVE = 'native',
  /** By spark-submit, in a Pod of the application's namespace. */
  SPARK_SUBMIT = 'spark-submit',
}

/** Settings of the installation. */
export interface SparkOperatorProps extends OperatorPodProps, OperatorAccountProps {
  /**
   * Namespace of the operator itself.
   *
   * @default spark-operator
   */
  readonly namespace?: string;

  /**
   * Name of the operator, from which the names of its objects are derived. Operators in the same
   * namespace need different names. At most 40 characters.
   *
   * @default spark-operator
   */
  readonly name?: string;

  /**
   * Names and labels of the objects.
   *
   * @default OperatorNaming.DEFAULT
   */
  readonly naming?: OperatorNaming;

  /**
   * Labels of all objects, but not of pods. They can be none of the labels
   * `app.kubernetes.io/name`, `instance` and `component`.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Whether the namespace of the operator is created. It then enforces the restricted Pod Security
   * Standard.
   *
   * @default true
   */
  readonly createNamespace?: boolean;

  /**
   * Whether the custom resource definitions are included. A cluster has them once: exclude them if
   * another chart contains them.
   *
   * @default true
   */
  readonly installCrds?: boolean;

  /**
   * Namespaces with Spark applications. In each of them, the operator gets its permissions, and
   * drivers get a service account (`spark`, or `driverServiceAccount`) with the permissions that
   * Spark needs. The operator ignores applications in all other namespaces, unless another
   * selection includes them.
   *
   * @default - `default`; none with `namespaceSelector`, `namespaceSelectorExpression` or
   * `allNamespaces`
   */
  readonly jobNamespaces?: string[];

  /**
   * Labels of namespaces with Spark applications, in addition to `jobNamespaces`: namespaces that
   * have all of these labels. They can be created, deleted and relabelled while the operator runs.
   *
   * The operator then gets its permissions in all namespaces of the cluster, because the namespaces
   * are not known in advance. Drivers need a service account in each of them: bind the ClusterRole
   * `driverClusterRoleName` to it there.
   *
   * @default - namespaces are not selected by labels
   */
  readonly namespaceSelector?: { [key: string]: string };

  /**
   * Label selector of namespaces with Spark applications, as text, such as
   * `team in (data,ml),env!=test,!legacy`. Like `namespaceSelector`, for other requirements than
   * equal values; with both, a namespace must match both. Requirements that only exclude labels
   * also select the namespace of the operator, where a driver could create pods that run as the
   * operator. Add `kubernetes.io/metadata.name!=spark-operator` to them.
   *
   * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels
   * @default - namespaces are not selected by labels
   */
  readonly namespaceSelectorExpression?: string;

  /**
   * Whether the operator runs applications of all namespaces. Permissions and service accounts are
   * as with `namespaceSelector`.
   *
   * @default false
   */
  readonly allNamespaces?: boolean;

  /**
   * Whether the job namespaces are created.
   *
   * @default false
   */
  readonly createJobNamespaces?: boolean;

  /**
   * Service account of drivers in `jobNamespaces`.
   *
   * @default - `spark`, which is created, with the permissions that Spark needs
   */
  readonly driverServiceAccount?: DriverServiceAccount;

  /**
   * Number of replicas of the operator. One of them is active; the others are hot standbys. Two are
   * enough to survive the loss of a node with an interruption of about 15 seconds, and an orderly
   * shutdown with less than two.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Leader election of the replicas.
   *
   * @default - a Lease of 15 seconds
   */
  readonly leaderElection?: LeaderElection;

  /**
   * Name of ConfigMaps with defaults and limits for applications: the one in the operator's
   * namespace applies to all, the one in a job namespace to the applications there.
   *
   * @default - none
   */
  readonly defaultsConfigMapName?: string;

  /**
   * Access to the web UIs of drivers.
   *
   * @default - WebUI.byService()
   */
  readonly webUI?: WebUI;

  /**
   * Whether applications can expose ports of their drivers outside the cluster, by an
   * `ingressURLFormat` in their `driverIngressOptions`. The operator then creates Ingresses (with
   * `WebUI.byGateway` HTTPRoutes), whose hosts, annotations and TLS Secrets the authors of
   * applications choose. Otherwise, such a port has only a Service.
   *
   * @default false
   */
  readonly driverIngress?: boolean;

  /**
   * Whether drivers get a PodDisruptionBudget, which protects them from node drains, if their
   * applications set `driverPodDisruptionBudget: true`.
   *
   * @default false
   */
  readonly driverDisruptionBudgets?: boolean;

  /**
   * Whether the operator looks for Ingresses, HTTPRoutes and PodDisruptionBudgets that it created
   * with another configuration, for example before a change from `WebUI.byIngress` to
   * `WebUI.byGateway`, and removes them. It gets the permissions to list and delete all three.
   * Otherwise, they remain until their application is deleted.
   *
   * @default false
   */
  readonly removeOrphans?: boolean;

  /**
   * Time after its end when an application without its own `timeToLiveSeconds` is deleted.
   *
   * @default - never
   */
  readonly timeToLive?: Duration;

  /**
   * Maximum number of executors in the status of an application.
   *
   * @default 1000
   */
  readonly maxTrackedExecutors?: number;

  /**
   * Minimum time between two runs of a ScheduledSparkApplication. The webhook rejects a schedule
   * that runs more often, and the operator marks a stored one as `FailedValidation`. The limits of
   * a namespace can be stricter.
   *
   * @default - no minimum
   */
  readonly minScheduleInterval?: Duration;

  /**
   * Number of concurrent reconciles.
   *
   * @default 10
   */
  readonly workers?: number;

  /**
   * Maximum calls of the Kubernetes API per second, on average; 0 for no limit.
   *
   * @default 2000
   */
  readonly kubeApiQps?: number;

  /**
   * Maximum burst of calls of the Kubernetes API.
   *
   * @default 4000
   */
  readonly kubeApiBurst?: number;

  /**
   * Maximum time that the creation or the start of a driver waits for a missing object, such as an
   * image or a service account, before its application fails. A wait for a free node or for quota
   * is not part of this time.
   *
   * @default Duration.minutes(5)
   */
  readonly driverStartTimeout?: Duration;

  /**
   * User name of Spark (`SPARK_USER`).
   *
   * @default spark
   */
  readonly sparkUser?: string;

  /**
   * Submission mode of applications without the annotation `sparkoperator.k8s.io/submission-mode`.
   *
   * @default SubmissionMode.AUTO
   */
  readonly submissionMode?: SubmissionMode;

  /**
   * Whether applications can choose their submission mode by the annotation
   * `sparkoperator.k8s.io/submission-mode`. Otherwise, an application with the annotation fails,
   * and the webhook rejects it.
   *
   * @default true
   */
  readonly submissionModeAnnotation?: boolean;

  /**
   * Deadline of a Pod that runs spark-submit, for applications that cannot be submitted natively.
   * It runs in the namespace of the application, with the image and the service account of the
   * driver.
   *
   * @default Duration.minutes(5)
   */
  readonly sparkSubmitTimeout?: Duration;

  /**
   * Whether the operator creates PodGroups with the resources of driver and executors for batch
   * schedulers. The schedulers in `batchScheduler` of applications must run in the cluster:
   * Volcano, YuniKorn or the coscheduling plugin. The operator gets the permissions for PodGroups.
   * Use `{}` for the defaults of `OperatorBatchScheduling`.
   *
   * @default - no: `batchScheduler` only sets the scheduler of the pods
   */
  readonly batchScheduling?: OperatorBatchScheduling;

  /**
   * Metrics for Prometheus.
   *
   * @default - metrics are served, with a Service
   */
  readonly metrics?: OperatorMetrics;

  /**
   * Allowed network traffic of the operator. Use `{}` for the defaults of `OperatorNetworkPolicy`.
   *
   * @default - no NetworkPolicy, because the location of the API server depends on the cluster
   */
  readonly networkPolicy?: OperatorNetworkPolicy;

  /**
   * Whether ValidatingAdmissionPolicies are installed. The API server itself then rejects
   * applications with another namespace than their own, or with service accounts and images that
   * their `SparkJobNamespace` does not allow. Unless spark-submit never runs, it also rejects
   * Services of drivers that are not headless: without the policy, drivers can create Services of
   * all types. They need no webhook. The installation needs the permission to create such policies
   * and their bindings.
   *
   * @default true
   */
  readonly admissionPolicy?: boolean;

  /**
   * Whether the ClusterRoles `spark-viewer:<namespace>` and `spark-editor:<namespace>` are created,
   * for users who read and who run applications of all kinds. Kubernetes adds their rules to its
   * own roles: that of viewers to `view`, that of editors to `edit` and `admin`. Creating them
   * needs the permissions that they contain.
   *
   * @default - the value of `createRoles`
   */
  readonly userRoles?: boolean;

  /**
   * The webhook, which rejects mistakes when applications are applied, and adds settings to
   * executors that neither Spark nor a template can set. Use `{}` for the defaults of
   * `OperatorWebhook`.
   *
   * @default - none: the operator checks applications itself, and reports problems in their status
   */
  readonly webhook?: OperatorWebhook;

  /**
   * The console, a read-only web page that shows applications to users who are allowed to read
   * them. Use `{}` for the defaults of `OperatorConsole`.
   *
   * @default - none: users can start their own with `sparkctl ui`
   */
  readonly console?: OperatorConsole;

  /**
   * Minimum level of messages in the operator's log.
   *
   * @default LogLevel.INFO
   */
  readonly logLevel?: LogLevel;

  /**
   * Format of the operator's log.
   *
   * @default LogEncoder.JSON
   */
  readonly logEncoder?: LogEncoder;

  /**
   * Further flags of the operator, such as `--workqueue-ratelimiter-max-delay=30s`. They take
   * precedence over other properties, and the operator gets the permissions for the features that
   * they enable. They are not expanded: `$(NAME)` is not a variable.
   *
   * @default - none
   */
  readonly flags?: string[];
}
