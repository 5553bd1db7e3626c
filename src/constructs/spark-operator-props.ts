import { Duration } from 'cdk8s';
import { OperatorBatchScheduling } from './operator-batch-scheduling';
import { OperatorConsole } from './operator-console';
import { OperatorMetrics } from './operator-metrics';
import { OperatorNetworkPolicy } from './operator-network-policy';
import { OperatorPodProps } from './operator-pod';
import { OperatorWebhook } from './operator-webhook';
import { WebUI } from './web-ui';

/** What is written to a log: the level and what is graver. */
export enum LogLevel {
  /** Everything, for a look into a problem. */
  DEBUG = 'debug',
  /** Each change of an application. */
  INFO = 'info',
  /** What somebody may have to look at. */
  WARN = 'warn',
  /** What went wrong. */
  ERROR = 'error',
}

/** How applications are submitted. */
export enum SubmissionMode {
  /** Natively; by running spark-submit what cannot be submitted natively, if the image has Spark. */
  AUTO = 'auto',
  /** Natively: the operator creates what spark-submit would create. What cannot be submitted so fails with the reasons. */
  NATIVE = 'native',
  /** By running spark-submit. The image must have Spark. */
  SPARK_SUBMIT = 'spark-submit',
}

/** How the operator's replicas agree on the one that works. */
export interface LeaderElection {
  /**
   * Name of the Lease, in the operator's namespace. Two operators in one namespace exclude each other if theirs have the same name.
   *
   * @default - `spark-operator-controller-lock`, that of kubeflow's chart if its release is called `spark-operator`
   */
  readonly leaseName?: string;

  /**
   * How long the others wait for a replica that does not renew the Lease; whole seconds.
   *
   * @default Duration.seconds(15)
   */
  readonly leaseDuration?: Duration;

  /**
   * After so long without a renewal a replica stops working; less than `leaseDuration`.
   *
   * @default Duration.seconds(10)
   */
  readonly renewDeadline?: Duration;

  /**
   * Time between two renewals; less than `renewDeadline` by a fifth at least.
   *
   * @default Duration.seconds(2)
   */
  readonly retryPeriod?: Duration;
}

/** How spark-submit is run. */
export interface SparkSubmitOptions {
  /**
   * Longer no run may take.
   *
   * @default Duration.minutes(5)
   */
  readonly timeout?: Duration;

  /**
   * Runs at a time.
   *
   * @default - as many as CPUs and memory allow
   */
  readonly concurrency?: number;

  /**
   * Folders of the operator's container whose files applications may upload.
   *
   * @default - `/opt/spark-operator/files`
   */
  readonly folders?: string[];

  /**
   * Whether it may load Maven packages, and with them code of others, into the operator.
   *
   * @default false
   */
  readonly packages?: boolean;
}

/** How the operator is installed. */
export interface SparkOperatorProps extends OperatorPodProps {
  /**
   * Namespace of the operator itself.
   *
   * @default spark-operator
   */
  readonly namespace?: string;

  /**
   * Whether the namespace of the operator is created, too. It then enforces the restricted Pod Security Standard.
   *
   * @default true
   */
  readonly createNamespace?: boolean;

  /**
   * Whether the custom resource definitions are part of it. A cluster has them once: leave them out if something else brings them.
   *
   * @default true
   */
  readonly installCrds?: boolean;

  /**
   * Namespaces with Spark applications. In each of them the operator gets the rights that it needs, and drivers a service account
   * (`spark`) with those that Spark needs. In all other namespaces applications are ignored, unless `namespaceSelector` or
   * `allNamespaces` says otherwise.
   *
   * @default - `default`; none with `namespaceSelector` or `allNamespaces`
   */
  readonly jobNamespaces?: string[];

  /**
   * Labels of namespaces with Spark applications, besides `jobNamespaces`: those that have all of these labels. Namespaces may come and go,
   * get and lose labels while the operator runs.
   *
   * The operator then gets its rights in all namespaces of the cluster, as nobody can say which they will be. Drivers need a service account in each
   * of them: bind the ClusterRole `driverClusterRoleName` to it there.
   *
   * @default - namespaces are not selected by labels
   */
  readonly namespaceSelector?: { [key: string]: string };

  /**
   * Whether applications of all namespaces are run. Rights and service accounts are as with `namespaceSelector`.
   *
   * @default false
   */
  readonly allNamespaces?: boolean;

  /**
   * Whether the job namespaces are created, too.
   *
   * @default false
   */
  readonly createJobNamespaces?: boolean;

  /**
   * How many replicas of the operator there are. One of them works, the others stand by with all that they need to know; two are enough to
   * bridge the loss of a node in about 15 seconds, and an orderly end in less than two.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * How the replicas agree on the one that works.
   *
   * @default - by a Lease of 15 seconds
   */
  readonly leaderElection?: LeaderElection;

  /**
   * Name of ConfigMaps with defaults and limits for applications: that in the namespace of the operator counts for all, that in a job namespace for
   * the applications there.
   *
   * @default - there are none
   */
  readonly defaultsConfigMap?: string;

  /**
   * How the web UIs of drivers are reached.
   *
   * @default - WebUI.byService()
   */
  readonly webUI?: WebUI;

  /**
   * Whether applications may have ports of their drivers reached from outside, by an `ingressURLFormat` in their `driverIngressOptions`. The operator then
   * creates Ingresses (with `WebUI.byGateway` HTTPRoutes) whose hosts the authors of applications choose, their annotations and TLS Secrets, too. If not, such a port
   * has a Service only.
   *
   * @default false
   */
  readonly driverIngress?: boolean;

  /**
   * Whether drivers get a PodDisruptionBudget, so that they are not drained from their node, if their applications say `driverPodDisruptionBudget: true`.
   *
   * @default false
   */
  readonly driverDisruptionBudgets?: boolean;

  /**
   * Whether the operator looks for Ingresses, HTTPRoutes and PodDisruptionBudgets that it made when it was set up otherwise, for example before a change from
   * `WebUI.byIngress` to `WebUI.byGateway`, and removes them. It gets the rights to list and delete all three. If not, they stay until their application is deleted.
   *
   * @default false
   */
  readonly removeOrphans?: boolean;

  /**
   * How long after its end an application is deleted that has no `timeToLiveSeconds` of its own.
   *
   * @default - never
   */
  readonly timeToLive?: Duration;

  /**
   * Executors beyond this number are not recorded in the status of an application.
   *
   * @default 1000
   */
  readonly maxTrackedExecutors?: number;

  /**
   * The shortest time between two runs of a ScheduledSparkApplication. The webhook rejects a
   * schedule that runs more often, and the operator marks a stored one as `FailedValidation`. The
   * limits of a namespace can be stricter.
   *
   * @default - no minimum
   */
  readonly minScheduleInterval?: Duration;

  /**
   * Applications that are looked at at the same time.
   *
   * @default 10
   */
  readonly workers?: number;

  /**
   * Calls of the Kubernetes API a second, on average; 0 for no limit.
   *
   * @default 2000
   */
  readonly kubeApiQps?: number;

  /**
   * Calls of the Kubernetes API at once.
   *
   * @default 4000
   */
  readonly kubeApiBurst?: number;

  /**
   * How long the creation or the start of a driver may wait for what does not come by itself, such as an image or a service account
   * that does not exist, before its application fails. Waiting for a free node or for quota does not count.
   *
   * @default Duration.minutes(5)
   */
  readonly driverStartTimeout?: Duration;

  /**
   * The user that Spark says it runs for (`SPARK_USER`).
   *
   * @default spark
   */
  readonly sparkUser?: string;

  /**
   * How applications are submitted that have no annotation `sparkoperator.k8s.io/submission-mode`.
   *
   * @default SubmissionMode.AUTO
   */
  readonly submissionMode?: SubmissionMode;

  /**
   * Whether applications can choose how they are submitted by the annotation `sparkoperator.k8s.io/submission-mode`. If not, an application with the annotation fails, and the webhook rejects it.
   *
   * @default true
   */
  readonly submissionModeAnnotation?: boolean;

  /**
   * Whether the operator can run spark-submit, for what cannot be submitted natively: it then runs an image that carries Spark, and gets the
   * memory, the folder for temporary files and the rights that spark-submit needs.
   *
   * @default - true with `SubmissionMode.SPARK_SUBMIT`, else false
   */
  readonly sparkSubmit?: boolean;

  /**
   * How spark-submit is run. Only with `sparkSubmit`.
   *
   * @default - as its own properties say
   */
  readonly sparkSubmitOptions?: SparkSubmitOptions;

  /**
   * Whether batch schedulers are told of applications as a whole, with what their driver and executors need: those that `batchScheduler` of an application names, and Volcano, YuniKorn or
   * the coscheduling plugin have to run in the cluster. The operator gets the rights to the groups of pods that it makes for them. `{}` for the defaults of `OperatorBatchScheduling`.
   *
   * @default - they are not: `batchScheduler` only names the scheduler of the pods
   */
  readonly batchScheduling?: OperatorBatchScheduling;

  /**
   * What Prometheus reads.
   *
   * @default - metrics are served, and a Service leads to them
   */
  readonly metrics?: OperatorMetrics;

  /**
   * What the network lets through to and from the operator. `{}` for the defaults of `OperatorNetworkPolicy`.
   *
   * @default - there is no NetworkPolicy: where the API server is depends on the cluster
   */
  readonly networkPolicy?: OperatorNetworkPolicy;

  /**
   * Whether a ValidatingAdmissionPolicy is installed: the API server itself then refuses applications that name another namespace than their own, or service accounts
   * and images that their `SparkJobNamespace` does not allow. It needs no webhook. Whoever installs it needs the right to create such policies and their bindings.
   *
   * @default true
   */
  readonly admissionPolicy?: boolean;

  /**
   * The webhook, which refuses mistakes when applications are applied, and gives executors what neither Spark nor a template can. `{}` for the defaults of `OperatorWebhook`.
   *
   * @default - there is none: the operator checks applications itself, and tells what is wrong in their status
   */
  readonly webhook?: OperatorWebhook;

  /**
   * The console, a web page which shows applications to all who may read them, and changes nothing. `{}` for the defaults of `OperatorConsole`.
   *
   * @default - there is none: everybody has their own with `sparkctl ui`
   */
  readonly console?: OperatorConsole;

  /**
   * What the operator writes to its log: this level and what is graver.
   *
   * @default LogLevel.INFO
   */
  readonly logLevel?: LogLevel;

  /**
   * Further flags of the operator, such as `--workqueue-ratelimiter-max-delay=30s`. They count more than what other properties say, and the operator gets
   * the rights for what they turn on. They are taken as they are: `$(NAME)` is no variable.
   *
   * @default - none
   */
  readonly flags?: string[];
}
