/* Imported on demand: the constructs and their dependencies are the largest part of the program. */
import { App, Chart } from 'cdk8s';
import { UsageError } from '../../text/usage-error';
import { SparkOperator } from '../spark-operator';
import type { SparkOperatorProps } from '../spark-operator-props';
import type { KubeObject } from '../../kube/objects';

/** Objects of an installation. */
export interface Synthesized {
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Key of the installation among all of the cluster. */
  readonly installation: string;
  /** CRDs; empty if the props omit them. */
  readonly crds: readonly KubeObject[];
  /** All other objects, in the order of their creation. */
  readonly objects: readonly KubeObject[];
}

/**
 * Synthesizes the construct `SparkOperator`.
 *
 * @param crds CRDs of the package
 * @throws {UsageError} with the construct's message about invalid props
 */
export function synthesize(props: SparkOperatorProps, crds: readonly KubeObject[]): Synthesized {
  const chart = new Chart(new App(), 'operator');
  // The construct reads the CRDs from files of its package, which the bundle does not contain.
  const operator = new SparkOperator(chart, 'operator', { ...props, installCrds: false });
  const problems = operator.node.validate();
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return {
    namespace: operator.namespace, installation: operator._key, crds: props.installCrds === false ? [] : crds, objects: chart.toJson(),
  };
}
