import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { applyAfter, constructsOf } from './_app';
import { admissionAnnotations } from './_admission-policies';
import { limitsViolations } from './_application-limits';
import type { ApplicationLimits } from './application-limits';
import { ownRole, role, serviceAccount } from './_roles';
import { requirementText } from '../rules/label-selector';
import { wrongLabels } from '../rules/metadata';
import { found, wrongLabelName, wrongName } from '../rules/names';
import { rejectConstructs } from '../props/_foreign-constructs';
import { ISparkJobNamespace, KnownNamespace } from '../props/job-namespace';
import { addDefaults, defaultsViolations, fieldsOf, layerOf, withDriverGroup, withSecurity } from './_namespace-defaults';
import { bound, quotaOf, quotaViolations } from './_namespace-quota';
import { requiredLabels, unfulfilled } from './_namespace-selectors';
import { isolate, networkViolations } from './_network-policies';
import { addDriverPolicy } from './_driver-policy';
import { labelObjects } from './_labels';
import { existingAccountViolations } from './_operator-account-checks';
import { addPodPolicy } from './_pod-policy';
import { allJobRules, driverRules, USER_RULES, VIEWER_RULES } from '../flags/permissions';
import { replacedObjects } from './_replaced-objects';
import { JOB_NAMESPACE_PROP_TYPES } from './_construct-prop-types';
import { checkedProps, withoutRepetitions } from '../props/_prop-types';
import { reportAtSynth } from './_report';
import { PodSecurityLevel, SparkJobNamespaceProps } from './spark-job-namespace-props';
import { SparkOperator } from './spark-operator';
import { ServiceType } from '../api/driver-exposure';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import type { Problem } from '../model/problem';

/** Default name of the service account and the Roles of `SparkOperator`. */
const OPERATOR = 'spark-operator';

/**
 * A namespace for the Spark applications of one team: with the service account and the permissions
 * of drivers, the operator's permissions, and optionally a quota, defaults and limits, and
 * permissions of users. A namespace that the construct creates is isolated: no traffic can enter,
 * and only HTTPS and the traffic that Spark needs can leave.
 */
export class SparkJobNamespace extends Construct implements ISparkJobNamespace {
  /** Name of the namespace. */
  public readonly name: string;

  /** Name of the service account for drivers. */
  public readonly serviceAccountName: string;

  /**
   * Name of the ConfigMap with the namespace's defaults and limits; undefined if the operator has
   * none.
   */
  public readonly defaultsConfigMapName?: string;

  /**
   * Annotations with the service accounts and images of `limits`, for the operator's admission
   * policy. A namespace that is created has them; an existing one (`create: false`) needs them
   * where it is defined.
   */
  public readonly admissionAnnotations: { [name: string]: string };

  private readonly sparkConf: { [key: string]: string } = {};
  private driverGroup?: number;
  /** All workloads of the namespace ask for it. Methods change it. */
  private known?: KnownNamespace;

  private readonly props: SparkJobNamespaceProps;

  constructor(scope: Construct, id: string, props: SparkJobNamespaceProps) {
    super(scope, id);
    rejectConstructs(this, props ?? {});
    const { props: valid, problems: ofTypes } = checkedProps(props, JOB_NAMESPACE_PROP_TYPES, this);
    const accepted = { ...valid, name: valid.name ?? '' };
    this.props = accepted;
    this.name = accepted.name;
    this.serviceAccountName = accepted.serviceAccountName ?? accepted.operator?.driverServiceAccountName ?? DRIVER_SERVICE_ACCOUNT;
    this.defaultsConfigMapName = accepted.defaultsConfigMapName ?? accepted.operator?.defaultsConfigMapName;
    const limits = limitsOf(accepted);
    this.admissionAnnotations = admissionAnnotations(limits);
    const problems = withoutRepetitions(ofTypes, [...wrongProps(accepted, this.defaultsConfigMapName), ...this.linkToOperator(accepted)]);
    reportAtSynth(this, () => [
      ...problems, ...this.otherOperators(accepted), ...this.withoutDefaults(),
      ...replacedObjects(this, 'create the objects of the namespace in one of them only'),
    ]);
    // Wrong props give no objects.
    if (problems.length > 0) return;
    this.create(accepted, limits);
    labelObjects(this, 'spark-job-namespace', this.name);
  }

  /** Creates all objects. */
  private create(props: SparkJobNamespaceProps, limits: ApplicationLimits): void {
    if (props.create ?? true) this.createNamespace(props);
    this.createDriverAccount(props);
    this.grantPrograms(props);
    if (props.users?.length) role(this, 'Users', this.named('spark-user'), USER_RULES, props.users.map((user) => user._toSubject()));
    if (props.viewers?.length) {
      role(this, 'Viewers', this.named('spark-viewer'), VIEWER_RULES, props.viewers.map((viewer) => viewer._toSubject()));
    }
    bound(this, this.name, props.quota, props.containerLimits);
    if (props.operator?._hasPolicy !== false) {
      addPodPolicy(this, this.name, limits);
      // A user who adds an account to an existing namespace, but does not install the operator,
      // might not be allowed to create policies.
      const { create = true, limits: { allowedServiceTypes, allowedServiceAnnotations } = {} } = props;
      const isLimited = create || props.operator || allowedServiceTypes || allowedServiceAnnotations;
      if (isLimited && (props.operator?._canSparkSubmit ?? true)) addDriverPolicy(this, this.name, this.serviceAccountName, limits);
    }
    if (props.isolated ?? props.create ?? true) isolate(this, this.name, props.network ?? {});
    if (this.defaultsConfigMapName !== undefined) {
      addDefaults(this, this.named(this.defaultsConfigMapName), () => this.files(props));
    }
  }

  /**
   * Sets a Spark property of all applications of the namespace that do not set it themselves. Needs
   * a ConfigMap with defaults. `defaults` takes precedence.
   *
   * @param key Name of the property, such as `spark.eventLog.enabled`.
   * @param value Its value.
   */
  public addSparkConf(key: string, value: string): void {
    this.sparkConf[key] = value;
    this.known = undefined;
  }

  /**
   * Sets the group of the volumes of all drivers, unless an application or `defaults` sets one.
   *
   * @internal
   */
  public _ownVolumesOfDrivers(fsGroup: number): void {
    this.driverGroup = fsGroup;
    this.known = undefined;
  }

  private named(name: string): { name: string; namespace: string } {
    return { name, namespace: this.name };
  }

  private linkToOperator({ operator }: SparkJobNamespaceProps): Problem[] {
    const problem = operator?._jobNamespaceProblem('name', this.name);
    if (problem) return [problem];
    if (operator) {
      operator.addJobNamespace(this.name);
      applyAfter(this, operator);
    }
    return [];
  }

  /** Returns other constructs that create the permissions of the namespace. */
  private otherOperators({ name, operator }: SparkJobNamespaceProps): Problem[] {
    const other = constructsOf(this, SparkOperator).find((child) => child !== operator && Chart.of(child) === Chart.of(this)
      && child.jobNamespaces.includes(name));
    return other === undefined ? [] : [{
      path: 'name', value: name,
      reason: `is in jobNamespaces of the SparkOperator at ${other.node.path}, which creates the service account and Roles there`,
      remedy: 'remove it from jobNamespaces, and pass that operator as operator',
    }];
  }

  private withoutDefaults(): Problem[] {
    return this.defaultsConfigMapName === undefined && Object.keys(this.sparkConf).length > 0 ? [NO_DEFAULTS('addSparkConf')] : [];
  }

  private createNamespace({ labels, annotations, podSecurity, operator }: SparkJobNamespaceProps): void {
    const enforce = { [ENFORCE]: podSecurity ?? PodSecurityLevel.BASELINE };
    const all = { ...annotations, ...(operator?._hasPolicy !== false && this.admissionAnnotations) };
    new ApiObject(this, 'Namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: this.name, labels: {
          ...enforce, ...(operator && requiredLabels(operator._selection)), ...labels,
        }, ...(Object.keys(all).length > 0 && { annotations: all }),
      },
    });
  }

  private createDriverAccount(props: SparkJobNamespaceProps): void {
    const { operator, createServiceAccount = true, serviceAccountAnnotations, imagePullSecrets } = props;
    if (createServiceAccount) {
      new ApiObject(this, 'ServiceAccount', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { ...this.named(this.serviceAccountName), ...(serviceAccountAnnotations && { annotations: serviceAccountAnnotations }) },
        automountServiceAccountToken: true, // Spark's driver reads the API server's certificate and its token where the kubelet mounts them
        ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
      });
    }
    ownRole(this, 'Driver', props, this.named(`${this.serviceAccountName}-driver`), driverRules(operator?._canSparkSubmit ?? true), [
      serviceAccount(this.serviceAccountName, this.name),
    ]);
  }

  /** An operator that this app does not contain might have any feature. */
  private grantPrograms({ operator, operatorNamespace, operatorServiceAccountName = OPERATOR }: SparkJobNamespaceProps): void {
    const elsewhere = operatorNamespace === undefined ? [] : [{
      id: 'Operator', name: OPERATOR, props: {}, rules: allJobRules(this.defaultsConfigMapName),
      subject: serviceAccount(operatorServiceAccountName, operatorNamespace),
    }];
    for (const { id, name, props, rules, subject } of operator?._jobRoles() ?? elsewhere) {
      ownRole(this, id, props, this.named(name), rules, [subject]);
    }
  }

  /**
   * Returns what is known about the namespace: the same object until it changes.
   *
   * @internal
   */
  public _known(): KnownNamespace {
    const { name, defaultsConfigMapName: configMap, props: { quota, operator } } = this;
    const origin = configMap === undefined ? `the SparkJobNamespace ${name}` : undefined;
    return (this.known ??= {
      layer: { ...layerOf(`${name}/${configMap}`, this.files(this.props)), origin },
      quota: quota && quotaOf(name, quota),
      submission: operator?._submission(),
    });
  }

  private files(props: SparkJobNamespaceProps) {
    return { defaults: this.defaults(props), enforced: fieldsOf(props.enforced), limits: limitsOf(props) };
  }

  private defaults({ defaults: profile, podSecurity }: SparkJobNamespaceProps): { [field: string]: any } {
    const defaults = fieldsOf(profile);
    // Methods set weaker defaults: the last of them is the group of the standard's defaults.
    const owned = this.driverGroup === undefined ? defaults : withDriverGroup(defaults, this.driverGroup);
    const secure = podSecurity === PodSecurityLevel.RESTRICTED ? withSecurity(owned) : owned;
    return Object.keys(this.sparkConf).length > 0 ? { ...secure, sparkConf: { ...this.sparkConf, ...secure.sparkConf } } : secure;
  }
}

/** Services are not reachable from outside the cluster unless it is allowed. */
function limitsOf({ limits }: SparkJobNamespaceProps): ApplicationLimits {
  return { ...limits, allowedServiceTypes: limits?.allowedServiceTypes ?? [ServiceType.CLUSTER_IP] };
}

const ENFORCE = 'pod-security.kubernetes.io/enforce';

const RESTRICTED_WITHOUT_DEFAULTS: Problem = {
  path: 'podSecurity',
  value: PodSecurityLevel.RESTRICTED,
  reason: 'rejects the default pods of Spark, and no ConfigMap with defaults can add the required security context; set defaultsConfigMapName of SparkOperator, or here the name that the operator uses, or choose BASELINE',
};

const NO_DEFAULTS = (path: string): Problem => (
  {
    path, value: undefined,
    reason: 'has no effect, because the operator reads no ConfigMap with defaults; set defaultsConfigMapName of SparkOperator, or here the name that the operator uses',
  }
);

function wrongProps(props: SparkJobNamespaceProps, configMap: string | undefined): Problem[] {
  const { operator, network } = props;
  const notCreated = props.create === false
    ? (['labels', 'annotations', 'podSecurity'] as const).filter((prop) => props[prop] !== undefined)
    : [];
  return [
    ...found([
      wrongLabelName('name', props.name),
      ...accountViolations(props),
      wrongLabelName('operatorNamespace', props.operatorNamespace),
      wrongName('operatorServiceAccountName', props.operatorServiceAccountName),
      wrongName('defaultsConfigMapName', props.defaultsConfigMapName),
      operator && props.operatorNamespace !== undefined
        ? { path: 'operatorNamespace', value: props.operatorNamespace, reason: 'has the same purpose as operator; leave one of them out' }
        : undefined,
      props.name === props.operatorNamespace ? {
        path: 'name', value: props.name,
        reason: 'is the namespace of the operator itself, where drivers must not run: they could read its token; choose another one',
      } : undefined,
      props.labels?.[ENFORCE] !== undefined ? {
        path: `labels[${ENFORCE}]`, value: props.labels[ENFORCE],
        reason: 'is set by podSecurity; use podSecurity instead',
      } : undefined,
      props.podSecurity === PodSecurityLevel.RESTRICTED && props.create !== false && configMap === undefined
        ? RESTRICTED_WITHOUT_DEFAULTS
        : undefined,
      Object.values(PodSecurityLevel).includes(props.podSecurity ?? PodSecurityLevel.BASELINE) ? undefined : {
        path: 'podSecurity', value: props.podSecurity, reason: `must be one of ${Object.values(PodSecurityLevel).join(', ')}`,
      },
      props.isolated === false && network ? {
        path: 'network', value: undefined, reason: 'has no effect with isolated: false; leave one of them out',
      } : undefined,
    ]),
    ...Object.keys(admissionAnnotations(limitsOf(props))).filter((name) => props.annotations?.[name] !== undefined)
      .map((name) => ({
        path: `annotations[${name}]`, value: props.annotations![name], reason: 'is set by limits; leave it out',
      })),
    ...notCreated.map((path) => ({
      path, value: undefined,
      reason: 'belongs to the namespace, which is not created here; set it where the namespace is defined, or leave create out',
    })),
    ...wrongLabels('labels', props.labels),
    ...selectorViolations(props),
    ...quotaViolations(props.quota, props.containerLimits),
    ...networkViolations(network),
    ...(configMap === undefined ? withoutEffect(props).map(NO_DEFAULTS) : []),
    ...defaultsViolations('defaults', props.defaults),
    ...defaultsViolations('enforced', props.enforced),
    ...limitsViolations(props.limits),
  ];
}

function accountViolations(props: SparkJobNamespaceProps): Problem[] {
  const { serviceAccountName, serviceAccountAnnotations, createServiceAccount, createRoles, roleAnnotations, imagePullSecrets } = props;
  return [
    ...existingAccountViolations([
      ['serviceAccountName', serviceAccountName], ['serviceAccountAnnotations', serviceAccountAnnotations],
      ['createServiceAccount', createServiceAccount], ['createRoles', createRoles], ['roleAnnotations', roleAnnotations],
    ]),
    ...(createServiceAccount === false && imagePullSecrets ? [{
      path: 'imagePullSecrets', reason: 'has no effect with createServiceAccount: false', remedy: 'add them to the existing service account',
    }] : []),
  ];
}

/**
 * Limits that need a ConfigMap with defaults. Service accounts and images are also in annotations,
 * which the admission policy reads.
 */
function withoutEffect({ defaults, enforced, limits = {}, operator }: SparkJobNamespaceProps): string[] {
  const ofLimits = Object.entries(limits).filter(([name, value]) => value !== undefined
    && (operator?._hasPolicy === false || !READ_BY_POLICY.includes(name))).map(([name]) => `limits.${name}`);
  return [...(defaults ? ['defaults'] : []), ...(enforced ? ['enforced'] : []), ...ofLimits];
}

const READ_BY_POLICY = ['allowedServiceAccounts', 'allowedImages', 'allowedServiceTypes', 'allowedServiceAnnotations'];

/** Returns labels that prevent the operator from selecting the namespace. */
function selectorViolations({ labels = {}, operator, create }: SparkJobNamespaceProps): Problem[] {
  if (!operator) return [];
  const selection = operator._selection;
  const required = requiredLabels(selection);
  const contradicting = Object.entries(required).filter(([key, value]) => labels[key] !== undefined && labels[key] !== value);
  const rest = create === false ? [] : unfulfilled(selection, { ...required, ...labels }).filter(({ key }) => required[key] === undefined);
  return [
    ...contradicting.map(([key, value]) => ({
      path: `labels[${key}]`, value: labels[key],
      reason: `contradicts ${selection.labels?.[key] === undefined ? 'namespaceSelectorExpression' : 'namespaceSelector'} of the operator, `
        + `which requires ${JSON.stringify(value)}; leave it out`,
    })),
    ...rest.map((requirement) => ({
      path: `labels[${requirement.key}]`, value: labels[requirement.key],
      reason: `does not match namespaceSelectorExpression of the operator, which requires ${requirementText(requirement)}`,
      remedy: requirement.operator === 'In' || requirement.operator === 'Exists' ? 'set the label' : 'leave it out',
    })),
  ];
}
