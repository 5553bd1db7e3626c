import { Size } from 'cdk8s';
import { ImagePullPolicy } from '../api/spark-application';
import { Affinity, EnvVar, Toleration, TopologySpreadConstraint } from '../k8s';

/** CPU and memory of the operator. Unset values keep their default. */
export interface OperatorResources {
  /**
   * CPU request, in millicores.
   *
   * @default 100
   */
  readonly cpuRequestMillis?: number;

  /**
   * CPU limit, in millicores.
   *
   * @default - no limit, so that the operator can process bursts of applications quickly
   */
  readonly cpuLimitMillis?: number;

  /**
   * Memory request.
   *
   * @default - 128 MiB; with spark-submit 512 MiB
   */
  readonly memoryRequest?: Size;

  /**
   * Memory limit.
   *
   * @default - 512 MiB; with spark-submit 1 GiB, which also limits concurrent runs
   */
  readonly memoryLimit?: Size;
}

/** Certificates of authorities that spark-submit trusts in addition to the public ones. */
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

/** Proxies for downloads and uploads of spark-submit. */
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
   * Hosts and domains that are reached without a proxy; `.example.org` is a domain with its
   * subdomains. The API server is always included. Java, and so spark-submit, ignores ranges of
   * addresses (`10.0.0.0/8`) and uses the proxy for them; other programs support them.
   *
   * @default - the API server only
   */
  readonly noProxy?: string[];
}

/** Pods of the operator. */
export interface OperatorPodProps {
  /**
   * Image of the operator.
   *
   * @default - `ghcr.io/cdk8s-spark-operator/spark-operator` with the version of this package as
   * its tag; with `sparkSubmit` the tag ends in `-spark-submit`
   */
  readonly image?: string;

  /**
   * Pull policy of the operator's image.
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
   * @default - requests of 0.1 CPU and 128 MiB, a limit of 512 MiB; more memory with `sparkSubmit`
   */
  readonly resources?: OperatorResources;

  /**
   * Name of the PriorityClass of the pods.
   *
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Node selector of the pods.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Tolerations of the pods.
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Node and pod affinity of the pods.
   *
   * @default - none
   */
  readonly affinity?: Affinity;

  /**
   * Topology spread constraints of the replicas.
   *
   * @default - several replicas are spread over nodes and zones, if possible
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
   * Further variables of the operator's container. spark-submit inherits only the credentials of
   * object stores (`AWS_…`, `AZURE_…`, `GOOGLE_…`).
   *
   * @default - none
   */
  readonly env?: EnvVar[];

  /**
   * Certificates of your own authorities, for object stores and repositories that spark-submit
   * uses. Only with `sparkSubmit`: the operator itself calls only the API server, whose authority
   * it knows from its service account.
   *
   * @default - none
   */
  readonly caCertificates?: CaCertificates;

  /**
   * Proxies for downloads and uploads of spark-submit. Only with `sparkSubmit`: the operator itself
   * calls the API server without a proxy, whatever its environment contains.
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
   * Annotations of the operator's service account, for example for an identity in the cloud
   * (`eks.amazonaws.com/role-arn`).
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };
}
