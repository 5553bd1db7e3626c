import {
  ANNOTATION_RUN_NOW, ANNOTATION_SCHEDULED_AT, ANNOTATION_SUBMISSION_MODE, ANNOTATION_TRIGGER, LABEL_SCHEDULED_APP_NAME,
} from '../../../api/labels';
import { apiVersionOf } from '../../../kube/resource';
import { boundedValue } from '../../../model/bounded-metadata';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../../model/resources';
import type { WholeApplication } from '../../../model/spark-application';
import { rfc3339 } from '../../../text/times';
import type { PlannedRun } from './decision';
import type { WholeSchedule } from '../../../model/scheduled-spark-application';

/**
 * Returns a run to create. It has the labels of its schedule, as with kubeflow's operator, so that
 * queues and dashboards find it, except for the operator's and Spark's own. It has only the
 * annotation that determines the submission mode, as other annotations concern the schedule itself.
 * The schedule is its owner, so Kubernetes deletes it with the schedule.
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
        apiVersion: apiVersionOf(SCHEDULED_SPARK_APPLICATIONS), kind: SCHEDULED_SPARK_APPLICATIONS.kind, name: metadata.name,
        uid: metadata.uid, controller: true,
      }],
    },
    spec: spec.template,
  } as unknown as WholeApplication;
}

/**
 * Returns labels without those that select pods and applications: a schedule that has them was
 * copied from another object.
 */
function labelsForRuns(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).filter(([name]) => !name.startsWith('sparkoperator.k8s.io/') && !name.startsWith('spark-')),
  );
}
