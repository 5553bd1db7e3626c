import { LABEL_SUBMISSION_ID } from '../../api/labels';
import { SPARK_APPLICATION } from '../../api/spark-application';
import type { KubeObject } from '../kube/objects';
import type { SparkApplication } from './model';

/**
 * Whose an object is that has a name which an application needs:
 *
 * - `ours`: the current submission of the application created it;
 * - `leaving`: it is being deleted, or belongs to an application of the same name that was deleted: Kubernetes will remove it;
 * - `foreign`: somebody else's. It is left alone.
 */
export type Belonging = 'ours' | 'leaving' | 'foreign';

/** Tells whose an object is, by its controller's uid and the id of the submission that it was created for. */
export function belongingOf({ metadata }: KubeObject, application: SparkApplication): Belonging {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller?.uid === application.metadata.uid && metadata.labels?.[LABEL_SUBMISSION_ID] === application.status?.submissionID) return 'ours';
  const isOfPredecessor = controller?.kind === SPARK_APPLICATION.kind && controller.name === application.metadata.name && controller.uid !== application.metadata.uid;
  return metadata.deletionTimestamp || isOfPredecessor ? 'leaving' : 'foreign';
}

/** What to tell users about an object that is in the way. */
export function inTheWay(kind: string, name: string, belonging: Exclude<Belonging, 'ours'>): string {
  if (belonging === 'leaving') return `a ${kind} ${name} of before is still being deleted`;
  const remedy = kind === 'Pod' ? 'delete it, or choose another name in spec.driver.podName' : 'delete it';
  return `a ${kind} ${name} exists that this submission did not create; ${remedy}`;
}
