import { LABEL_CONNECT_NAME, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { SPARK_CONNECT } from '../../../api/spark-connect';
import type { Belonging } from '../../../model/belonging';
import type { KubeObject } from '../../../kube/objects';
import type { SparkConnect } from '../../../model/spark-connect';
import { startIdOf } from '../../../plan/connect/start';

/**
 * Returns the owner of an object whose name a SparkConnect needs, by the uid of its controller and
 * its start. The operator adopts a server that kubeflow/spark-operator has started for the same
 * SparkConnect.
 */
export function belongingOf({ metadata }: KubeObject, connect: SparkConnect): Belonging {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  const start = metadata.labels?.[LABEL_SUBMISSION_ID];
  if (controller?.uid === connect.metadata.uid) {
    // There is only one start until a server ends, no matter which operator made it.
    // kubeflow/spark-operator also drops unknown fields from the status.
    const isFirst = connect.status?.lastTerminationTime === undefined && metadata.labels?.[LABEL_CONNECT_NAME] === connect.metadata.name;
    return start === startIdOf(connect) || isFirst ? 'ours' : 'earlier';
  }
  return metadata.deletionTimestamp || isOfPredecessor({ metadata }, connect) ? 'leaving' : 'foreign';
}

/** Whether an object belongs to a deleted SparkConnect of the same name. */
export function isOfPredecessor({ metadata }: KubeObject, connect: SparkConnect): boolean {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  return controller?.kind === SPARK_CONNECT.kind && controller.name === connect.metadata.name && controller.uid !== connect.metadata.uid;
}

/** Returns the message for users about an object that is in the way. */
export function inTheWay(kind: string, name: string, belonging: Exclude<Belonging, 'ours'>): string {
  return belonging === 'foreign'
    ? `a ${kind} ${name} exists that does not belong to this SparkConnect; delete it, or choose another name for the SparkConnect`
    : `the previous ${kind} ${name} is still being deleted`;
}
