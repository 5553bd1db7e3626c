import { Construct } from 'constructs';
import { constructsOf } from './_app';
import type { JobNamespaceSelection } from './_namespace-selectors';
import { operatorViolations, ownNamespaceProblem } from './_operator-checks';
import { type OperatorContext, operatorContext } from './_operator-context';
import { createOperator } from './_operator-objects';
import { metricsServiceName } from './_operator-metrics';
import { operatorFlags, metricsPort, submissionOf } from './_operator-flags';
import { overlaps } from './_operator-overlaps';
import { jobRoles } from './_operator-permissions';
import { labelObjects } from './_labels';
import { rejectConstructs } from '../props/_foreign-constructs';
import type { SubmissionSettings } from '../plan/settings';
import type { JobRole } from './_roles';
import { replacedObjects } from './_replaced-objects';
import { OPERATOR_PROP_TYPES } from './_construct-prop-types';
import { checkedProps, withoutRepetitions } from '../props/_prop-types';
import { reportAtSynth } from './_report';
import { SparkOperatorProps } from './spark-operator-props';
import { OPERATOR_NAME } from '../model/installation';
import { isError, problemText, type Problem } from '../model/problem';

const NO_NAMESPACE: Problem = {
  path: 'jobNamespaces', reason: 'is empty',
  remedy: 'add at least one namespace, pass the operator to a SparkJobNamespace, or set namespaceSelector, namespaceSelectorExpression or allNamespaces',
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
  public readonly driverServiceAccountName: string;

  /**
   * Name of the ClusterRole with the permissions of drivers. Bind it to their service account in
   * each namespace that is not in `jobNamespaces`. It exists with `namespaceSelector` and
   * `allNamespaces`.
   */
  public readonly driverClusterRoleName: string;

  /** Name of the operator's Deployment. */
  public readonly deploymentName: string;

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

  private readonly context: OperatorContext;
  /** Job namespaces that were added later. */
  private readonly given = new Set<string>();

  constructor(scope: Construct, id: string, props: SparkOperatorProps = {}) {
    super(scope, id);
    rejectConstructs(this, props ?? {});
    const { props: accepted, problems: ofTypes } = checkedProps(props, OPERATOR_PROP_TYPES, this);
    const context = operatorContext(accepted);
    this.context = context;
    const { names, jobNamespaces, isClusterWide } = context;
    this.namespace = context.namespace;
    this.jobNamespaces = jobNamespaces;
    this.serviceAccountName = context.accounts.operator;
    this.driverServiceAccountName = names.driverAccount;
    this.driverClusterRoleName = names.driverClusterRole;
    this.deploymentName = names.operator.name;
    this.namespaceSelector = accepted.namespaceSelector;
    this.metricsServiceName = metricsPort(accepted) === undefined ? undefined : metricsServiceName(names.operator);
    this.webhookServiceName = accepted.webhook && names.webhook.service;
    this.webhookDeploymentName = accepted.webhook?.deployment && names.webhook.name;
    this.consoleServiceName = accepted.console && names.console.name;
    this.defaultsConfigMapName = context.features.defaultsConfigMapName;
    this._hasPolicy = accepted.admissionPolicy !== false;
    const problems = withoutRepetitions(ofTypes, operatorViolations(context));
    reportAtSynth(this, () => {
      const ofOthers = overlaps(this, constructsOf(this, SparkOperator));
      return [
        ...problems, ...(isClusterWide || jobNamespaces.length > 0 ? [] : [NO_NAMESPACE]), ...ofOthers,
        ...(ofOthers.some(isError) ? [] : replacedObjects(this, 'create it in one of them only')),
      ];
    });
    // Wrong props give no objects.
    if (problems.length > 0) return;
    createOperator(this, context);
    labelObjects(this, OPERATOR_NAME, names.instance, accepted.labels);
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
    // The manifests have a reference to this list, and read it at synthesis.
    if (!this.context.isClusterWide) this.jobNamespaces.push(name);
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
      remedy: `leave it out there${this.context.props.jobNamespaces ? '' : ', with jobNamespaces: []'}`,
    } : undefined;
  }

  /**
   * Whether applications can be submitted by spark-submit, with the service account of drivers.
   *
   * @internal
   */
  public get _canSparkSubmit(): boolean {
    return this.context.canSparkSubmit;
  }

  /**
   * Returns whether the operator watches a namespace, as far as this is known.
   *
   * @internal
   */
  public _mayWatch(namespace: string): boolean {
    return this.context.isClusterWide || this.jobNamespaces.includes(namespace);
  }

  /**
   * Returns which namespaces the operator watches.
   *
   * @internal
   */
  public get _selection(): JobNamespaceSelection {
    return this.context.selection;
  }

  /**
   * Returns the operator's settings of submissions; undefined if it would not start.
   *
   * @internal
   */
  public _submission(): SubmissionSettings | undefined {
    return submissionOf(operatorFlags(this.context.props, this.context), this.namespace);
  }

  /**
   * Returns the Roles of the operator, its webhook and its console in each job namespace; none if
   * they have their permissions in the whole cluster.
   *
   * @internal
   */
  public _jobRoles(): readonly JobRole[] {
    return jobRoles(this.context);
  }

  /**
   * Returns the labels by which the operator's objects select its pods.
   *
   * @internal
   */
  public get _selector(): { readonly [label: string]: string } {
    return this.context.names.operator.selector;
  }

  /**
   * Returns the key of the installation.
   *
   * @internal
   */
  public get _key(): string {
    return this.context.names.key;
  }
}
