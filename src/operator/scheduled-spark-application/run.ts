import { ANNOTATION_RUN_NOW, ANNOTATION_SCHEDULED_AT, ANNOTATION_SUBMISSION_MODE, ANNOTATION_TRIGGER, LABEL_SCHEDULED_APP_NAME } from '../../api/labels';
import { apiVersionOf } from '../../kube/resource';
import { boundedValue } from '../../model/bounded-metadata';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { rfc3339 } from '../../text/times';
import type { PlannedRun } from './decision';
import type { WholeSchedule } from '../../model/scheduled-spark-application';

/**
 * A run as it is created. It has the labels of its schedule, but the operator's and Spark's own, as with kubeflow's operator, by which queues and dashboards find it; of the annotations the one that decides how it is
 * submitted, as those of others say what holds for the schedule itself. The schedule is its owner, so that it goes with it.
 */
export function runOf(schedule: WholeSchedule, { name, time, token, trigger }: PlannedRun): WholeApplication {
  const { metadata, spec } = schedule;
  const mode = metadata.annotations?.[ANNOTATION_SUBMISSION_MODE];
  return {
    apiVersion: apiVersionOf(SPARK_APPLICATIONS),
    kind: SPARK_APPLICATIONS.kind,
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...labelsForRuns(metadata.labels), [LABEL_SCHEDULED_APP_NAME]: metadata.name },
      annotations: {
        [ANNOTATION_TRIGGER]: trigger,
        ...(time !== undefined && { [ANNOTATION_SCHEDULED_AT]: rfc3339(time) }),
        ...(token !== undefined && { [ANNOTATION_RUN_NOW]: boundedValue(token) }),
        ...(mode !== undefined && { [ANNOTATION_SUBMISSION_MODE]: mode }),
      },
      ownerReferences: [{
        apiVersion: apiVersionOf(SCHEDULED_SPARK_APPLICATIONS), kind: SCHEDULED_SPARK_APPLICATIONS.kind, name: metadata.name, uid: metadata.uid, controller: true,
      }],
    },
    spec: spec.template,
  } as unknown as WholeApplication;
}

/** Without those by which pods and applications are found: what a schedule has of them was copied from somewhere. */
function labelsForRuns(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith('sparkoperator.k8s.io/') && !name.startsWith('spark-')));
}
