import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { admissionAnnotations } from './_admission-policies';
import { limitsViolations } from './_application-limits';
import { refuseProps } from '../props/_check';
import type { ApplicationLimits } from './application-limits';
import { role } from './_job-roles';
import { found, wrongLabelName, wrongLabels, wrongName } from '../props/_names';
import { defaultsConfigMap, defaultsViolations, withDriverGroup, withSecurity } from './_namespace-defaults';
import { bound, quotaViolations } from './_namespace-quota';
import { isolate, networkViolations } from './_network-policies';
import { CONSOLE_NAME } from './_operator-console';
import { addPodPolicy } from './_pod-policy';
import { allJobRules, DRIVER_RULES, USER_RULES, VIEWER_RULES } from '../flags/permissions';
import { refuseReplacing } from './_replaced-objects';
import { refuseSecondAccount } from './_service-accounts';
import { WEBHOOK_NAME } from './_webhook-flags';
import { PodSecurityLevel, SparkJobNamespaceProps } from './spark-job-namespace-props';
import { SparkOperator } from './spark-operator';
import { ServiceType } from '../api/driver-exposure';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import type { Violation } from '../model/problem';

/** The name that `SparkOperator` gives to its service account and its Roles. */
const OPERATOR = 'spark-operator';

/**
 * A namespace for the Spark applications of one team: with the service account and the rights that drivers need, the operator's rights, and on request a
 * quota, defaults and limits, and the rights of people. A namespace that is created is isolated: nothing comes in, and out goes only what Spark needs and HTTPS.
 */
export class SparkJobNamespace extends Construct {
  /** Name of the namespace. */
  public readonly name: string;

  /** Name of the service account for drivers. */
  public readonly serviceAccountName: string;

  /** Name of the ConfigMap with the namespace's defaults and limits; undefined if the operator looks for none. */
  public readonly defaultsConfigMap?: string;

  /**
   * Annotations that tell the operator's admission policy which service accounts and images `limits` allows. A namespace that is created has them; one that is not (`create: false`) needs
   * them where it is made.
   */
  public readonly admissionAnnotations: { [name: string]: string };

  private readonly sparkConf: { [key: string]: string } = {};
  private driverGroup?: number;

  constructor(scope: Construct, id: string, props: SparkJobNamespaceProps) {
    super(scope, id);
    this.name = props.name;
    this.serviceAccountName = props.serviceAccountName ?? DRIVER_SERVICE_ACCOUNT;
    this.defaultsConfigMap = props.defaultsConfigMap ?? props.operator?.defaultsConfigMap;
    const limits = limitsOf(props);
    this.admissionAnnotations = admissionAnnotations(limits);
    refuseProps('SparkJobNamespace', this.node.path, wrongProps(props, this.defaultsConfigMap));

    props.operator?.addJobNamespace(this.name); // first, as it knows best whose the namespace is already
    this.refuseOtherOperators(props);
    if (props.create ?? true) this.createNamespace(props);
    this.createDriverAccount(props);
    this.admitOperator(props);
    this.admitWebhook(props);
    this.admitConsole(props);
    if (props.users?.length) role(this, 'Users', this.named('spark-user'), USER_RULES, props.users.map((user) => user._toSubject()));
    if (props.viewers?.length) role(this, 'Viewers', this.named('spark-viewer'), VIEWER_RULES, props.viewers.map((viewer) => viewer._toSubject()));
    bound(this, this.name, props.quota, props.containerLimits);
    if (props.operator?._hasPolicy !== false) addPodPolicy(this, this.name, limits);
    if (props.isolated ?? props.create ?? true) isolate(this, this.name, props.network ?? {});
    if (this.defaultsConfigMap !== undefined) defaultsConfigMap(this, this.named(this.defaultsConfigMap), () => ({ ...props, limits, defaults: this.defaults(props) }));
    refuseReplacing('SparkJobNamespace', this, 'let one of the two make what is in the namespace');
  }

  /**
   * Sets a Spark property of all applications of the namespace that do not set it themselves. Needs a ConfigMap with defaults. `defaults` wins over it.
   *
   * @param key Name of the property, such as `spark.eventLog.enabled`.
   * @param value Its value.
   */
  public addSparkConf(key: string, value: string): void {
    if (this.defaultsConfigMap === undefined) refuseProps('SparkJobNamespace', this.node.path, [NO_DEFAULTS('addSparkConf')]);
    this.sparkConf[key] = value;
  }

  /**
   * Gives the volumes of all drivers to a group, unless an application or `defaults` says which.
   *
   * @internal
   */
  public _ownVolumesOfDrivers(fsGroup: number): void {
    this.driverGroup = fsGroup;
  }

  private named(name: string): { name: string; namespace: string } {
    return { name, namespace: this.name };
  }

  /** The rights of a namespace are made in one place. */
  private refuseOtherOperators({ name, operator }: SparkJobNamespaceProps): void {
    const other = Chart.of(this).node.findAll().find((child) => child instanceof SparkOperator && child !== operator && child.jobNamespaces.includes(name));
    if (!other) return;
    refuseProps('SparkJobNamespace', this.node.path, [{ path: 'name', value: name, reason: `is in jobNamespaces of the SparkOperator at ${other.node.path}, which makes service account and Roles there; leave it out there, and name that operator in operator` }]);
  }

  private createNamespace({ labels, annotations, podSecurity, operator }: SparkJobNamespaceProps): void {
    const enforce = { [ENFORCE]: podSecurity ?? PodSecurityLevel.BASELINE };
    const all = { ...annotations, ...(operator?._hasPolicy !== false && this.admissionAnnotations) };
    new ApiObject(this, 'Namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: this.name, labels: { ...enforce, ...operator?.namespaceSelector, ...labels }, ...(Object.keys(all).length > 0 && { annotations: all }) },
    });
  }

  private createDriverAccount({ serviceAccountAnnotations, imagePullSecrets }: SparkJobNamespaceProps): void {
    refuseSecondAccount('SparkJobNamespace', this, 'serviceAccountName', this.named(this.serviceAccountName));
    new ApiObject(this, 'ServiceAccount', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...this.named(this.serviceAccountName), ...(serviceAccountAnnotations && { annotations: serviceAccountAnnotations }) },
      automountServiceAccountToken: true, // Spark's driver finds the API server and its token where the kubelet mounts them
      ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    });
    role(this, 'Driver', this.named(`${this.serviceAccountName}-driver`), DRIVER_RULES, [{ kind: 'ServiceAccount', ...this.named(this.serviceAccountName) }]);
  }

  /** An operator with rights in the whole cluster needs none here. */
  private admitOperator({ operator, operatorNamespace, operatorServiceAccountName }: SparkJobNamespaceProps): void {
    const rules = operator ? operator._jobNamespaceRules() : operatorNamespace === undefined ? [] : allJobRules(this.defaultsConfigMap);
    if (rules.length === 0) return;
    const account = { kind: 'ServiceAccount', name: operator?.serviceAccountName ?? operatorServiceAccountName ?? OPERATOR, namespace: operator?.namespace ?? operatorNamespace };
    role(this, 'Operator', this.named(OPERATOR), rules, [account]);
  }

  /** A webhook with pods of its own has an account of its own. */
  private admitWebhook({ operator }: SparkJobNamespaceProps): void {
    const webhook = operator?._webhookInJobNamespaces();
    if (webhook) role(this, 'Webhook', this.named(WEBHOOK_NAME), webhook.rules, [{ kind: 'ServiceAccount', name: webhook.name, namespace: operator!.namespace }]);
  }

  /** It shows what is in the namespace to those who may read it. */
  private admitConsole({ operator }: SparkJobNamespaceProps): void {
    const console = operator?._consoleInJobNamespaces();
    if (console) role(this, 'Console', this.named(CONSOLE_NAME), console.rules, [{ kind: 'ServiceAccount', name: console.name, namespace: operator!.namespace }]);
  }

  private defaults({ defaults, podSecurity }: SparkJobNamespaceProps): { [field: string]: any } {
    // What is put in later is weaker: the group of the standard's defaults is the last.
    const owned = this.driverGroup === undefined ? defaults ?? {} : withDriverGroup(defaults ?? {}, this.driverGroup);
    const secure = podSecurity === PodSecurityLevel.RESTRICTED ? withSecurity(owned) : owned;
    return Object.keys(this.sparkConf).length > 0 ? { ...secure, sparkConf: { ...this.sparkConf, ...secure.sparkConf } } : secure;
  }
}

/** Services lead nowhere outside of the cluster unless it is allowed. */
function limitsOf({ limits }: SparkJobNamespaceProps): ApplicationLimits {
  return { ...limits, allowedServiceTypes: limits?.allowedServiceTypes ?? [ServiceType.CLUSTER_IP] };
}

const ENFORCE = 'pod-security.kubernetes.io/enforce';

const RESTRICTED_WITHOUT_DEFAULTS: Violation = {
  path: 'podSecurity',
  value: PodSecurityLevel.RESTRICTED,
  reason: 'keeps out what Spark runs by default, and there is no ConfigMap with defaults that give pods the security context which it asks for; set defaultsConfigMap of SparkOperator, or here the name that the operator is told, or take BASELINE',
};

const NO_DEFAULTS = (path: string): Violation => (
  { path, value: undefined, reason: 'has no effect, as the operator looks for no ConfigMap with defaults; set defaultsConfigMap of SparkOperator, or here the name that the operator is told' }
);

function wrongProps(props: SparkJobNamespaceProps, configMap: string | undefined): Violation[] {
  const { operator, network } = props;
  const notCreated = props.create === false ? (['labels', 'annotations', 'podSecurity'] as const).filter((prop) => props[prop] !== undefined) : [];
  return [
    ...found([
      wrongLabelName('name', props.name),
      wrongName('serviceAccountName', props.serviceAccountName),
      wrongLabelName('operatorNamespace', props.operatorNamespace),
      wrongName('operatorServiceAccountName', props.operatorServiceAccountName),
      wrongName('defaultsConfigMap', props.defaultsConfigMap),
      operator && props.operatorNamespace !== undefined ? { path: 'operatorNamespace', value: props.operatorNamespace, reason: 'says the same as operator; leave one of them out' } : undefined,
      props.name === (operator?.namespace ?? props.operatorNamespace) ? { path: 'name', value: props.name, reason: 'is the namespace of the operator itself, where drivers must not run: they could read its token; take another one' } : undefined,
      props.labels?.[ENFORCE] !== undefined ? { path: `labels[${JSON.stringify(ENFORCE)}]`, value: props.labels[ENFORCE], reason: 'is what podSecurity sets; write podSecurity' } : undefined,
      props.podSecurity === PodSecurityLevel.RESTRICTED && props.create !== false && configMap === undefined ? RESTRICTED_WITHOUT_DEFAULTS : undefined,
      props.isolated === false && network ? { path: 'network', value: undefined, reason: 'has no effect with isolated: false; leave one of them out' } : undefined,
    ]),
    ...Object.keys(admissionAnnotations(limitsOf(props))).filter((name) => props.annotations?.[name] !== undefined)
      .map((name) => ({ path: `annotations[${JSON.stringify(name)}]`, value: props.annotations![name], reason: 'is what limits sets; leave it out' })),
    ...notCreated.map((path) => ({ path, value: undefined, reason: 'belongs to the namespace, which is not created here; set it where the namespace is made, or leave create out' })),
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

/** What only a ConfigMap with defaults could carry: service accounts and images are in annotations, too, which the admission policy reads. */
function withoutEffect({ defaults, enforced, limits = {}, operator }: SparkJobNamespaceProps): string[] {
  const ofLimits = Object.entries(limits).filter(([name, value]) => value !== undefined && (operator?._hasPolicy === false || !READ_BY_POLICY.includes(name))).map(([name]) => `limits.${name}`);
  return [...(defaults ? ['defaults'] : []), ...(enforced ? ['enforced'] : []), ...ofLimits];
}

const READ_BY_POLICY = ['allowedServiceAccounts', 'allowedImages', 'allowedServiceTypes', 'allowedServiceAnnotations'];

/** Labels by which the operator would not find the namespace. */
function selectorViolations({ labels, operator }: SparkJobNamespaceProps): Violation[] {
  return Object.entries(operator?.namespaceSelector ?? {}).filter(([key, value]) => labels?.[key] !== undefined && labels[key] !== value).map(([key, value]) => (
    { path: `labels[${JSON.stringify(key)}]`, value: labels![key], reason: `contradicts namespaceSelector of the operator, which looks for ${JSON.stringify(value)}; leave it out` }
  ));
}
