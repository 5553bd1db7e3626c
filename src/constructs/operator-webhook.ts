import { Duration } from 'cdk8s';
import { OperatorAccountProps } from './operator-account';
import { OperatorPodProps } from './operator-pod';
import { WebhookCertificates } from './webhook-certificates';

/** Decision of the API server about an object while its webhook does not answer. */
export enum WebhookFailurePolicy {
  /** The object is accepted without a review. */
  IGNORE = 'Ignore',
  /** The object is rejected. */
  FAIL = 'Fail',
}

/**
 * Separate pods for the webhook. Unset props of pods, such as image, node selector and volumes,
 * default to those of the operator's pods, except for `replicas`, `resources` and
 * `automountServiceAccountToken`. Props of the service account do not: it has only the permissions
 * of the webhook.
 */
export interface WebhookDeployment extends OperatorPodProps, OperatorAccountProps {
  /**
   * Number of replicas. All of them serve.
   *
   * @default 2
   */
  readonly replicas?: number;
}

/**
 * The webhook: it rejects mistakes when applications are applied, and adds settings to pods that
 * neither Spark nor a template can set. Everything else works without it.
 */
export interface OperatorWebhook {
  /**
   * Source of the certificate.
   *
   * @default WebhookCertificates.selfManaged()
   */
  readonly certificates?: WebhookCertificates;

  /**
   * Separate pods. Use `{}` for the defaults of `WebhookDeployment`.
   *
   * @default - the operator's pods, all of which serve it
   */
  readonly deployment?: WebhookDeployment;

  /**
   * Whether the webhook writes defaults into applications, as kubeflow's operator does: cores,
   * memory, executors, the restart policy. The operator applies the same defaults without it. With
   * the operator's `defaultsConfigMapName` they must not be written: values in the application take
   * precedence over the ConfigMap.
   *
   * @default - true; false with `defaultsConfigMapName`
   */
  readonly defaulting?: boolean;

  /**
   * Whether the webhook rejects applications whose pods exceed the remaining ResourceQuotas of
   * their namespace. Otherwise they wait.
   *
   * @default false
   */
  readonly resourceQuotas?: boolean;

  /**
   * Whether an edit of `affinity`, `nodeSelector`, `priorityClassName`, `schedulerName` or
   * `tolerations` of `executor` keeps the driver, and new executors get it: kubeflow's feature gate
   * PartialRestart. All executors then need the webhook.
   *
   * @default - false: the application runs again
   */
  readonly partialRestart?: boolean;

  /**
   * Decision about applications while the webhook does not answer. The operator checks them again
   * in any case.
   *
   * @default WebhookFailurePolicy.IGNORE
   */
  readonly failurePolicy?: WebhookFailurePolicy;

  /**
   * Decision about pods that need the webhook while it does not answer. If they are rejected, the
   * application waits and starts later by itself. If they are accepted, they lack settings of the
   * application.
   *
   * @default WebhookFailurePolicy.FAIL
   */
  readonly podFailurePolicy?: WebhookFailurePolicy;

  /**
   * Timeout of the API server for a review of an application; whole seconds, from 1 to 30.
   *
   * @default Duration.seconds(5)
   */
  readonly timeout?: Duration;

  /**
   * Timeout of the API server for a review of a pod; whole seconds, from 1 to 30. It should be less
   * than 10 seconds: Spark's timeout for creating executors
   * (spark.kubernetes.driver.requestTimeout), after which the reason is lost.
   *
   * @default Duration.seconds(8)
   */
  readonly podTimeout?: Duration;

  /**
   * Port of the pods. On some clusters (private GKE, EKS with a custom network) a firewall must
   * allow the API server to reach it.
   *
   * @default 9443
   */
  readonly port?: number;
}
