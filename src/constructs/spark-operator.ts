import { ApiObject, Duration, Include, JsonPatch, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { PACKAGE_VERSION } from './_package';
import { DRIVER_RULES, grant, OPERATOR_RULES, SPARK_SUBMIT_RULES } from './_rbac';
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
   * (`spark`) with those that Spark needs. In all other namespaces applications are ignored.
   *
   * @default ['default']
   */
  readonly jobNamespaces?: string[];

  /**
   * Whether the job namespaces are created, too.
   *
   * @default false
   */
  readonly createJobNamespaces?: boolean;

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

  constructor(scope: Construct, id: string, props: SparkOperatorProps = {}) {
    super(scope, id);
    this.namespace = props.namespace ?? NAME;
    this.jobNamespaces = props.jobNamespaces ?? ['default'];
    check(this.node.path, this.jobNamespaces, props);

    for (const kind of KINDS) new Include(this, `Crd${kind.kind}`, { url: crdFile(kind) });
    const namespaces = new Set([this.namespace, ...(props.createJobNamespaces ? this.jobNamespaces : [])]);
    for (const name of namespaces) {
      // Nothing in the operator's namespace needs more than the restricted standard; drivers may, by their users' choice.
      const labels = name === this.namespace && !this.jobNamespaces.includes(name) ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : undefined;
      new kplus.Namespace(this, `Namespace-${name}`, { metadata: { name, labels } });
    }

    const sparkSubmit = props.sparkSubmit ?? props.submissionMode === SubmissionMode.SPARK_SUBMIT;
    const account = new kplus.ServiceAccount(this, 'ServiceAccount', { metadata: { name: NAME, namespace: this.namespace } });
    for (const jobNamespace of this.jobNamespaces) {
      const jobs = new Construct(this, `Jobs-${jobNamespace}`);
      grant(jobs, 'Operator', { name: NAME, namespace: jobNamespace }, [...OPERATOR_RULES, ...(sparkSubmit ? SPARK_SUBMIT_RULES : [])], account);
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
      replicas: 1,
      strategy: kplus.DeploymentStrategy.recreate(),
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
          `--namespaces=${this.jobNamespaces.join(',')}`,
          ...(props.submissionMode === undefined ? [] : [`--submission-mode=${props.submissionMode}`]),
          `--log-level=${props.logLevel ?? LogLevel.INFO}`,
          `--driver-start-timeout=${(props.driverStartTimeout ?? Duration.minutes(5)).toMilliseconds()}ms`,
          `--metrics-bind-address=:${METRICS_PORT}`,
          `--health-probe-bind-address=:${HEALTH_PORT}`,
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
  }
}

function check(path: string, jobNamespaces: string[], props: SparkOperatorProps): void {
  if (jobNamespaces.length === 0) {
    throw new Error(`SparkOperator at ${path}: jobNamespaces is empty; name at least one namespace whose applications are to be run`);
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
