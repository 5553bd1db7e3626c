import { SparkProfile } from '../props/spark-profile';
import { AccessSubject } from './access-subject';
import { ApplicationLimits } from './application-limits';
import { JobNamespaceContainerLimits, JobNamespaceQuota } from './job-namespace-quota';
import { AllowedTraffic, NetworkPeer } from './network-peer';
import { SparkOperator } from './spark-operator';

/** Pod Security Standard of a namespace. */
export enum PodSecurityLevel {
  /** Allows all pods. Needed for volumes of the node (`hostPath`) and its network. */
  PRIVILEGED = 'privileged',
  /** Prevents known privilege escalations. Spark runs without changes. */
  BASELINE = 'baseline',
  /**
   * Hardened: no root, no capabilities. Spark runs with the security context in the namespace's
   * defaults, which need a ConfigMap with defaults.
   */
  RESTRICTED = 'restricted',
}

/** Allowed traffic of an isolated namespace, in addition to that between driver and executors. */
export interface JobNamespaceNetwork {
  /**
   * DNS servers.
   *
   * @default - port 53 of the pods of `kube-system`, and of 169.254.20.10, the usual address of a
   * cache on each node (node-local-dns); Cloud DNS of GKE is at 169.254.169.254
   */
  readonly dns?: AllowedTraffic;

  /**
   * Addresses and ports of the API server for drivers: its own, not those of its Service. By
   * default, drivers can reach any destination on these ports, whatever `egress` contains.
   *
   * @default - TCP ports 443 and 6443 of all destinations
   */
  readonly apiServer?: AllowedTraffic;

  /**
   * Destinations of drivers and executors outside: object stores, catalogs, databases. It replaces
   * the default. For drivers, it restricts the TCP ports 443 and 6443 only if `apiServer` has
   * addresses.
   *
   * @default - HTTPS: TCP port 443 of all addresses
   */
  readonly egress?: AllowedTraffic[];

  /**
   * Peers that can open the web UIs of drivers at port 4040, such as the pods of the ingress
   * controller.
   *
   * @default - none; `kubectl port-forward` still works
   */
  readonly webUiFrom?: NetworkPeer[];

  /**
   * Peers that can read metrics, at the ports 8090 (the JMX exporter's) and 4040 (Spark's own): the
   * pods of Prometheus.
   *
   * @default - none
   */
  readonly metricsFrom?: NetworkPeer[];

  /**
   * Further peers that can reach drivers and executors.
   *
   * @default - none
   */
  readonly ingress?: AllowedTraffic[];
}

/** A namespace in which Spark applications run. */
export interface SparkJobNamespaceProps {
  /** Name of the namespace. */
  readonly name: string;

  /**
   * Whether the namespace is created. Otherwise it must exist, with its labels.
   *
   * @default true
   */
  readonly create?: boolean;

  /**
   * Labels of the namespace, in addition to those by which `operator` selects it.
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
   * Pod Security Standard of the namespace.
   *
   * @default PodSecurityLevel.BASELINE - unchanged for an existing namespace
   */
  readonly podSecurity?: PodSecurityLevel;

  /**
   * Operator that runs the applications. It watches the namespace, and gets its permissions there
   * if it has none in the whole cluster. `jobNamespaces` of the operator must then not contain the
   * namespace.
   *
   * @default - an operator of another chart, see `operatorNamespace`
   */
  readonly operator?: SparkOperator;

  /**
   * Namespace of an operator of another chart that has no permissions in the whole cluster: its
   * service account gets them here. That operator must be configured to watch this namespace.
   *
   * @default - the operator has its permissions by a ClusterRole, and selects the namespace by its
   * labels or watches all
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
   * Annotations of the service account for an identity in the cloud: `eks.amazonaws.com/role-arn`,
   * `iam.gke.io/gcp-service-account`.
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };

  /**
   * Whether the service account is created. Otherwise it must exist, and `serviceAccountName` is
   * required.
   *
   * @default true
   */
  readonly createServiceAccount?: boolean;

  /**
   * Whether the Role with the permissions of drivers is created, and bound to the service account.
   *
   * @default true
   */
  readonly createRoles?: boolean;

  /**
   * Annotations of this Role and its binding.
   *
   * @default - none
   */
  readonly roleAnnotations?: { [key: string]: string };

  /**
   * Names of Secrets for pulling images.
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Maximum resources of all pods together.
   *
   * @default - no quota
   */
  readonly quota?: JobNamespaceQuota;

  /**
   * Default and maximum resources of a container.
   *
   * @default - with a quota of CPU or memory the defaults of `JobNamespaceContainerLimits`, else
   * none
   */
  readonly containerLimits?: JobNamespaceContainerLimits;

  /**
   * Whether NetworkPolicies block all traffic of the namespace, except what Spark needs and what
   * `network` allows. The network of the cluster must enforce NetworkPolicies.
   *
   * @default - true for a namespace that is created; false for others, which might contain other
   * programs
   */
  readonly isolated?: boolean;

  /**
   * Further allowed traffic of the isolated namespace.
   *
   * @default - DNS, and for drivers the API server; for drivers and executors HTTPS to all
   * destinations; no ingress
   */
  readonly network?: JobNamespaceNetwork;

  /**
   * Subjects that can run applications in the namespace. Through applications, they have the
   * permissions of the driver's service account.
   *
   * @default - only subjects with permissions from elsewhere
   */
  readonly users?: AccessSubject[];

  /**
   * Subjects that can view applications, pods, logs and events in the namespace.
   *
   * @default - only subjects with permissions from elsewhere
   */
  readonly viewers?: AccessSubject[];

  /**
   * Name of the ConfigMap with defaults and limits of the namespace. The operator must be
   * configured with the same name.
   *
   * @default - that of `operator`; without a name, `defaults` and `enforced` are rejected, and so
   * are `limits` other than service accounts and images, which the operator's admission policy
   * enforces
   */
  readonly defaultsConfigMapName?: string;

  /**
   * Settings that an application has unless it sets others.
   *
   * @default - none; with `PodSecurityLevel.RESTRICTED` the security context that it requires
   */
  readonly defaults?: SparkProfile;

  /**
   * Settings that an application has, whatever it sets.
   *
   * They are no security boundary: drivers can create any pods, and delete the ConfigMap. They
   * cannot change what the ConfigMap in the operator's own namespace enforces and limits.
   *
   * @default - none
   */
  readonly enforced?: SparkProfile;

  /**
   * Limits of applications. Admission policies enforce service accounts and images for applications
   * and for all pods of the namespace, and types and annotations of Services for applications.
   * Tenants cannot circumvent these.
   *
   * The other limits prevent accidents: a driver can create pods of any size, and delete the
   * ConfigMap with the limits. It cannot change the ConfigMap in the operator's own namespace.
   * `quota`, `containerLimits` and `podSecurity` restrict the pods that it creates.
   *
   * @default - Services of type ClusterIP, and no other limit
   */
  readonly limits?: ApplicationLimits;
}
