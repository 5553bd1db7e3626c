/**
 * Labels and annotations that the operator, Spark and their users share. The `sparkoperator.k8s.io`
 * ones are those of kubeflow/spark-operator v2, so that selectors for its pods need no change; the
 * others are Spark's own (org.apache.spark.deploy.k8s.Constants).
 */

/** Name of the SparkApplication that a pod belongs to. */
export const LABEL_APP_NAME = 'sparkoperator.k8s.io/app-name';
/** Name of the SparkConnect that a pod, Service or ConfigMap belongs to. */
export const LABEL_CONNECT_NAME = 'sparkoperator.k8s.io/connect-name';
/** `true` on every driver and executor that the operator started. */
export const LABEL_LAUNCHED_BY = 'sparkoperator.k8s.io/launched-by-spark-operator';
/**
 * `true` on objects that the operator created for an application, except driver and executors:
 * Services, Ingresses, the configuration of metrics and so on.
 */
export const LABEL_CREATED_BY = 'sparkoperator.k8s.io/created-by-spark-operator';
/** The submission (one per attempt) that a pod, Service or ConfigMap was created for. */
export const LABEL_SUBMISSION_ID = 'sparkoperator.k8s.io/submission-id';

/**
 * `metadata.uid` of the SparkApplication or SparkConnect that a pod, Service or ConfigMap belongs
 * to: a later object with the same name has another uid.
 */
export const LABEL_APP_UID = 'sparkoperator.k8s.io/app-uid';
/** Number of the attempt, from 1, that a pod, Service or ConfigMap was created for. */
export const LABEL_ATTEMPT = 'sparkoperator.k8s.io/attempt';

/**
 * Revision that the server of a SparkConnect was started with: `metadata.generation` of the
 * SparkConnect, and a hash of the fields whose change requires a restart.
 */
export const LABEL_REVISION = 'sparkoperator.k8s.io/revision';

/** Spark's application id, on all pods of one attempt. */
export const LABEL_SPARK_APP_SELECTOR = 'spark-app-selector';
/** Spark's application name, shortened to a label. */
export const LABEL_SPARK_APP_NAME = 'spark-app-name';
/** `driver`, `executor`, `connect-server`, or `submitter`. */
export const LABEL_SPARK_ROLE = 'spark-role';
/** Spark's version. */
export const LABEL_SPARK_VERSION = 'spark-version';
/** Number of an executor within its application. */
export const LABEL_SPARK_EXECUTOR_ID = 'spark-exec-id';
/** The resource profile of an executor; `0` is the default one. */
export const LABEL_RESOURCE_PROFILE = 'spark-exec-resourceprofile-id';

/**
 * On pods of the operator for which its pod webhook must be reachable: the comma-separated fields
 * that the webhook sets. `none` means that the pod only waits until the webhook is available for
 * other pods. Pods of the operator without the annotation never depend on the webhook.
 */
export const ANNOTATION_LEFT_TO_WEBHOOK = 'sparkoperator.k8s.io/left-to-webhook';

/**
 * Submission mode of an application, in place of the operator's setting: `auto`, `native` or
 * `spark-submit`.
 */
export const ANNOTATION_SUBMISSION_MODE = 'sparkoperator.k8s.io/submission-mode';

/**
 * On a namespace: comma-separated globs of the service accounts that applications there can use.
 * The admission policy reads it.
 */
export const ANNOTATION_ALLOWED_SERVICE_ACCOUNTS = 'sparkoperator.k8s.io/allowed-service-accounts';
/**
 * On a namespace: comma-separated globs of the images that applications there can use. The
 * admission policy reads it.
 */
export const ANNOTATION_ALLOWED_IMAGES = 'sparkoperator.k8s.io/allowed-images';
/**
 * On a namespace: comma-separated types of Services that applications there can use in addition to
 * ClusterIP. The admission policy reads it.
 */
export const ANNOTATION_ALLOWED_SERVICE_TYPES = 'sparkoperator.k8s.io/allowed-service-types';
/**
 * On a namespace: comma-separated globs of the annotations that applications there can set on
 * Services, Ingresses and HTTPRoutes. The admission policy reads it.
 */
export const ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS = 'sparkoperator.k8s.io/allowed-service-annotations';

/** Name of the ScheduledSparkApplication that a run belongs to; also on the pods of the run. */
export const LABEL_SCHEDULED_APP_NAME = 'sparkoperator.k8s.io/scheduled-app-name';
/**
 * Scheduled time of a run (RFC 3339), even if it started later. A run started by request has none.
 */
export const ANNOTATION_SCHEDULED_AT = 'sparkoperator.k8s.io/scheduled-at';
/** Reason why a run started: `schedule`, `catch-up` for a missed time, or `run-now`. */
export const ANNOTATION_TRIGGER = 'sparkoperator.k8s.io/trigger';
/**
 * On a ScheduledSparkApplication: each new value starts one run at once. The run has the same
 * value.
 */
export const ANNOTATION_RUN_NOW = 'sparkoperator.k8s.io/run-now';

/** Default name of the driver's container; a pod template can change it. */
export const DRIVER_CONTAINER = 'spark-kubernetes-driver';
/** Default name of an executor's container; a pod template can change it. */
export const EXECUTOR_CONTAINER = 'spark-kubernetes-executor';

/** `spark-role` of a Pod that runs spark-submit. */
export const SUBMITTER_ROLE = 'submitter';
/** Container of that Pod. */
export const SUBMITTER_CONTAINER = 'spark-submit';

/**
 * User ID of Spark's images. Their `USER` is a name, and the kubelet cannot verify that a name is
 * not root.
 */
export const SPARK_USER_ID = 185;

/** The service account that `SparkOperator` creates for drivers in each job namespace. */
export const DRIVER_SERVICE_ACCOUNT = 'spark';

/**
 * Annotation of the operator's Deployment with the name of the service account that `SparkOperator`
 * creates for drivers, unless it is `spark`.
 */
export const ANNOTATION_DRIVER_ACCOUNT = 'sparkoperator.k8s.io/driver-service-account';
