import { LABEL_CONNECT_NAME, LABEL_SUBMISSION_ID } from '../../api/labels';
import { SPARK_CONNECT } from '../../api/spark-connect';
import type { Belonging } from '../../model/belonging';
import type { KubeObject } from '../../kube/objects';
import type { SparkConnect } from '../../model/spark-connect';
import { startIdOf } from '../../plan/connect/start';

/**
 * Whose an object is that has a name which a SparkConnect needs, by its controller's uid and the start that it was created for. A server that kubeflow/spark-operator has started
 * for the same SparkConnect is carried on.
 */
export function belongingOf({ metadata }: KubeObject, connect: SparkConnect): Belonging {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  const start = metadata.labels?.[LABEL_SUBMISSION_ID];
  if (controller?.uid === connect.metadata.uid) {
    // As long as nothing has ended there is one start, whoever has made it; kubeflow/spark-operator also drops from the status what it does not know.
    const isFirst = connect.status?.lastTerminationTime === undefined && metadata.labels?.[LABEL_CONNECT_NAME] === connect.metadata.name;
    return start === startIdOf(connect) || isFirst ? 'ours' : 'earlier';
  }
  return metadata.deletionTimestamp || isOfPredecessor({ metadata }, connect) ? 'leaving' : 'foreign';
}

/** Whether an object belongs to a SparkConnect of the same name that was deleted. */
export function isOfPredecessor({ metadata }: KubeObject, connect: SparkConnect): boolean {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  return controller?.kind === SPARK_CONNECT.kind && controller.name === connect.metadata.name && controller.uid !== connect.metadata.uid;
}

/** What to tell users about an object that is in the way. */
export function inTheWay(kind: string, name: string, belonging: Exclude<Belonging, 'ours'>): string {
  return belonging === 'foreign' ? `a ${kind} ${name} exists that does not belong to this SparkConnect; delete it, or choose another name for the SparkConnect` : `a ${kind} ${name} of before is still being deleted`;
}
