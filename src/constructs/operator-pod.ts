import { Size } from 'cdk8s';
import { ImagePullPolicy } from '../api/spark-application';
import { Affinity, EnvVar, Toleration, TopologySpreadConstraint } from '../k8s';

/** CPU and memory of the operator. What is left out keeps its default. */
export interface OperatorResources {
  /**
   * CPU that is reserved, in thousandths of a core.
   *
   * @default 100
   */
  readonly cpuRequestMillis?: number;

  /**
   * CPU that is the most there is, in thousandths of a core.
   *
   * @default - no limit, so that a burst of applications is dealt with quickly
   */
  readonly cpuLimitMillis?: number;

  /**
   * Memory that is reserved.
   *
   * @default - 128 MiB; with spark-submit 512 MiB
   */
  readonly memoryRequest?: Size;

  /**
   * Memory that is the most there is.
   *
   * @default - 512 MiB; with spark-submit 1 GiB, and as many runs at a time as fit
   */
  readonly memoryLimit?: Size;
}

/** Certificates of authorities that spark-submit trusts besides those that everybody does. */
export interface CaCertificates {
  /** Name of a ConfigMap in the operator's namespace. */
  readonly configMapName: string;

  /**
   * Key of the ConfigMap with the certificates, in PEM.
   *
   * @default ca.crt
   */
  readonly key?: string;
}

/** Proxies for what spark-submit loads and uploads. */
export interface OperatorProxy {
  /**
   * URL of the proxy for `http:`, such as `http://proxy.example.org:3128`.
   *
   * @default - none
   */
  readonly httpProxy?: string;

  /**
   * URL of the proxy for `https:`.
   *
   * @default - none
   */
  readonly httpsProxy?: string;

  /**
   * Hosts and domains that are reached without a proxy; `.example.org` is a domain and all in it. The API server always is one of them. Ranges of addresses (`10.0.0.0/8`)
   * count for programs that know them: Java does not, and so spark-submit takes a proxy there.
   *
   * @default - the API server only
   */
  readonly noProxy?: string[];
}

/** The pods of the operator. */
export interface OperatorPodProps {
  /**
   * Image of the operator.
   *
   * @default - `ghcr.io/cdk8s-spark-operator/spark-operator` with the version of this package as its tag; with `sparkSubmit` the tag ends in `-spark-submit`
   */
  readonly image?: string;

  /**
   * When the operator's image is pulled.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * Names of Secrets in the operator's namespace with the credentials of private registries.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * CPU and memory of each replica.
   *
   * @default - 0.1 CPU and 128 MiB reserved, 512 MiB at most; more memory with `sparkSubmit`
   */
  readonly resources?: OperatorResources;

  /**
   * Name of the PriorityClass of the pods.
   *
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Labels of the nodes that the pods may run on.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Taints that the pods tolerate.
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Which nodes, and which other pods, the pods should or must be near to.
   *
   * @default - any
   */
  readonly affinity?: Affinity;

  /**
   * How the replicas are spread over the cluster.
   *
   * @default - with several replicas over nodes and zones, if there are any
   */
  readonly topologySpreadConstraints?: TopologySpreadConstraint[];

  /**
   * Further labels of the pods.
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
   * Further variables of the operator's container. Of credentials of object stores (`AWS_…`, `AZURE_…`, `GOOGLE_…`) spark-submit gets to know.
   *
   * @default - none
   */
  readonly env?: EnvVar[];

  /**
   * Certificates of authorities of your own, for object stores and repositories that spark-submit reaches. Only with `sparkSubmit`: all that the operator itself
   * reaches is the API server, whose authority it knows from its service account.
   *
   * @default - none
   */
  readonly caCertificates?: CaCertificates;

  /**
   * Proxies for what spark-submit loads and uploads. Only with `sparkSubmit`: the operator itself reaches the API server without a proxy, whatever its
   * environment says.
   *
   * @default - none
   */
  readonly proxy?: OperatorProxy;

  /**
   * Name of the operator's service account, which is created.
   *
   * @default spark-operator
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the operator's service account, such as those by which a cloud gives it an identity (`eks.amazonaws.com/role-arn`).
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };
}
