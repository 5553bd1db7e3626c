import { Duration, Size } from 'cdk8s';
import { EventLogStorage } from './event-log-storage';
import { CommonPodProps } from '../props/common-pod-props';
import { Volume } from '../k8s';
import { AllowedTraffic, NetworkPeer } from './network-peer';
import { ServiceIngress, ServiceRoute } from './service-exposure';
import { ImagePullPolicy } from '../api/spark-application';

/** Deletion of event logs. */
export interface EventLogRetention {
  /**
   * Maximum age of an event log.
   *
   * @default Duration.days(7)
   */
  readonly maxAge?: Duration;

  /**
   * Maximum number of event logs; the oldest are deleted first.
   *
   * @default - unlimited
   */
  readonly maxApplications?: number;

  /**
   * Time between two checks for event logs to delete.
   *
   * @default Duration.days(1)
   */
  readonly interval?: Duration;
}

/**
 * Settings of the history server. Those of the pod are the same as of workloads: its container is
 * Spark's.
 */
export interface SparkHistoryServerProps extends CommonPodProps {
  /** Version of Spark, such as `4.1.1`, at least that of the applications. */
  readonly sparkVersion: string;

  /** Storage of the event logs. */
  readonly eventLogs: EventLogStorage;

  /**
   * Name of the created objects: Deployment, Service, service account, and so on. It must begin
   * with a letter, because names of Services do.
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
   * Image with Spark, the entrypoint of Apache's images, and the connector of the object store.
   *
   * @default - `apache/spark:<sparkVersion>` for volumes and HDFS; required for object stores
   */
  readonly image?: string;

  /**
   * Pull policy of the image.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of Secrets for pulling the image.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Memory of the container, of which 70 % are the heap.
   *
   * @default Size.gibibytes(2)
   */
  readonly memory?: Size;

  /**
   * CPU request, in cores, or 0 for none. Reading a large event log uses all available cores.
   *
   * @default 0.5
   */
  readonly cpu?: number;

  /**
   * Size of the local cache for parsed event logs. It is lost with the pod.
   *
   * @default Size.gibibytes(10)
   */
  readonly cache?: Size;

  /**
   * Deletion of event logs. Use `{}` for the defaults of `EventLogRetention`.
   *
   * @default - never
   */
  readonly retention?: EventLogRetention;

  /**
   * Time between two checks for new event logs.
   *
   * @default Duration.seconds(10)
   */
  readonly updateInterval?: Duration;

  /**
   * Further properties, such as `spark.history.ui.acls.enable`. They take precedence over other
   * props. The location of event logs (`eventLogs`), and port and folder of the server cannot be
   * set. A ConfigMap contains them, so secrets are rejected; refer to a variable of `secretEnv`
   * instead, as `${env:NAME}` (`${env.NAME}` in `spark.hadoop.…`).
   *
   * @default - none
   */
  readonly sparkConf?: { [key: string]: string };

  /**
   * User id of the process, and group id of its volumes. Drivers must write with the same user or
   * group.
   *
   * @default 185 - that of Spark's images
   */
  readonly userId?: number;

  /**
   * Whether the platform assigns the user id, as OpenShift does. The image's entrypoint must
   * support any user id, as that of Apache's images does.
   *
   * @default false
   */
  readonly userIdFromPlatform?: boolean;

  /**
   * Annotations of the service account for an identity in the cloud: `eks.amazonaws.com/role-arn`
   * (see `credentialsProvider` of `EventLogStorage.s3`), `iam.gke.io/gcp-service-account`.
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };

  /**
   * Labels of the pods, in addition to those of the selector.
   *
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pods.
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Volumes for `volumeMounts`, and for the mounts of other containers.
   *
   * @default - none
   */
  readonly volumes?: Volume[];

  /**
   * Options of the JVM, such as `-XX:+UseG1GC`. The heap is a part of `memory`.
   *
   * @default - none
   */
  readonly javaOptions?: string;

  /**
   * An Ingress. The history server does not authenticate users: configure the controller to do it.
   *
   * @default - none
   */
  readonly ingress?: ServiceIngress;

  /**
   * An HTTPRoute of the Gateway API. The history server does not authenticate users: configure the
   * Gateway to do it.
   *
   * @default - none
   */
  readonly httpRoute?: ServiceRoute;

  /**
   * Whether a NetworkPolicy allows only traffic from `clients`, and to the required destinations.
   *
   * @default true
   */
  readonly isolated?: boolean;

  /**
   * Peers that can open the web UI, such as the pods of the ingress controller.
   *
   * @default - all with `ingress` or `httpRoute`, else the pods of the same namespace
   */
  readonly clients?: NetworkPeer[];

  /**
   * DNS servers.
   *
   * @default - port 53 of the pods of `kube-system`, and of 169.254.20.10, the usual address of a
   * cache on each node (node-local-dns); Cloud DNS of GKE is at 169.254.169.254
   */
  readonly dns?: AllowedTraffic;

  /**
   * Further destinations of the history server. The policy already allows DNS and the object store:
   * HTTPS or the port of its `endpoint`, and without a Secret the cloud's identity service.
   *
   * @default - none; all with any other file system (`EventLogStorage.uri`), whose location the
   * construct does not know
   */
  readonly egress?: AllowedTraffic[];
}
