import { LABEL_APP_NAME, LABEL_SUBMISSION_ID } from '../../../api/labels';
import { SPARK_APPLICATION } from '../../../api/spark-application';
import type { Belonging } from '../../../model/belonging';
import type { KubeObject } from '../../../kube/objects';
import type { SparkApplication } from '../../../model/spark-application';

/**
 * Returns which submission an object belongs to, by its controller's uid and the id of the
 * submission that it was created for.
 */
export function belongingOf({ metadata }: KubeObject, application: SparkApplication): Belonging {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  const isOfSubmission = metadata.labels?.[LABEL_SUBMISSION_ID] === application.status?.submissionID
    && application.status?.submissionID !== undefined;
  // kubeflow/spark-operator sets an owner of drivers only by its webhook. The submission's id is a
  // UUID, which no other submission has.
  if (!controller && isOfSubmission && metadata.labels?.[LABEL_APP_NAME] === application.metadata.name) return 'ours';
  if (controller?.uid === application.metadata.uid) return isOfSubmission ? 'ours' : 'earlier';
  const isOfPredecessor = controller?.kind === SPARK_APPLICATION.kind && controller.name === application.metadata.name;
  return metadata.deletionTimestamp || isOfPredecessor ? 'leaving' : 'foreign';
}

/** Returns the message about an object whose name the submission needs. */
export function inTheWay(kind: string, name: string, belonging: Exclude<Belonging, 'ours'>): string {
  if (belonging !== 'foreign') return `a previous ${kind} ${name} is still being deleted`;
  const remedy = kind === 'Pod' ? 'delete it, or choose another name in spec.driver.podName' : 'delete it';
  return `a ${kind} ${name} exists that this submission did not create; ${remedy}`;
}
