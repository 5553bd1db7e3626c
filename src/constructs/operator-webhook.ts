import { Duration } from 'cdk8s';
import { OperatorResources } from './operator-pod';
import { WebhookCertificates } from './webhook-certificates';

/** What becomes of an object while its webhook is out of reach, or has no answer. */
export enum WebhookFailurePolicy {
  /** It is taken as it is. */
  IGNORE = 'Ignore',
  /** It is refused. */
  FAIL = 'Fail',
}

/** Pods of its own for the webhook. Image, node selector and all else is as with the operator's pods. */
export interface WebhookDeployment {
  /**
   * How many replicas there are. All of them serve.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * CPU and memory of each replica.
   *
   * @default - 0.1 CPU and 128 MiB reserved, 512 MiB at most
   */
  readonly resources?: OperatorResources;

  /**
   * Name of the service account, which is created. It has the rights of the webhook only.
   *
   * @default spark-operator-webhook
   */
  readonly serviceAccountName?: string;
}

/**
 * The webhook: mistakes in applications are refused when they are applied, and pods get what neither Spark nor a template can give them. Everything but the
 * latter works without it.
 */
export interface OperatorWebhook {
  /**
   * Where the certificate comes from.
   *
   * @default WebhookCertificates.selfManaged()
   */
  readonly certificates?: WebhookCertificates;

  /**
   * Pods of its own. `{}` for the defaults of `WebhookDeployment`.
   *
   * @default - it is in the operator's pods, all of which serve it
   */
  readonly deployment?: WebhookDeployment;

  /**
   * Whether defaults are written into applications, as kubeflow's operator does it: cores, memory, executors, the restart policy. The operator takes the same defaults
   * without. With `defaultsConfigMap` of the operator they are not written: what an application says itself wins over the ConfigMap.
   *
   * @default - true; false with `defaultsConfigMap`
   */
  readonly defaulting?: boolean;

  /**
   * Whether applications are refused whose pods do not fit into what is left of the ResourceQuotas of their namespace. Without, they wait for it.
   *
   * @default false
   */
  readonly resourceQuotas?: boolean;

  /**
   * What becomes of applications while the webhook is out of reach. The operator checks them again in any case.
   *
   * @default WebhookFailurePolicy.IGNORE
   */
  readonly failurePolicy?: WebhookFailurePolicy;

  /**
   * What becomes of pods that need the webhook while it is out of reach. Refused, their application waits and starts by itself later; taken, they lack what the application says.
   *
   * @default WebhookFailurePolicy.FAIL
   */
  readonly podFailurePolicy?: WebhookFailurePolicy;

  /**
   * How long the API server waits for an answer about an application; whole seconds, from 1 to 30.
   *
   * @default Duration.seconds(5)
   */
  readonly timeout?: Duration;

  /**
   * How long the API server waits for an answer about a pod; whole seconds, from 1 to 30. Less than the 10 seconds after which Spark, which asks for executors, gives up without the
   * reason (spark.kubernetes.driver.requestTimeout).
   *
   * @default Duration.seconds(8)
   */
  readonly podTimeout?: Duration;

  /**
   * Port of the pods. On some clusters (private GKE, EKS with a network of its own) a firewall has to let the API server reach it.
   *
   * @default 9443
   */
  readonly port?: number;
}
