import { Testing } from 'cdk8s';
import * as synthesis from './synthesis';
import { SparkOperator, type SparkOperatorProps } from '../../src';

/** Returns what `SparkOperator` synthesizes, without the CRDs, which take time. */
export function synthesized(props?: SparkOperatorProps): any[] {
  return synthesis.synthesized(operatorWith(props));
}

/** Returns the problems that a synthesis of `SparkOperator` reports. */
export function problemsOf(props: SparkOperatorProps): string[] {
  return synthesis.problemsOf(operatorWith(props));
}

function operatorWith(props?: SparkOperatorProps): SparkOperator {
  return new SparkOperator(Testing.chart(), 'operator', { installCrds: false, ...props });
}

/** Returns the only object of a kind and a name. */
export function find(objects: any[], kind: string, name: string, namespace?: string): any {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name
    && object.metadata.namespace === namespace);
  expect(found).toHaveLength(1);
  return found[0];
}
