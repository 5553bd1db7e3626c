import { ApiObject, Duration, Include, JsonPatch, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { PACKAGE_VERSION } from './_package';
import { clusterRole, DRIVER_RULES, grant, NAMESPACE_RULES, OPERATOR_RULES, ownRules, SPARK_SUBMIT_RULES } from './_rbac';
import { crdFile } from './_schema';
import { KINDS } from '../api/kinds';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { ImagePullPolicy } from '../api/spark-application';

/** What is written to a log: the level and what is graver. */
export enum LogLevel {
  /** Everything, for a look into a problem. */
  DEBUG = 'debug',
  /** Each change of an application. */
  INFO = 'info',
  /** What somebody may have to look at. */
  WARN = 'warn',
  /** What went wrong. */
  ERROR = 'error',
}

/** How applications are submitted. */
export enum SubmissionMode {
  /** Natively; by running spark-submit what cannot be submitted natively, if the image has Spark. */
  AUTO = 'auto',
  /** Natively: the operator creates what spark-submit would create. What cannot be submitted so fails with the reasons. */
  NATIVE = 'native',
  /** By running spark-submit. The image must have Spark. */
  SPARK_SUBMIT = 'spark-submit',
}

/** How the operator is installed. */
export interface SparkOperatorProps {
  /**
   * Namespace of the operator itself. It is created.
   *
   * @default spark-operator
   */
  readonly namespace?: string;

  /**
   * Namespaces with Spark applications. In each of them the operator gets the rights that it needs, and drivers a service account
   * (`spark`) with those that Spark needs. In all other namespaces applications are ignored, unless `namespaceSelector` or
   * `allNamespaces` says otherwise.
   *
   * @default - `default`; none with `namespaceSelector` or `allNamespaces`
   */
  readonly jobNamespaces?: string[];

  /**
   * Labels of namespaces with Spark applications, besides `jobNamespaces`: those that have all of these labels. Namespaces may come and go,
   * get and lose labels while the operator runs.
   *
   * The operator then gets its rights in all namespaces of the cluster, as nobody can say which they will be. Drivers need a service account in each
   * of them: bind the ClusterRole `driverClusterRoleName` to it there.
   *
   * @default - namespaces are not selected by labels
   */
  readonly namespaceSelector?: { [key: string]: string };

  /**
   * Whether applications of all namespaces are run. Rights and service accounts are as with `namespaceSelector`.
   *
   * @default false
   */
  readonly allNamespaces?: boolean;

  /**
   * Whether the job namespaces are created, too.
   *
   * @default false
   */
  readonly createJobNamespaces?: boolean;

  /**
   * How many replicas of the operator there are. One of them works, the others stand by with all that they need to know; two are enough to
   * bridge the loss of a node in about 15 seconds, and an orderly end in less than two.
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Name of ConfigMaps with defaults and limits for applications: that in the namespace of the operator counts for all, that in a job namespace for
   * the applications there.
   *
   * @default - there are none
   */
  readonly defaultsConfigMap?: string;

  /**
   * Further flags of the operator, such as `--enable-driver-pdb`. They count more than what other properties say.
   *
   * @default - none
   */
  readonly flags?: string[];

  /**
   * Image of the operator.
   *
   * @default - `cdk8s-spark-operator/spark-operator` with the version of this package as its tag; with `sparkSubmit` the tag ends in `-spark-submit`
   */
  readonly image?: string;

  /**
   * When the operator's image is pulled.
   *
   * @default ImagePullPolicy.IF_NOT_PRESENT
   */
  readonly imagePullPolicy?: ImagePullPolicy;

  /**
   * How applications are submitted that have no annotation `sparkoperator.k8s.io/submission-mode`.
   *
   * @default SubmissionMode.AUTO
   */
  readonly submissionMode?: SubmissionMode;

  /**
   * Whether the operator can run spark-submit, for what cannot be submitted natively: it then runs an image that carries Spark, and gets the
   * memory, the folder for temporary files and the rights that spark-submit needs.
   *
   * @default - true with `SubmissionMode.SPARK_SUBMIT`, else false
   */
  readonly sparkSubmit?: boolean;

  /**
   * What the operator writes to its log: this level and what is graver.
   *
   * @default LogLevel.INFO
   */
  readonly logLevel?: LogLevel;

  /**
   * How long the creation or the start of a driver may wait for what does not come by itself, such as an image or a service account
   * that does not exist, before its application fails. Waiting for a free node or for quota does not count.
   *
   * @default Duration.minutes(5)
   */
  readonly driverStartTimeout?: Duration;
}

const NAME = 'spark-operator';
const SELECTOR = { 'app.kubernetes.io/name': NAME };
/** Of the Lease, by which kubeflow's operator and this one exclude each other in one namespace. */
const LEASE = 'spark-operator-controller-lock';
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;

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

  /** Name of the service account for drivers, in each job namespace. */
  public readonly driverServiceAccountName: string = DRIVER_SERVICE_ACCOUNT;

  /**
   * Name of the ClusterRole with what drivers need, to be bound to their service account in each namespace that is not in `jobNamespaces`. It exists with
   * `namespaceSelector` and `allNamespaces`.
   */
  public readonly driverClusterRoleName: string;

  constructor(scope: Construct, id: string, props: SparkOperatorProps = {}) {
    super(scope, id);
    this.namespace = props.namespace ?? NAME;
    const isClusterWide = props.allNamespaces === true || props.namespaceSelector !== undefined;
    this.jobNamespaces = props.jobNamespaces ?? (isClusterWide ? [] : ['default']);
    // Two operators of a cluster must not share what has no namespace.
    this.driverClusterRoleName = `${DRIVER_SERVICE_ACCOUNT}-driver:${this.namespace}`;
    check(this.node.path, this.jobNamespaces, isClusterWide, props);

    for (const kind of KINDS) new Include(this, `Crd${kind.kind}`, { url: crdFile(kind) });
    const namespaces = new Set([this.namespace, ...(props.createJobNamespaces ? this.jobNamespaces : [])]);
    for (const name of namespaces) {
      // Nothing in the operator's namespace needs more than the restricted standard; drivers may, by their users' choice.
      const labels = name === this.namespace && !this.jobNamespaces.includes(name) ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : undefined;
      new kplus.Namespace(this, `Namespace-${name}`, { metadata: { name, labels } });
    }

    const sparkSubmit = props.sparkSubmit ?? props.submissionMode === SubmissionMode.SPARK_SUBMIT;
    const account = new kplus.ServiceAccount(this, 'ServiceAccount', { metadata: { name: NAME, namespace: this.namespace } });
    const rules = [...OPERATOR_RULES, ...(sparkSubmit ? SPARK_SUBMIT_RULES : [])];
    grant(this, 'Own', { name: `${NAME}-own`, namespace: this.namespace }, ownRules(LEASE, props.defaultsConfigMap), account);
    if (isClusterWide) {
      grant(this, 'Operator', { name: `${NAME}:${this.namespace}` }, [...rules, ...(props.namespaceSelector ? NAMESPACE_RULES : [])], account);
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
    this.deploy(account, { ...props, sparkSubmit });
  }

  private deploy(account: kplus.ServiceAccount, props: SparkOperatorProps): void {
    const deployment = new kplus.Deployment(this, 'Deployment', {
      metadata: { name: NAME, namespace: this.namespace, labels: { ...SELECTOR, 'app.kubernetes.io/version': PACKAGE_VERSION } },
      podMetadata: { labels: SELECTOR },
      select: false,
      replicas: props.replicas ?? 1,
      // A new replica stands by until an old one that works gives it the Lease, so that an update is an orderly end, too.
      strategy: kplus.DeploymentStrategy.rollingUpdate({ maxSurge: kplus.PercentOrAbsolute.absolute(1), maxUnavailable: kplus.PercentOrAbsolute.absolute(0) }),
      serviceAccount: account,
      automountServiceAccountToken: true,
      // The user is left to the image and the platform (OpenShift picks one); that it is not root is checked by the kubelet.
      securityContext: { ensureNonRoot: true },
      terminationGracePeriod: Duration.seconds(30),
      containers: [{
        name: 'operator',
        image: props.image ?? `cdk8s-spark-operator/spark-operator:${PACKAGE_VERSION}${props.sparkSubmit ? '-spark-submit' : ''}`,
        imagePullPolicy: (props.imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT) as string as kplus.ImagePullPolicy,
        args: [
          ...namespaceFlags(this.jobNamespaces, props),
          ...(props.submissionMode === undefined ? [] : [`--submission-mode=${props.submissionMode}`]),
          `--log-level=${props.logLevel ?? LogLevel.INFO}`,
          `--driver-start-timeout=${(props.driverStartTimeout ?? Duration.minutes(5)).toMilliseconds()}ms`,
          `--metrics-bind-address=:${METRICS_PORT}`,
          `--health-probe-bind-address=:${HEALTH_PORT}`,
          ...(props.defaultsConfigMap === undefined ? [] : [`--defaults-config-map=${props.defaultsConfigMap}`]),
          ...props.flags ?? [],
        ],
        ports: [{ name: 'metrics', number: METRICS_PORT }, { name: 'health', number: HEALTH_PORT }],
        liveness: kplus.Probe.fromHttpGet('/healthz', { port: HEALTH_PORT, periodSeconds: Duration.seconds(15), failureThreshold: 4, timeoutSeconds: Duration.seconds(5) }),
        readiness: kplus.Probe.fromHttpGet('/readyz', { port: HEALTH_PORT, periodSeconds: Duration.seconds(5) }),
        resources: {
          cpu: { request: kplus.Cpu.millis(100) },
          // A run of spark-submit takes some 250 MiB, and the operator runs as many at a time as fit.
          memory: props.sparkSubmit ? { request: Size.mebibytes(512), limit: Size.mebibytes(1024) } : { request: Size.mebibytes(128), limit: Size.mebibytes(512) },
        },
        securityContext: { ensureNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false },
        envVariables: {
          POD_NAME: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAME),
          POD_NAMESPACE: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAMESPACE),
        },
      }],
    });
    if (props.sparkSubmit) {
      // The root file system is read-only; pod templates and the JVM's own files are temporary.
      const temporary = kplus.Volume.fromEmptyDir(deployment, 'Temporary', 'tmp', { sizeLimit: Size.gibibytes(1) });
      deployment.containers[0]!.mount('/tmp', temporary);
    }
    // A selector cannot be changed later, so that it must not depend on where in the app the construct stands, as the default does.
    deployment.select(kplus.LabelSelector.of({ labels: SELECTOR }));
    // What cdk8s-plus-27 has no words for.
    ApiObject.of(deployment).addJsonPatch(
      JsonPatch.add('/spec/template/spec/securityContext/seccompProfile', { type: 'RuntimeDefault' }),
      JsonPatch.add('/spec/template/spec/containers/0/securityContext/capabilities', { drop: ['ALL'] }),
    );
    if ((props.replicas ?? 1) > 1) this.spread(deployment);
  }

  /** Lets no loss of a node, and no drain of several, hit all replicas at once, if the cluster has the nodes for it. */
  private spread(deployment: kplus.Deployment): void {
    ApiObject.of(deployment).addJsonPatch(JsonPatch.add('/spec/template/spec/topologySpreadConstraints', ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => (
      { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: SELECTOR } }
    ))));
    new ApiObject(this, 'DisruptionBudget', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: NAME, namespace: this.namespace },
      spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } },
    });
  }
}

function namespaceFlags(jobNamespaces: string[], { allNamespaces, namespaceSelector }: SparkOperatorProps): string[] {
  if (allNamespaces) return ['--namespaces='];
  const selector = namespaceSelector === undefined ? [] : [`--namespace-selector=${Object.entries(namespaceSelector).map(([key, value]) => `${key}=${value}`).join(',')}`];
  return [...(jobNamespaces.length === 0 ? [] : [`--namespaces=${jobNamespaces.join(',')}`]), ...selector];
}

function check(path: string, jobNamespaces: string[], isClusterWide: boolean, props: SparkOperatorProps): void {
  if (jobNamespaces.length === 0 && !isClusterWide) {
    throw new Error(`SparkOperator at ${path}: jobNamespaces is empty; name at least one namespace whose applications are to be run, or set namespaceSelector or allNamespaces`);
  }
  if (props.allNamespaces && props.namespaceSelector) {
    throw new Error(`SparkOperator at ${path}: allNamespaces leaves namespaceSelector nothing to select; leave one of them out`);
  }
  if (props.namespaceSelector && Object.keys(props.namespaceSelector).length === 0) {
    throw new Error(`SparkOperator at ${path}: namespaceSelector is empty; name at least one label, or set allNamespaces`);
  }
  for (const [key, value] of Object.entries(props.namespaceSelector ?? {})) {
    if (!/^([a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(key) || !/^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/.test(value)) {
      throw new Error(`SparkOperator at ${path}: namespaceSelector has ${JSON.stringify(key)}: ${JSON.stringify(value)}, which is not a label`);
    }
  }
  if (props.replicas !== undefined && !(Number.isInteger(props.replicas) && props.replicas >= 0)) {
    throw new Error(`SparkOperator at ${path}: replicas is ${props.replicas}; write a whole number: 1, or 2 for one that stands by`);
  }
  for (const name of [...jobNamespaces, ...(props.namespace === undefined ? [] : [props.namespace])]) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      throw new Error(`SparkOperator at ${path}: ${JSON.stringify(name)} is not the name of a namespace: use lower-case letters, digits and '-', at most 63`);
    }
  }
  if (props.submissionMode === SubmissionMode.SPARK_SUBMIT && props.sparkSubmit === false) {
    throw new Error(`SparkOperator at ${path}: submissionMode is spark-submit, which sparkSubmit: false rules out; leave one of them out`);
  }
  const duplicate = jobNamespaces.find((name, index) => jobNamespaces.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`SparkOperator at ${path}: jobNamespaces names ${JSON.stringify(duplicate)} twice`);
}
