/* Loaded only by who needs it: the constructs, and what they are built with, are the largest part of the program. */
import { App, Chart } from 'cdk8s';
import { UsageError } from '../../text/usage-error';
import { SparkOperator } from '../spark-operator';
import type { SparkOperatorProps } from '../spark-operator-props';
import type { KubeObject } from '../../kube/objects';

/** What is to be installed. */
export interface Synthesized {
  /** Namespace of the operator. */
  readonly namespace: string;
  /** The CRDs; none if the properties leave them out. */
  readonly crds: readonly KubeObject[];
  /** All else, in the order in which it is created. */
  readonly objects: readonly KubeObject[];
}

/**
 * What the construct `SparkOperator` synthesizes.
 *
 * @param crds those that ship with the package
 * @throws {UsageError} with what the construct says of properties that do not go
 */
export function synthesize(props: SparkOperatorProps, crds: readonly KubeObject[]): Synthesized {
  try {
    // The ids go into a label of the pods. Those of the README are taken, so that to go from such a program to this replaces no pod.
    const chart = new Chart(new App(), 'operator');
    // The construct reads the CRDs from files of its package, which a single file does not have beside it.
    const operator = new SparkOperator(chart, 'operator', { ...props, installCrds: false });
    const problems = chart.node.findAll().flatMap(({ node }) => node.validate());
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return { namespace: operator.namespace, crds: props.installCrds === false ? [] : crds, objects: chart.toJson() };
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/^SparkOperator at \S+: /gm, ''));
  }
}
