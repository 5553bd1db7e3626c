import type { KubeObject } from '../kube/objects';
import { defineResource } from '../kube/resource';

/** Deployment with the fields that have the command line of an operator. */
export interface OperatorDeployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[] };
    };
  };
}

export const OPERATOR_DEPLOYMENTS = defineResource<OperatorDeployment>({
  group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true,
});

/**
 * Label selector of the Deployments of operators: those of this package, and those of kubeflow's
 * chart.
 */
export const OPERATOR_SELECTOR = 'app.kubernetes.io/name=spark-operator';

/** Returns the arguments of an operator; undefined if the Deployment runs none of this package. */
export function operatorArgs({ spec: { template: { spec } } }: OperatorDeployment): readonly string[] | undefined {
  const container = spec.containers.find(({ name }) => name === 'operator');
  return container && (container.args ?? []);
}
