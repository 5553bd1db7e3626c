import { OperatorNaming } from './operator-naming';
import type { SparkOperatorProps } from './spark-operator-props';
import { DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { DEFAULT_LOCK, driverClusterRole, installationKey, OPERATOR_NAME } from '../model/installation';

/** @internal */
export type Labels = { readonly [label: string]: string };

/**
 * Names of the objects of a program: its Deployment, service account, NetworkPolicy, and so on.
 * @internal
 */
export interface ProgramNames {
  readonly name: string;
  /**
   * Labels of its pods, by which Deployment and Services select them. A Deployment's selector is
   * immutable.
   */
  readonly selector: Labels;
  /**
   * Labels of the Deployment. Their `name` does not depend on the operator's, so that `sparkctl`
   * finds the Deployment.
   */
  readonly labels: Labels;
  /** Name of its PodMonitor or ServiceMonitor. */
  readonly monitor: string;
}

/**
 * Names of the objects of an operator.
 * @internal
 */
export interface OperatorNames {
  /** Part of the names of cluster-scoped objects: no other operator of the cluster has it. */
  readonly key: string;
  /** The label `app.kubernetes.io/instance` of all objects. */
  readonly instance: string;
  readonly operator: ProgramNames;
  readonly webhook: ProgramNames & {
    /** Name of the Service through which the API server calls it. */
    readonly service: string;
    /** Name of both webhook configurations, which are cluster-scoped. */
    readonly configuration: string;
  };
  readonly console: ProgramNames;
  /** Name of the Lease. */
  readonly lease: string;
  /** Service account of drivers. */
  readonly driverAccount: string;
  /** ClusterRole for drivers. */
  readonly driverClusterRole: string;
}

const LABEL = 'app.kubernetes.io';

/**
 * Labels that the construct sets itself.
 * @internal
 */
export const OWN_LABELS: readonly string[] = ['name', 'instance', 'component'].map((label) => `${LABEL}/${label}`);

/**
 * Returns the names of an operator's objects.
 * @internal
 */
export function operatorNames(
  { name = OPERATOR_NAME, naming, leaderElection, driverServiceAccount }: SparkOperatorProps, namespace: string,
): OperatorNames {
  const isKubeflows = naming === OperatorNaming.KUBEFLOW;
  const key = installationKey(namespace, name);
  const own = (suffix: string, component: string): ProgramNames => ({
    ...(isKubeflows ? {
      name: `${name}-${component}`,
      ...labelled({ [`${LABEL}/name`]: OPERATOR_NAME, [`${LABEL}/instance`]: name, [`${LABEL}/component`]: component }),
      monitor: `${name}${suffix}-podmonitor`,
    } : {
      name: `${name}${suffix}`,
      selector: { [`${LABEL}/name`]: `${name}${suffix}` },
      labels: { [`${LABEL}/name`]: `${OPERATOR_NAME}${suffix}` },
      monitor: `${name}${suffix}`,
    }),
  });
  const webhook = own('-webhook', 'webhook');
  return {
    key,
    instance: isKubeflows ? name : key,
    operator: own('', 'controller'),
    webhook: { ...webhook, service: `${webhook.name}-svc`, configuration: isKubeflows ? webhook.name : `${name}-${namespace}` },
    console: own('-console', 'console'),
    lease: leaderElection?.leaseName ?? (name === OPERATOR_NAME ? DEFAULT_LOCK : `${name}-controller-lock`),
    driverAccount: driverServiceAccount?.name ?? (isKubeflows ? `${name}-spark` : DRIVER_SERVICE_ACCOUNT),
    driverClusterRole: driverClusterRole(namespace, name),
  };
}

function labelled(labels: Labels): Pick<ProgramNames, 'selector' | 'labels'> {
  return { selector: labels, labels };
}
