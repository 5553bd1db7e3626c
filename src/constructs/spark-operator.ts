import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { constructsOf } from './_app';
import { addAdmissionPolicy } from './_admission-policies';
import type { JobNamespaceSelection } from './_namespace-selectors';
import { operatorViolations, ownNamespaceProblem } from './_operator-checks';
import { overlaps } from './_operator-overlaps';
import { addConsole, CONSOLE_NAME, CONSOLE_SELECTOR, SHOWN } from './_operator-console';
import { addDriversPolicy } from './_driver-policy';
import { labelObjects, OPERATOR_NAME, OPERATOR_SELECTOR, WEBHOOK_SELECTOR } from './_labels';
import { deployOperator } from './_operator-deployment';
import { METRICS_PORT, operatorFlags, submissionOf, webhookArgs } from './_operator-flags';
import { rejectConstructs } from '../props/_foreign-constructs';
import type { SubmissionSettings } from '../plan/settings';
import { networkPolicies } from './_operator-network-policy';
import { addWebhookService, certificateRules, grantClusterRights, propsOfWebhookPods, registerWebhook, webhookJobRules } from './_operator-webhook';
import { type JobRole, role, serviceAccount } from './_roles';
import { addUserRoles } from './_user-roles';
import {
  canSparkSubmit, defaultsRules, driverRules, type Features, featuresOf, jobRules, NAMESPACE_RULES, ownRules, type Rule,
} from '../flags/permissions';
import { containerArgs } from '../rules/container-args';
import { replacedObjects } from './_replaced-objects';
import { OPERATOR_PROP_TYPES } from './_construct-prop-types';
import { checkedProps, withoutRepetitions } from '../props/_prop-types';
import { reportAtSynth } from './_report';
import { customResourceDefinition } from '../rules/custom-resource-definition';
import { schemaOfKind } from '../rules/schemas';
import { mountedSecret } from './_webhook-certificates';
import { certificatesOf, WEBHOOK_NAME, WEBHOOK_SERVICE, webhookPort } from './_webhook-flags';
import type { OperatorWebhook } from './operator-webhook';
import { SparkOperatorProps } from './spark-operator-props';
import { KINDS } from '../api/kinds';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { DEFAULT_LOCK } from '../model/installation';
import { isError, problemText, type Problem } from '../model/problem';

const NO_NAMESPACE: Problem = {
  path: 'jobNamespaces', reason: 'is empty',
  remedy: 'add at least one namespace, pass the operator to a SparkJobNamespace, or set namespaceSelector or allNamespaces',
};

/**
 * The operator: CRDs, namespace, service accounts, RBAC and the Deployment, ready for one `kubectl
 * apply`.
 *
 * Secure by default: it runs as an arbitrary non-root user on a read-only root file system, without
 * capabilities (the restricted Pod Security Standard). Its permissions in the job namespaces are
 * limited to those that it uses.
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
   * Name of the ClusterRole with the permissions of drivers. Bind it to their service account in
   * each namespace that is not in `jobNamespaces`. It exists with `namespaceSelector` and
   * `allNamespaces`.
   */
  public readonly driverClusterRoleName: string;

  /** Name of the operator's Deployment. */
  public readonly deploymentName: string = OPERATOR_NAME;

  /** Name of the headless Service of the operator's metrics; undefined without metrics. */
  public readonly metricsServiceName?: string;

  /** Name of the Service of the webhook; undefined without a webhook. */
  public readonly webhookServiceName?: string;

  /** Name of the webhook's own Deployment; undefined without one. */
  public readonly webhookDeploymentName?: string;

  /** Name of the Service of the console; undefined without a console. */
  public readonly consoleServiceName?: string;

  /** Labels of namespaces with Spark applications; undefined without a selector. */
  public readonly namespaceSelector?: { [key: string]: string };

  /** Name of the ConfigMaps with defaults and limits; undefined without them. */
  public readonly defaultsConfigMapName?: string;

  /**
   * Whether there is an admission policy, which checks the limits of namespaces.
   *
   * @internal
   */
  public readonly _hasPolicy: boolean;

  private readonly args: string[];
  private readonly webhookArgs: string[] = [];
  private readonly isClusterWide: boolean;
  /** Job namespaces that were added later. */
  private readonly given = new Set<string>();
  private readonly rules: readonly Rule[];
  private readonly features: Features;

  private readonly props: SparkOperatorProps;

  constructor(scope: Construct, id: string, props: SparkOperatorProps = {}) {
    super(scope, id);
    rejectConstructs(this, props ?? {});
    const { props: accepted, problems: ofTypes } = checkedProps(props, OPERATOR_PROP_TYPES, this);
    this.props = accepted;
    this.namespace = accepted.namespace ?? OPERATOR_NAME;
    this.serviceAccountName = accepted.serviceAccountName ?? OPERATOR_NAME;
    const isClusterWide = accepted.allNamespaces === true || accepted.namespaceSelector !== undefined;
    this.jobNamespaces = [...accepted.jobNamespaces ?? (isClusterWide ? [] : ['default'])];
    this.isClusterWide = isClusterWide;
    this.namespaceSelector = accepted.namespaceSelector;
    // Two operators of a cluster must not share cluster-scoped objects.
    this.driverClusterRoleName = `${DRIVER_SERVICE_ACCOUNT}-driver:${this.namespace}`;
    this.metricsServiceName = accepted.metrics?.enabled === false ? undefined : metricsService(OPERATOR_NAME);
    this.webhookServiceName = accepted.webhook && WEBHOOK_SERVICE;
    this.webhookDeploymentName = accepted.webhook?.deployment && WEBHOOK_NAME;
    this.consoleServiceName = accepted.console && CONSOLE_NAME;
    const args = operatorFlags(this.namespace, this.jobNamespaces, accepted);
    this.args = containerArgs(args);
    this._hasPolicy = accepted.admissionPolicy !== false;
    this.features = featuresOf(args, DEFAULT_LOCK);
    this.defaultsConfigMapName = this.features.defaultsConfigMapName;
    this.rules = jobRules(this.features);
    const problems = withoutRepetitions(ofTypes, operatorViolations(this.namespace, this.jobNamespaces, accepted, args));
    reportAtSynth(this, () => {
      const ofOthers = overlaps(this, constructsOf(this, SparkOperator));
      return [
        ...problems, ...(isClusterWide || this.jobNamespaces.length > 0 ? [] : [NO_NAMESPACE]), ...ofOthers,
        ...(ofOthers.some(isError) ? [] : replacedObjects(this, 'create it in one of them only')),
      ];
    });
    // Objects cannot be made from wrong props.
    if (problems.length > 0) return;
    this.create(isClusterWide);
    labelObjects(this, OPERATOR_NAME, this.namespace);
  }

  /** Creates all objects. */
  private create(isClusterWide: boolean): void {
    const { props } = this;
    // In the order of dependencies, because kubectl applies a file from top to bottom.
    if (props.installCrds !== false) {
      for (const kind of KINDS) new ApiObject(this, `Crd${kind.kind}`, customResourceDefinition(kind, schemaOfKind(kind)));
    }
    this.addNamespaces(props);
    const account = new kplus.ServiceAccount(this, 'ServiceAccount', {
      metadata: {
        name: this.serviceAccountName, namespace: this.namespace, ...(props.serviceAccountAnnotations && {
          annotations: props.serviceAccountAnnotations,
        }),
      },
    });
    this.grantRights();
    if (props.userRoles !== false) addUserRoles(this, this.namespace);
    const selection = this._selection;
    if (this._hasPolicy) addAdmissionPolicy(this, this.namespace, selection);
    // A SparkJobNamespace adds the policy of its own account.
    const ownAccounts = { ...selection, names: [...this.jobNamespaces] };
    if (this._hasPolicy && this._canSparkSubmit && (isClusterWide || ownAccounts.names.length > 0)) {
      addDriversPolicy(this, this.namespace, this.driverServiceAccountName, ownAccounts);
    }
    this.addMetrics(props);
    for (const { id, name, spec } of networkPolicies(props)) {
      this.add(id, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name, spec });
    }
    const { webhook } = props;
    const hasMetrics = props.metrics?.enabled !== false;
    const serving = webhook && { port: webhookPort(webhook), mounted: mountedSecret(certificatesOf(webhook)) };
    const pods = { namespace: this.namespace, hasMetrics };
    const served = webhook?.deployment ? WEBHOOK_SELECTOR : OPERATOR_SELECTOR;
    if (webhook) addWebhookService(this, webhook, this.namespace, OPERATOR_SELECTOR, served);
    deployOperator(this, {
      ...pods, name: OPERATOR_NAME, selector: OPERATOR_SELECTOR, account, args: this.args, ...(!webhook?.deployment
      && { webhook: serving }),
    }, props);
    this.addDisruptionBudget('DisruptionBudget', OPERATOR_NAME, OPERATOR_SELECTOR, props.replicas ?? 1);
    if (webhook?.deployment) {
      const ofPods = propsOfWebhookPods(props, webhook.deployment);
      const own = { name: WEBHOOK_NAME, selector: WEBHOOK_SELECTOR, account: this.addWebhookAccount(webhook), args: this.webhookArgs };
      deployOperator(this, { ...pods, ...own, servesOnly: true, webhook: serving }, ofPods);
      this.addDisruptionBudget('WebhookDisruptionBudget', WEBHOOK_NAME, WEBHOOK_SELECTOR, ofPods.replicas!);
    } else if (webhook) {
      grantClusterRights(this, webhook, { namespace: this.namespace, account: account.name, features: this.features, isClusterWide });
    }
    if (props.console) {
      const { namespace, jobNamespaces, features: { lease } } = this;
      addConsole(this, props.console, { namespace, jobNamespaces, isClusterWide, ...(lease !== undefined && { lease }) }, props);
      this.addDisruptionBudget('ConsoleDisruptionBudget', CONSOLE_NAME, CONSOLE_SELECTOR, props.console.replicas ?? 1);
    }
    // After the objects that serve it.
    if (webhook) {
      const { namespace, defaultsConfigMapName } = this;
      registerWebhook(this, webhook, { namespace, labels: OPERATOR_SELECTOR, selection, defaultsConfigMapName });
    }
    // Last, because the cluster might not have this kind.
    const monitor = hasMetrics ? props.metrics?.monitor : undefined;
    if (monitor) new ApiObject(this, 'Monitor', monitor._toManifest(OPERATOR_NAME, this.namespace, OPERATOR_SELECTOR, 'metrics'));
    if (monitor && webhook?.deployment) {
      new ApiObject(this, 'WebhookMonitor', monitor._toManifest(WEBHOOK_NAME, this.namespace, WEBHOOK_SELECTOR, 'metrics'));
    }
  }

  /**
   * Adds a namespace with Spark applications. Creates nothing there: `SparkJobNamespace` does that,
   * and calls this. An operator that watches all namespaces, or selects them by labels, does not
   * need it.
   *
   * @param name name of the namespace, which is not in `jobNamespaces`
   */
  public addJobNamespace(name: string): void {
    const problem = this._jobNamespaceProblem('name', name);
    if (problem) throw new Error(`SparkOperator at ${this.node.path}: addJobNamespace: ${problemText(problem)}`);
    this.given.add(name);
    if (this.isClusterWide) return;
    this.jobNamespaces.push(name);
    // The Deployment has a reference to this list, and reads it at synthesis.
    this.args.splice(0, this.args.length, ...containerArgs(operatorFlags(this.namespace, this.jobNamespaces, this.props)));
    this.writeWebhookArgs();
  }

  /**
   * Returns why a namespace cannot be added.
   *
   * @param path path of the prop with the name
   * @internal
   */
  public _jobNamespaceProblem(path: string, name: string): Problem | undefined {
    if (name === this.namespace) return ownNamespaceProblem(path, name);
    if (this.given.has(name)) {
      return { path, value: name, reason: 'is already created by a SparkJobNamespace', remedy: 'leave one of them out' };
    }
    return this.jobNamespaces.includes(name) ? {
      path, value: name, reason: 'is already in jobNamespaces, so its service account and Roles would be created twice',
      remedy: `leave it out there${this.props.jobNamespaces ? '' : ', with jobNamespaces: []'}`,
    } : undefined;
  }

  /**
   * Whether applications can be submitted by spark-submit, with the service account of drivers.
   *
   * @internal
   */
  public get _canSparkSubmit(): boolean {
    return canSparkSubmit(this.args);
  }

  /**
   * Returns whether the operator watches a namespace, as far as this is known.
   *
   * @internal
   */
  public _mayWatch(namespace: string): boolean {
    return this.isClusterWide || this.jobNamespaces.includes(namespace);
  }

  /**
   * Returns which namespaces the operator watches.
   *
   * @internal
   */
  public get _selection(): JobNamespaceSelection {
    return { names: this.jobNamespaces, labels: this.namespaceSelector, all: this.props.allNamespaces === true };
  }

  /**
   * Returns the operator's settings of submissions; undefined if it would not start.
   *
   * @internal
   */
  public _submission(): SubmissionSettings | undefined {
    return submissionOf(this.args, this.namespace);
  }

  /**
   * Returns the Roles of the operator, its webhook and its console in each job namespace; none if
   * they have their permissions in the whole cluster.
   *
   * @internal
   */
  public _jobRoles(): readonly JobRole[] {
    if (this.isClusterWide) return [];
    const { namespace, props: { webhook, console } } = this;
    return [
      { id: 'Operator', name: OPERATOR_NAME, rules: this.rules, subject: serviceAccount(this.serviceAccountName, namespace) },
      ...(webhook?.deployment ? [{
        id: 'Webhook', name: WEBHOOK_NAME, rules: webhookJobRules(webhook, this.features),
        subject: serviceAccount(webhook.deployment.serviceAccountName ?? WEBHOOK_NAME, namespace),
      }] : []),
      ...(console ? [{
        id: 'Console', name: CONSOLE_NAME, rules: SHOWN, subject: serviceAccount(console.serviceAccountName ?? CONSOLE_NAME, namespace),
      }] : []),
    ];
  }

  private addNamespaces(props: SparkOperatorProps): void {
    const own = props.createNamespace === false ? [] : [this.namespace];
    for (const name of new Set([...own, ...(props.createJobNamespaces ? this.jobNamespaces : [])])) {
      // All pods in the operator's namespace meet the restricted standard; users choose the
      // standard for drivers.
      const labels = name === this.namespace ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : undefined;
      new kplus.Namespace(this, `Namespace-${name}`, { metadata: { name, labels } });
    }
  }

  private grantRights(): void {
    const { namespace, rules, features, isClusterWide, props: { webhook } } = this;
    const account = [serviceAccount(this.serviceAccountName, namespace)];
    const ofWebhook = webhook && !webhook.deployment ? certificateRules(webhook) : [];
    role(this, 'Own', { name: `${OPERATOR_NAME}-own`, namespace }, [...ownRules(features, isClusterWide), ...ofWebhook], account);
    if (isClusterWide) {
      const ofNamespaces = features.namespaceSelector ? NAMESPACE_RULES : [];
      role(this, 'Operator', { name: `${OPERATOR_NAME}:${namespace}` }, [...rules, ...ofNamespaces], account);
      role(this, 'Driver', { name: this.driverClusterRoleName }, driverRules(this._canSparkSubmit));
    }
    const [operator, ...others] = this._jobRoles();
    for (const jobNamespace of this.jobNamespaces) {
      const jobs = new Construct(this, `Jobs-${jobNamespace}`);
      const add = (parent: Construct, id: string, { name, rules: list, subject }: Omit<JobRole, 'id'>) => role(
        parent, id, { name, namespace: jobNamespace }, list, [subject],
      );
      if (operator) add(jobs, operator.id, operator);
      const drivers = new kplus.ServiceAccount(jobs, 'DriverAccount', {
        metadata: { name: DRIVER_SERVICE_ACCOUNT, namespace: jobNamespace },
        automountToken: true, // Spark's driver reads the API server's certificate and its token where the kubelet mounts them
      });
      add(jobs, 'Driver', {
        name: `${DRIVER_SERVICE_ACCOUNT}-driver`, rules: driverRules(this._canSparkSubmit), subject: serviceAccount(drivers.name, jobNamespace),
      });
      for (const other of others) add(this, `${other.id}-${jobNamespace}`, other);
    }
  }

  /** Adds the account of a webhook with its own pods, which has only the webhook's permissions. */
  private addWebhookAccount(webhook: OperatorWebhook): kplus.ServiceAccount {
    const { namespace, features, isClusterWide } = this;
    const account = new kplus.ServiceAccount(this, 'WebhookAccount', {
      metadata: { name: webhook.deployment!.serviceAccountName ?? WEBHOOK_NAME, namespace },
    });
    const own = [...defaultsRules(features, isClusterWide), ...certificateRules(webhook)];
    if (own.length > 0) role(this, 'WebhookOwn', { name: `${WEBHOOK_NAME}-own`, namespace }, own, [serviceAccount(account.name, namespace)]);
    grantClusterRights(this, webhook, { namespace, account: account.name, features, isClusterWide });
    this.writeWebhookArgs();
    return account;
  }

  /** The Deployment of the webhook has a reference to this list, like that of the operator. */
  private writeWebhookArgs(): void {
    if (this.props.webhook?.deployment) {
      this.webhookArgs.splice(0, this.webhookArgs.length, ...containerArgs(webhookArgs(this.namespace, this.jobNamespaces, this.props)));
    }
  }

  /** Prevents node drains from evicting all replicas at the same time. */
  private addDisruptionBudget(id: string, name: string, selector: { [key: string]: string }, replicas: number): void {
    if (replicas > 1) {
      this.add(id, {
        apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name, spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
      });
    }
  }

  /**
   * Each replica has its own metrics, so the Service is headless and does not balance among them.
   */
  private addMetrics({ metrics = {}, webhook }: SparkOperatorProps): void {
    if (metrics.enabled === false) return;
    const add = (id: string, name: string, selector: { [key: string]: string }) => this.add(id, {
      apiVersion: 'v1',
      kind: 'Service',
      name: metricsService(name),
      labels: selector,
      spec: { clusterIP: 'None', selector, ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics', protocol: 'TCP' }] },
    });
    add('Metrics', OPERATOR_NAME, OPERATOR_SELECTOR);
    if (webhook?.deployment) add('WebhookMetrics', WEBHOOK_NAME, WEBHOOK_SELECTOR);
  }

  /** Adds an object in the operator's namespace, with the operator's name and labels. */
  private add(
    id: string, { apiVersion, kind, name = OPERATOR_NAME, labels = OPERATOR_SELECTOR, spec }: {
      apiVersion: string;
      kind: string;
      name?: string;
      labels?: { [key: string]: string };
      spec: object;
    },
  ): void {
    new ApiObject(this, id, { apiVersion, kind, metadata: { name, namespace: this.namespace, labels }, spec });
  }
}

function metricsService(name: string): string {
  return `${name}-metrics`;
}
