import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

const PREFIX = 'app.kubernetes.io';

/**
 * Adds Kubernetes' recommended labels to all objects of a construct, so that selectors find all of
 * them. Labels that an object has, such as those of the user, stay. Pods and selectors do not
 * change: a selector is immutable.
 *
 * @param name program or purpose, such as `spark-operator`
 * @param instance value that no other construct of the cluster has
 * @param others further labels @default - none
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 * @internal
 */
export function labelObjects(scope: Construct, name: string, instance: string, others: { readonly [label: string]: string } = {}): void {
  const labels = {
    ...others, [`${PREFIX}/name`]: name, [`${PREFIX}/instance`]: instance, [`${PREFIX}/part-of`]: others[`${PREFIX}/part-of`] ?? 'spark-operator',
  };
  const objects = scope.node.findAll().filter((child): child is ApiObject => child instanceof ApiObject);
  for (const { metadata } of objects) {
    for (const [label, value] of Object.entries(labels)) {
      if (metadata.getLabel(label) === undefined) metadata.addLabel(label, value);
    }
  }
}
