import { SparkApplicationType } from '../api/spark-application';
import {
  anything, duration, instanceOf, linkTo, number, object, oneOf, OTHERS, text, texts, truth,
} from './_kinds';
import { PROFILE_KINDS, SERVICE_KINDS, type KindsOf } from './_workload-kinds';
import type { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import type { SparkApplicationProps, SparkApplicationTemplate } from './spark-application-props';

/** Other fields are those of Kubernetes. */
const METADATA = {
  name: text, namespace: text, labels: texts, annotations: texts, finalizers: [text], ownerReferences: [object], [OTHERS]: anything,
} as const;

const TEMPLATE_KINDS = {
  ...PROFILE_KINDS,
  type: oneOf(Object.values(SparkApplicationType)), mainApplicationFile: text, mainClass: text, arguments: [text], suspend: truth,
  driverIngresses: [{ ...SERVICE_KINDS, port: number, url: text }], profile: linkTo('SparkProfile', '_toSpec'),
} as const satisfies KindsOf<SparkApplicationTemplate>;

/** Props that decide where a workload runs and how it is checked. @internal */
export const LINK_KINDS = {
  metadata: METADATA, jobNamespace: linkTo('SparkJobNamespace', '_known'), strict: truth,
} as const;

/** @internal */
export const APPLICATION_KINDS = { ...TEMPLATE_KINDS, ...LINK_KINDS } as const satisfies KindsOf<SparkApplicationProps>;

/** @internal */
export const SCHEDULE_KINDS = {
  ...LINK_KINDS,
  schedule: instanceOf('Schedule', '_toExpression'), timeZone: text,
  // Another check explains why a template has no metadata.
  template: { ...TEMPLATE_KINDS, metadata: METADATA },
  concurrency: text, successfulRunHistoryLimit: number, failedRunHistoryLimit: number, suspend: truth, startingDeadline: duration,
  catchUp: text,
} as const satisfies KindsOf<ScheduledSparkApplicationProps>;
