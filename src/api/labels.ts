/**
 * Labels and annotations that the operator, Spark and their users share.
 * The `sparkoperator.k8s.io` ones are those of kubeflow/spark-operator v2, so that selectors for its pods need no change;
 * the others are Spark's own (org.apache.spark.deploy.k8s.Constants).
 */

/** Name of the SparkApplication that a pod belongs to. */
export const LABEL_APP_NAME = 'sparkoperator.k8s.io/app-name';
/** Name of the SparkConnect that a pod, Service or ConfigMap belongs to. */
export const LABEL_CONNECT_NAME = 'sparkoperator.k8s.io/connect-name';
/** `true` on every driver and executor that the operator started. */
export const LABEL_LAUNCHED_BY = 'sparkoperator.k8s.io/launched-by-spark-operator';
/** `true` on what the operator made for an application besides driver and executors: Services, Ingresses, the configuration of metrics and so on. */
export const LABEL_CREATED_BY = 'sparkoperator.k8s.io/created-by-spark-operator';
/** The submission (one per attempt) that a pod, Service or ConfigMap was created for. */
export const LABEL_SUBMISSION_ID = 'sparkoperator.k8s.io/submission-id';

/** `metadata.uid` of the SparkApplication or SparkConnect that a pod, Service or ConfigMap belongs to: one of the same name that comes later has another. */
export const LABEL_APP_UID = 'sparkoperator.k8s.io/app-uid';
/** Number of the attempt, from 1, that a pod, Service or ConfigMap was created for. */
export const LABEL_ATTEMPT = 'sparkoperator.k8s.io/attempt';

/** What the server of a SparkConnect was started with: `metadata.generation` of the SparkConnect, and a hash of what of its specification a server has to be started anew for. */
export const LABEL_REVISION = 'sparkoperator.k8s.io/revision';

/** Spark's application id, on all pods of one attempt. */
export const LABEL_SPARK_APP_SELECTOR = 'spark-app-selector';
/** Spark's application name, shortened to a label. */
export const LABEL_SPARK_APP_NAME = 'spark-app-name';
/** `driver`, `executor`, or `connect-server`. */
export const LABEL_SPARK_ROLE = 'spark-role';
/** Spark's version. */
export const LABEL_SPARK_VERSION = 'spark-version';
/** Number of an executor within its application. */
export const LABEL_SPARK_EXECUTOR_ID = 'spark-exec-id';
/** The resource profile of an executor; `0` is the default one. */
export const LABEL_RESOURCE_PROFILE = 'spark-exec-resourceprofile-id';

/**
 * On pods of the operator that go through its webhook for pods: the fields that are left for it, with commas between them, or `none`, if the pod is only to wait until the webhook is
 * there for others. Pods of the operator without it never depend on the webhook.
 */
export const ANNOTATION_LEFT_TO_WEBHOOK = 'sparkoperator.k8s.io/left-to-webhook';

/** How an application is submitted, in place of the operator's setting: `auto`, `native` or `spark-submit`. */
export const ANNOTATION_SUBMISSION_MODE = 'sparkoperator.k8s.io/submission-mode';

/** On a namespace: the service accounts that applications there may name, as globs with commas between them. The admission policy reads it. */
export const ANNOTATION_ALLOWED_SERVICE_ACCOUNTS = 'sparkoperator.k8s.io/allowed-service-accounts';
/** On a namespace: the images that applications there may name, as globs with commas between them. The admission policy reads it. */
export const ANNOTATION_ALLOWED_IMAGES = 'sparkoperator.k8s.io/allowed-images';
/** On a namespace: the types of Services that applications there can ask for in addition to ClusterIP, with commas between them. The admission policy reads it. */
export const ANNOTATION_ALLOWED_SERVICE_TYPES = 'sparkoperator.k8s.io/allowed-service-types';
/** On a namespace: the annotations of Services, Ingresses and HTTPRoutes that applications there can write, as globs with commas between them. The admission policy reads it. */
export const ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS = 'sparkoperator.k8s.io/allowed-service-annotations';

/** Name of the ScheduledSparkApplication that a SparkApplication is a run of; also on the pods of the run. */
export const LABEL_SCHEDULED_APP_NAME = 'sparkoperator.k8s.io/scheduled-app-name';
/** The time that a run is for (RFC 3339), whenever it was started. A run that was asked for has none. */
export const ANNOTATION_SCHEDULED_AT = 'sparkoperator.k8s.io/scheduled-at';
/** Why a run was started: `schedule`, `catch-up` if its time had been missed, or `run-now`. */
export const ANNOTATION_TRIGGER = 'sparkoperator.k8s.io/trigger';
/** On a ScheduledSparkApplication: each new value starts one run at once. It is also on that run. */
export const ANNOTATION_RUN_NOW = 'sparkoperator.k8s.io/run-now';

/** Name of the driver's container unless a pod template says otherwise. */
export const DRIVER_CONTAINER = 'spark-kubernetes-driver';
/** Name of an executor's container unless a pod template says otherwise. */
export const EXECUTOR_CONTAINER = 'spark-kubernetes-executor';

/** The service account that `SparkOperator` creates for drivers in each job namespace. */
export const DRIVER_SERVICE_ACCOUNT = 'spark';
