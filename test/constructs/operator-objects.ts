import { Testing } from 'cdk8s';
import { SparkOperator, type SparkOperatorProps } from '../../src';

/** Returns what `SparkOperator` synthesizes, without the CRDs, which take time. */
export function synthesized(props?: SparkOperatorProps): any[] {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { installCrds: false, ...props });
  return Testing.synth(chart);
}

/** Returns the only object of a kind and a name. */
export function find(objects: any[], kind: string, name: string, namespace?: string): any {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name
    && object.metadata.namespace === namespace);
  expect(found).toHaveLength(1);
  return found[0];
}
