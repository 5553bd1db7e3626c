import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { WEBHOOK_NAME } from './_webhook-flags';

const PREFIX = 'app.kubernetes.io';

/** @internal */
export const OPERATOR_NAME = 'spark-operator';

/**
 * Labels by which Deployments and Services select the operator's pods. A Deployment's selector is
 * immutable.
 *
 * @internal
 */
export const OPERATOR_SELECTOR = { [`${PREFIX}/name`]: OPERATOR_NAME };

/** @internal */
export const WEBHOOK_SELECTOR = { [`${PREFIX}/name`]: WEBHOOK_NAME };

/**
 * Adds Kubernetes' recommended labels to all objects of a construct, so that selectors find all of
 * them. Labels that an object has, such as those of the user, stay. Pods and selectors do not
 * change: a selector is immutable.
 *
 * @param name program or purpose, such as `spark-operator`
 * @param instance value that no other construct of the cluster has
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 * @internal
 */
export function labelObjects(scope: Construct, name: string, instance: string): void {
  const labels = { name, instance, 'part-of': 'spark-operator' };
  const objects = scope.node.findAll().filter((child): child is ApiObject => child instanceof ApiObject);
  for (const { metadata } of objects) {
    for (const [label, value] of Object.entries(labels)) {
      if (metadata.getLabel(`${PREFIX}/${label}`) === undefined) metadata.addLabel(`${PREFIX}/${label}`, value);
    }
  }
}
