import { LABEL_APP_NAME, LABEL_SUBMISSION_ID } from '../../api/labels';
import { SPARK_APPLICATION } from '../../api/spark-application';
import type { Belonging } from '../../model/belonging';
import type { KubeObject } from '../../kube/objects';
import type { SparkApplication } from '../../model/spark-application';

/** Tells whose an object is, by its controller's uid and the id of the submission that it was created for. */
export function belongingOf({ metadata }: KubeObject, application: SparkApplication): Belonging {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  const isOfSubmission = metadata.labels?.[LABEL_SUBMISSION_ID] === application.status?.submissionID && application.status?.submissionID !== undefined;
  // kubeflow/spark-operator gives drivers an owner by its webhook only; the id of the submission is a UUID that nobody else has.
  if (!controller && isOfSubmission && metadata.labels?.[LABEL_APP_NAME] === application.metadata.name) return 'ours';
  if (controller?.uid === application.metadata.uid) return isOfSubmission ? 'ours' : 'earlier';
  const isOfPredecessor = controller?.kind === SPARK_APPLICATION.kind && controller.name === application.metadata.name;
  return metadata.deletionTimestamp || isOfPredecessor ? 'leaving' : 'foreign';
}

/** What to tell users about an object that is in the way. */
export function inTheWay(kind: string, name: string, belonging: Exclude<Belonging, 'ours'>): string {
  if (belonging !== 'foreign') return `a ${kind} ${name} of before is still being deleted`;
  const remedy = kind === 'Pod' ? 'delete it, or choose another name in spec.driver.podName' : 'delete it';
  return `a ${kind} ${name} exists that this submission did not create; ${remedy}`;
}
