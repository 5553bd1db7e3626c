import { AccessSubject } from './access-subject';
import { ApplicationLimits } from './application-limits';
import { JobNamespaceContainerLimits, JobNamespaceQuota } from './job-namespace-quota';
import { AllowedTraffic, NetworkPeer } from './network-peer';
import { SparkOperator } from './spark-operator';

/** Which pods a namespace lets in: the Pod Security Standards of Kubernetes. */
export enum PodSecurityLevel {
  /** All of them. Needed for volumes of the node (`hostPath`) and its network. */
  PRIVILEGED = 'privileged',
  /** No known ways out of the container. Spark runs as it is. */
  BASELINE = 'baseline',
  /** Hardened: no root, no capabilities. Spark runs with the security context that the namespace's defaults then give it: needs a ConfigMap with defaults. */
  RESTRICTED = 'restricted',
}

/** What goes in and out of an isolated namespace besides what driver and executors say to each other. */
export interface JobNamespaceNetwork {
  /**
   * Where names are resolved.
   *
   * @default - port 53 of the pods of `kube-system`, and of 169.254.20.10, the usual address of a cache on each node (node-local-dns); Cloud DNS of GKE is at 169.254.169.254
   */
  readonly dns?: AllowedTraffic;

  /**
   * Where drivers reach the API server: its own addresses and ports, not those of its Service. By default drivers so reach anybody on these ports, whatever
   * `egress` says.
   *
   * @default - TCP ports 443 and 6443, of anybody
   */
  readonly apiServer?: AllowedTraffic;

  /**
   * What drivers and executors may reach outside: object stores, catalogs, databases. In place of the default. Of drivers it bounds the TCP ports 443 and 6443
   * only if `apiServer` names addresses.
   *
   * @default - HTTPS: TCP port 443, at any address
   */
  readonly egress?: AllowedTraffic[];

  /**
   * Who may open the web UIs of drivers, at port 4040: the pods of the ingress controller, for example.
   *
   * @default - nobody; `kubectl port-forward` works all the same
   */
  readonly webUiFrom?: NetworkPeer[];

  /**
   * Who may read metrics, at the ports 8090 (the JMX exporter's) and 4040 (Spark's own): the pods of Prometheus.
   *
   * @default - nobody
   */
  readonly metricsFrom?: NetworkPeer[];

  /**
   * Who else may reach drivers and executors.
   *
   * @default - nobody
   */
  readonly ingress?: AllowedTraffic[];
}

/** A namespace in which Spark applications run. */
export interface SparkJobNamespaceProps {
  /** Name of the namespace. */
  readonly name: string;

  /**
   * Whether the namespace is created. If not, it has to be there, with its labels.
   *
   * @default true
   */
  readonly create?: boolean;

  /**
   * Labels of the namespace, besides those by which `operator` finds it.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the namespace.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Which pods the namespace lets in (Pod Security Standards).
   *
   * @default PodSecurityLevel.BASELINE - of a namespace that is not created: as it is
   */
  readonly podSecurity?: PodSecurityLevel;

  /**
   * The operator that runs the applications. It is told of the namespace, and gets its rights there if it has none in the whole cluster.
   * `jobNamespaces` of the operator does not name it then.
   *
   * @default - an operator of somebody else, see `operatorNamespace`
   */
  readonly operator?: SparkOperator;

  /**
   * Namespace of an operator that is installed elsewhere, and has no rights in the whole cluster: its service account gets them here.
   * That operator has to be told of the namespace where it is installed.
   *
   * @default - the operator has its rights by a ClusterRole, and finds the namespace by its labels or looks at all
   */
  readonly operatorNamespace?: string;

  /**
   * Name of the service account of that operator.
   *
   * @default spark-operator
   */
  readonly operatorServiceAccountName?: string;

  /**
   * Name of the service account for drivers.
   *
   * @default spark
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the service account, by which the cloud knows who it is: `eks.amazonaws.com/role-arn`, `iam.gke.io/gcp-service-account`.
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };

  /**
   * Names of Secrets with which images are pulled.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * What all pods together may take.
   *
   * @default - no quota
   */
  readonly quota?: JobNamespaceQuota;

  /**
   * What a container has that does not say it, and may have at most.
   *
   * @default - with a quota of CPU or memory the defaults of `JobNamespaceContainerLimits`, else none
   */
  readonly containerLimits?: JobNamespaceContainerLimits;

  /**
   * Whether nothing goes in and out of the namespace but what Spark needs and what `network` allows. The network of the cluster has to enforce NetworkPolicies.
   *
   * @default - true for a namespace that is created; false for others, where other things may run
   */
  readonly isolated?: boolean;

  /**
   * What else goes in and out of the isolated namespace.
   *
   * @default - DNS, and for drivers the API server; for drivers and executors HTTPS to anywhere; nothing comes in
   */
  readonly network?: JobNamespaceNetwork;

  /**
   * Who may run applications in the namespace. They can do there what the driver's service account can, by what they run.
   *
   * @default - those who have the rights from elsewhere
   */
  readonly users?: AccessSubject[];

  /**
   * Who may look at applications, pods, logs and events in the namespace.
   *
   * @default - those who have the rights from elsewhere
   */
  readonly viewers?: AccessSubject[];

  /**
   * Name of the ConfigMap with defaults and limits of the namespace. The operator has to look for the same name.
   *
   * @default - that of `operator`; without one there must be neither `defaults` nor `enforced`, nor `limits` but service accounts and images, which the operator's admission policy holds
   */
  readonly defaultsConfigMap?: string;

  /**
   * What applications have that they do not say themselves: fields of the `spec` of a SparkApplication, in the manifest's own shape.
   *
   * @default - none; with `PodSecurityLevel.RESTRICTED` the security context that it asks for
   * @freeForm
   */
  readonly defaults?: { [field: string]: any };

  /**
   * What applications have whatever they say: fields of the `spec` of a SparkApplication, in the manifest's own shape.
   *
   * Not for those who want to get around it: drivers may create pods of any kind, and delete the ConfigMap with it. What the ConfigMap in the operator's own
   * namespace enforces and limits is out of their reach.
   *
   * @default - none
   * @freeForm
   */
  readonly enforced?: { [field: string]: any };

  /**
   * Limits of applications. Admission policies hold service accounts and images for applications and for all pods of the namespace, and types and annotations of Services for
   * applications. Tenants cannot get around these.
   *
   * The other limits prevent accidents: a driver can create pods of any size, and delete the ConfigMap with the limits. It cannot reach the ConfigMap in the operator's own namespace. `quota`,
   * `containerLimits` and `podSecurity` bound the pods that it creates.
   *
   * @default - Services of type ClusterIP, and no other limit
   */
  readonly limits?: ApplicationLimits;
}
