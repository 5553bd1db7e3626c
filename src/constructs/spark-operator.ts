import { ApiObject, Include } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { checkOperator, ownNamespaceProblem } from './_operator-checks';
import { deployOperator } from './_operator-deployment';
import { containerArgs, HEALTH_PORT, METRICS_PORT, operatorFlags } from './_operator-flags';
import { networkPolicySpec } from './_operator-network-policy';
import { clusterRole, DRIVER_RULES, type Features, featuresOf, grant, jobRules, NAMESPACE_RULES, ownRules, type Rule } from './_rbac';
import { crdFile } from './_schema';
import { SparkOperatorProps, SubmissionMode } from './spark-operator-props';
import { KINDS } from '../api/kinds';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';

const NAME = 'spark-operator';
const SELECTOR = { 'app.kubernetes.io/name': NAME };
/** Of the Lease, by which kubeflow's operator and this one exclude each other in one namespace. */
const LEASE = 'spark-operator-controller-lock';

const NO_NAMESPACE = 'jobNamespaces is empty; name at least one namespace whose applications are to be run, give it to a SparkJobNamespace, or set namespaceSelector or allNamespaces';

/**
 * The operator: CRDs, namespace, service accounts, RBAC and the Deployment, ready for one `kubectl apply`.
 *
 * Safe by default: it runs as an arbitrary user other than root on a read-only root file system, without capabilities (the restricted
 * Pod Security Standard), and may do in the job namespaces just what it does.
 */
export class SparkOperator extends Construct {
  /** Namespace of the operator. */
  public readonly namespace: string;

  /** Namespaces with Spark applications. */
  public readonly jobNamespaces: string[];

  /** Name of the operator's service account. */
  public readonly serviceAccountName: string;

  /** Name of the service account for drivers, in each job namespace. */
  public readonly driverServiceAccountName: string = DRIVER_SERVICE_ACCOUNT;

  /**
   * Name of the ClusterRole with what drivers need, to be bound to their service account in each namespace that is not in `jobNamespaces`. It exists with
   * `namespaceSelector` and `allNamespaces`.
   */
  public readonly driverClusterRoleName: string;

  /** Labels of namespaces with Spark applications; undefined if they are not found by labels. */
  public readonly namespaceSelector?: { [key: string]: string };

  /** Name of the ConfigMaps with defaults and limits; undefined if there are none. */
  public readonly defaultsConfigMap?: string;

  private readonly args: string[];
  private readonly isClusterWide: boolean;
  private readonly rules: readonly Rule[];

  constructor(scope: Construct, id: string, private readonly props: SparkOperatorProps = {}) {
    super(scope, id);
    this.namespace = props.namespace ?? NAME;
    this.serviceAccountName = props.serviceAccountName ?? NAME;
    const isClusterWide = props.allNamespaces === true || props.namespaceSelector !== undefined;
    this.jobNamespaces = [...props.jobNamespaces ?? (isClusterWide ? [] : ['default'])];
    this.isClusterWide = isClusterWide;
    this.namespaceSelector = props.namespaceSelector;
    // Two operators of a cluster must not share what has no namespace.
    this.driverClusterRoleName = `${DRIVER_SERVICE_ACCOUNT}-driver:${this.namespace}`;
    const args = operatorFlags(this.jobNamespaces, props);
    checkOperator(this.node.path, this.namespace, this.jobNamespaces, props, args);
    this.args = containerArgs(args);
    this.node.addValidation({ validate: () => (isClusterWide || this.jobNamespaces.length > 0 ? [] : [`SparkOperator at ${this.node.path}: ${NO_NAMESPACE}`]) });

    // In this order: what comes later in a file needs what comes before.
    if (props.installCrds !== false) for (const kind of KINDS) new Include(this, `Crd${kind.kind}`, { url: crdFile(kind) });
    this.addNamespaces(props);
    const sparkSubmit = props.sparkSubmit ?? props.submissionMode === SubmissionMode.SPARK_SUBMIT;
    const account = new kplus.ServiceAccount(this, 'ServiceAccount', {
      metadata: { name: this.serviceAccountName, namespace: this.namespace, ...(props.serviceAccountAnnotations && { annotations: props.serviceAccountAnnotations }) },
    });
    const features = featuresOf(args, sparkSubmit, LEASE);
    this.defaultsConfigMap = features.defaultsConfigMap;
    this.rules = jobRules(features);
    this.grantRights(account, features, isClusterWide);
    this.addMetrics(props);
    this.addNetworkPolicy(props);
    const hasMetrics = props.metrics?.enabled !== false;
    deployOperator(this, { name: NAME, namespace: this.namespace, selector: SELECTOR, account, args: this.args, sparkSubmit, hasMetrics }, props);
    if ((props.replicas ?? 1) > 1) {
      // No drain of several nodes hits all replicas at once.
      this.add('DisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } } });
    }
    // Last: whether the cluster has such a kind is not for us to know.
    const monitor = hasMetrics ? props.metrics?.monitor : undefined;
    if (monitor) new ApiObject(this, 'Monitor', monitor._toManifest(NAME, this.namespace, SELECTOR, 'metrics'));
  }

  /**
   * Tells the operator of one more namespace with Spark applications. Nothing is created there: `SparkJobNamespace` does that, and calls this.
   * Of an operator that looks at all namespaces, or finds them by their labels, nothing has to be told.
   *
   * @param name name of the namespace, which is not in `jobNamespaces`
   */
  public addJobNamespace(name: string): void {
    if (name === this.namespace) throw new Error(`SparkOperator at ${this.node.path}: ${ownNamespaceProblem(name)}`);
    if (this.jobNamespaces.includes(name)) {
      throw new Error(`SparkOperator at ${this.node.path}: ${JSON.stringify(name)} is in jobNamespaces already, so that its service account and Roles would be made twice; leave it out there${this.props.jobNamespaces ? '' : ', with jobNamespaces: []'}`);
    }
    if (this.isClusterWide) return;
    this.jobNamespaces.push(name);
    // The Deployment has this very list, and reads it when it is synthesized.
    this.args.splice(0, this.args.length, ...containerArgs(operatorFlags(this.jobNamespaces, this.props)));
  }

  /**
   * What the operator needs to do in a job namespace; nothing if it may do it in the whole cluster.
   *
   * @internal
   */
  public _jobNamespaceRules(): readonly Rule[] {
    return this.isClusterWide ? [] : this.rules;
  }

  private addNamespaces(props: SparkOperatorProps): void {
    const own = props.createNamespace === false ? [] : [this.namespace];
    for (const name of new Set([...own, ...(props.createJobNamespaces ? this.jobNamespaces : [])])) {
      // Nothing in the operator's namespace needs more than the restricted standard; drivers may, by their users' choice.
      const labels = name === this.namespace ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : undefined;
      new kplus.Namespace(this, `Namespace-${name}`, { metadata: { name, labels } });
    }
  }

  private grantRights(account: kplus.ServiceAccount, features: Features, isClusterWide: boolean): void {
    const { rules } = this;
    grant(this, 'Own', { name: `${NAME}-own`, namespace: this.namespace }, ownRules(features, isClusterWide), account);
    if (isClusterWide) {
      grant(this, 'Operator', { name: `${NAME}:${this.namespace}` }, [...rules, ...(features.namespaceSelector ? NAMESPACE_RULES : [])], account);
      clusterRole(this, 'Driver', this.driverClusterRoleName, DRIVER_RULES);
    }
    for (const jobNamespace of this.jobNamespaces) {
      const jobs = new Construct(this, `Jobs-${jobNamespace}`);
      if (!isClusterWide) grant(jobs, 'Operator', { name: NAME, namespace: jobNamespace }, rules, account);
      const drivers = new kplus.ServiceAccount(jobs, 'DriverAccount', {
        metadata: { name: DRIVER_SERVICE_ACCOUNT, namespace: jobNamespace },
        automountToken: true, // Spark's driver finds the API server and its token where the kubelet mounts them
      });
      grant(jobs, 'Driver', { name: `${DRIVER_SERVICE_ACCOUNT}-driver`, namespace: jobNamespace }, DRIVER_RULES, drivers);
    }
  }

  /** Each replica has metrics of its own: the Service has no address that would lead to one or the other. */
  private addMetrics({ metrics = {} }: SparkOperatorProps): void {
    if (metrics.enabled === false) return;
    this.add('Metrics', {
      apiVersion: 'v1',
      kind: 'Service',
      name: `${NAME}-metrics`,
      spec: { clusterIP: 'None', selector: SELECTOR, ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics', protocol: 'TCP' }] },
    });
  }

  private addNetworkPolicy({ networkPolicy, metrics }: SparkOperatorProps): void {
    if (!networkPolicy) return;
    const spec = networkPolicySpec(networkPolicy, SELECTOR, { health: HEALTH_PORT, ...(metrics?.enabled !== false && { metrics: METRICS_PORT }) });
    this.add('NetworkPolicy', { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec });
  }

  /** An object in the operator's namespace, with the operator's name and labels. */
  private add(id: string, { apiVersion, kind, name = NAME, spec }: { apiVersion: string; kind: string; name?: string; spec: object }): void {
    new ApiObject(this, id, { apiVersion, kind, metadata: { name, namespace: this.namespace, labels: SELECTOR }, spec });
  }
}
