import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_ATTEMPT, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../api/labels';
import { KUEUE_PREFIX } from '../../model/kueue';
import type { Role } from './role';
import type { SparkProperties } from './spark-conf';

type Labels = { readonly [name: string]: string };

/** Input for the operator's labels. */
export interface LabelledSubmission {
  /** Name of the application. */
  readonly name: string;
  /** `metadata.uid` of the application. */
  readonly uid: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id of the submission. */
  readonly submissionID: string;
}

/** Returns the labels by which the operator finds the objects that it created for a submission. */
export function operatorLabels({ name, uid, attempt, submissionID }: LabelledSubmission): { [name: string]: string } {
  return {
    [LABEL_APP_NAME]: name,
    [LABEL_APP_UID]: uid,
    [LABEL_ATTEMPT]: String(attempt),
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: submissionID,
  };
}

/** Returns the prefix of the properties for labels of a role's pod. */
export function labelPrefix(role: Role): string {
  return `spark.kubernetes.${role}.label.`;
}

/**
 * Sets the application's labels, replaced by the pod's, and then by the operator's: without its
 * own, the operator could not find its pods.
 */
export function setLabels(
  properties: SparkProperties, role: Role,
  labels: { readonly ofApplication?: Labels; readonly ofPod?: Labels; readonly ofOperator: Labels },
): void {
  const { ofApplication = {}, ofPod, ofOperator } = labels;
  const setEach = (map: Labels, fieldOf: (name: string) => string) => {
    for (const [name, value] of Object.entries(map)) properties.set(labelPrefix(role) + name, value, fieldOf(name));
  };
  const inherited = Object.entries(ofApplication).filter(([name]) => !name.startsWith(KUEUE_PREFIX) && !Object.hasOwn(ofPod ?? {}, name));
  setEach(Object.fromEntries(inherited), (name) => `metadata.labels[${name}]`);
  setEach(ofPod ?? {}, (name) => `spec.${role}.labels[${name}]`);
  setEach(ofOperator, () => 'the operator');
}
