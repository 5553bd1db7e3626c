import { Duration, Size } from 'cdk8s';
import { EventLogStorage } from './event-log-storage';
import { SecretEntry } from './event-log-options';
import { AllowedTraffic, NetworkPeer } from './network-peer';
import { GatewayReference } from './web-ui';
import { ImagePullPolicy } from '../api/spark-application';

/** When event logs are deleted. */
export interface EventLogRetention {
  /**
   * How long an event log is kept.
   *
   * @default Duration.days(7)
   */
  readonly maxAge?: Duration;

  /**
   * How many event logs are kept; the oldest go first.
   *
   * @default - any number
   */
  readonly maxApplications?: number;

  /**
   * How often is looked for what is to be deleted.
   *
   * @default Duration.days(1)
   */
  readonly interval?: Duration;
}

/** An Ingress for the history server. */
export interface HistoryServerIngress {
  /** Host name by which it is reached. */
  readonly host: string;

  /**
   * Class of the Ingress.
   *
   * @default - the cluster's default class
   */
  readonly className?: string;

  /**
   * Name of a Secret with the certificate of the host.
   *
   * @default - no TLS
   */
  readonly tlsSecretName?: string;

  /**
   * Annotations of the Ingress. Who may come in, most controllers are told here.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** An HTTPRoute for the history server. */
export interface HistoryServerRoute {
  /** Where it is attached. */
  readonly gateways: GatewayReference[];

  /**
   * Host names by which it is reached.
   *
   * @default - those of the Gateway
   */
  readonly hosts?: string[];
}

/** How the history server is run. */
export interface SparkHistoryServerProps {
  /** Version of Spark, such as `4.1.1`: not older than that of the applications. */
  readonly sparkVersion: string;

  /** Where the event logs are. */
  readonly eventLogs: EventLogStorage;

  /**
   * Name of what is created: Deployment, Service, service account, and so on. It begins with a letter, as the names of Services do.
   *
   * @default spark-history-server
   */
  readonly name?: string;

  /**
   * Namespace of the history server.
   *
   * @default - the chart's
   */
  readonly namespace?: string;

  /**
   * Image with Spark, with the entrypoint of Spark's own images, and with the connector of the object store.
   *
   * @default - `apache/spark:<sparkVersion>` for volumes and HDFS; for object stores there is none
   */
  readonly image?: string;

  /**
   * When the image is pulled.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of Secrets with which the image is pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Memory of the container. Seven tenths of it are the heap.
   *
   * @default Size.gibibytes(2)
   */
  readonly memory?: Size;

  /**
   * CPU cores that are requested. Reading a large event log takes as many as there are.
   *
   * @default 0.5
   */
  readonly cpu?: number;

  /**
   * Disk for what was read of event logs, so that it is not read again. It is lost with the pod.
   *
   * @default Size.gibibytes(10)
   */
  readonly cache?: Size;

  /**
   * When event logs are deleted. `{}` for the defaults of `EventLogRetention`.
   *
   * @default - never
   */
  readonly retention?: EventLogRetention;

  /**
   * How often is looked for new event logs.
   *
   * @default Duration.seconds(10)
   */
  readonly updateInterval?: Duration;

  /**
   * Further properties, such as `spark.history.ui.acls.enable`. They count more than what other props say. Where event logs are (`eventLogs`), and port and
   * folder of the server cannot be set. They stand in a ConfigMap, so that secrets are
   * refused, other than as `${env:NAME}` (`${env.NAME}` in `spark.hadoop.…`) with a variable of `secretEnv`.
   *
   * @default - none
   */
  readonly sparkConf?: { [key: string]: string };

  /**
   * Environment variables.
   *
   * @default - none
   */
  readonly env?: { [name: string]: string };

  /**
   * Environment variables whose values are in Secrets.
   *
   * @default - none
   */
  readonly secretEnv?: { [name: string]: SecretEntry };

  /**
   * User id of the process, and group id of its volumes. Drivers have to write with the same user, or group.
   *
   * @default 185 - that of Spark's images
   */
  readonly userId?: number;

  /**
   * Whether the platform chooses the user id, as OpenShift does. The image's entrypoint has to bear any, as those of Spark's images do.
   *
   * @default false
   */
  readonly userIdFromPlatform?: boolean;

  /**
   * Annotations of the service account, by which the cloud knows who it is: `eks.amazonaws.com/role-arn` (see `credentialsProvider` of
   * `EventLogStorage.s3`), `iam.gke.io/gcp-service-account`.
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };

  /**
   * Labels of the pods, besides those by which they are found.
   *
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * An Ingress. The history server asks nobody who he is: let the controller do it.
   *
   * @default - none
   */
  readonly ingress?: HistoryServerIngress;

  /**
   * An HTTPRoute of the Gateway API. The history server asks nobody who he is: let the Gateway do it.
   *
   * @default - none
   */
  readonly httpRoute?: HistoryServerRoute;

  /**
   * Whether a NetworkPolicy lets only `clients` in, and out only what is needed.
   *
   * @default true
   */
  readonly isolated?: boolean;

  /**
   * Who may open the web UI: the pods of the ingress controller, for example.
   *
   * @default - everybody with `ingress` or `httpRoute`, else the pods of the same namespace
   */
  readonly clients?: NetworkPeer[];

  /**
   * Where names are resolved.
   *
   * @default - port 53 of the pods of `kube-system`, and of 169.254.20.10, the usual address of a cache on each node (node-local-dns); Cloud DNS of GKE is at 169.254.169.254
   */
  readonly dns?: AllowedTraffic;

  /**
   * What else the history server may reach: besides DNS, and besides an object store, which is HTTPS, or the port of its `endpoint`, and without a Secret where
   * the cloud tells pods who they are.
   *
   * @default - nothing; everything with any other file system (`EventLogStorage.uri`), of which only you know where it is
   */
  readonly egress?: AllowedTraffic[];
}
