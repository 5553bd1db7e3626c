import type { Deployment, TemplateContainer } from './objects';
import { selectionIn } from './scope';
import { lockNameIn, valueOf } from '../../flags/command-line';
import type { NamespaceSelection } from '../../flags/configuration';
import { ANNOTATION_DRIVER_ACCOUNT, DRIVER_SERVICE_ACCOUNT } from '../../api/labels';
import { OPERATOR_NAME } from '../../model/installation';

/** Operator in the cluster, by its Deployment. */
export interface Installation {
  readonly namespace: string;
  /** Name of the Deployment. */
  readonly name: string;
  /** The props `name` and `naming` of `SparkOperator`. */
  readonly operatorName: string;
  readonly naming: 'default' | 'kubeflow';
  /** Name of the service account of drivers in the job namespaces. */
  readonly driverAccount: string;
  readonly deployment: Deployment;
  readonly image: string;
  readonly args: readonly string[];
  /** Version of the package, from the Deployment's label. */
  readonly version?: string;
  /** Name of the service account. */
  readonly account: string;
  /** Selection of the namespaces whose applications it runs. */
  readonly selection: NamespaceSelection;
  /** Namespaces that its flags name. */
  readonly jobNamespaces: readonly string[];
  /**
   * Whether it also runs applications of other namespaces: of all, or of those with certain labels.
   */
  readonly isClusterWide: boolean;
  /** Name of the Lease; undefined without leader election. */
  readonly lease?: string;
  /** The admission webhook; undefined if it is off. */
  readonly webhook?: { readonly configuration: string; readonly service: string; readonly secret: string };
}

/** Returns the operator that a Deployment runs; undefined if it is not one of this package. */
export function installationIn(deployment: Deployment): Installation | undefined {
  const { metadata: { name, namespace = '', labels = {}, annotations = {} }, spec: { template: { spec } } } = deployment;
  const container = spec.containers.find((each) => each.name === 'operator');
  if (!container || isOthers(container)) return undefined;
  const args = container.args ?? [];
  const selection = selectionIn(args);
  const isKubeflows = labels['app.kubernetes.io/component'] === 'controller';
  const lease = lockNameIn(args);
  const isWebhookOff = (valueOf(args, 'webhook') ?? 'off') === 'off';
  return {
    namespace,
    name,
    operatorName: isKubeflows ? labels['app.kubernetes.io/instance'] ?? OPERATOR_NAME : name,
    naming: isKubeflows ? 'kubeflow' : 'default',
    driverAccount: annotations[ANNOTATION_DRIVER_ACCOUNT] ?? DRIVER_SERVICE_ACCOUNT,
    deployment,
    image: container.image ?? '',
    args,
    version: labels['app.kubernetes.io/version'],
    account: spec.serviceAccountName ?? 'default',
    selection,
    jobNamespaces: selection.names === 'all' ? [] : selection.names,
    isClusterWide: selection.names === 'all' || selection.selector !== undefined,
    ...(lease !== undefined && { lease }),
    ...(!isWebhookOff && {
      webhook: {
        configuration: valueOf(args, 'validating-webhook-name') ?? `spark-operator-${namespace}`,
        service: valueOf(args, 'webhook-svc-name') ?? 'spark-operator-webhook-svc',
        secret: valueOf(args, 'webhook-secret-name') ?? 'spark-operator-webhook-certs',
      },
    }),
  };
}

/**
 * Returns whether an operator handles the applications of a namespace; undefined if labels of the
 * namespace decide.
 */
export function handles({ selection: { names, selector } }: Installation, namespace: string): boolean | undefined {
  return names === 'all' || names.includes(namespace) ? true : selector === undefined ? false : undefined;
}

/** Returns whether a Deployment runs the controller of kubeflow's operator or its predecessor. */
export function isOtherOperator({ spec: { template: { spec } } }: Deployment): boolean {
  return spec.containers.some(isOthers);
}

/**
 * Returns the namespaces whose applications another operator runs; undefined if its command line
 * does not name them, or it selects applications by labels.
 */
export function selectionOfOther({ spec: { template: { spec } } }: Deployment): NamespaceSelection | undefined {
  const { name, args = [], command = [] } = spec.containers.find(isOthers)!;
  // The predecessor has other flags, and one of them selects applications by labels.
  return name === 'sparkoperator' ? undefined : selectionIn([...command, ...args]);
}

/**
 * Returns the remedy that installs an operator again. A Deployment does not show all options of its
 * installation.
 */
export function installAgain(installation: Installation): string {
  return `${installCommand(installation)}   # with the other options of its installation, such as --image, --console and --values`;
}

/** Returns the command that installs an operator with the options that its Deployment shows. */
export function installCommand(
  { namespace, operatorName, naming, jobNamespaces, isClusterWide, deployment: { spec: { replicas = 1 } }, webhook }: Installation,
): string {
  return [
    'sparkctl install',
    ...(namespace === 'spark-operator' ? [] : [`-n ${namespace}`]),
    ...(operatorName === OPERATOR_NAME ? [] : [`--name ${operatorName}`]),
    ...(naming === 'default' ? [] : [`--naming ${naming}`]),
    ...(jobNamespaces.length > 0 ? [`--job-namespace ${jobNamespaces.join(',')}`] : []),
    ...(isClusterWide && jobNamespaces.length === 0 ? ['--all-namespaces'] : []),
    ...(replicas === 1 ? [] : [`--replicas ${replicas}`]),
    ...(webhook ? ['--webhook'] : []),
  ].join(' ');
}

/**
 * Returns whether a container is kubeflow's `controller start`, or has the name of its
 * predecessor's.
 */
function isOthers({ name, args = [], command = [] }: TemplateContainer): boolean {
  if (name === 'sparkoperator' || name === 'spark-operator-controller') return true;
  const words = [...command, ...args];
  return words[words.indexOf('controller') + 1] === 'start' && words.includes('controller') && name !== 'operator';
}
