import { SparkApplicationType } from '../api/spark-application';
import {
  anything, duration, instanceOf, linkTo, number, object, oneOf, OTHERS, text, texts, truth,
} from './_prop-types';
import { PROFILE_PROP_TYPES, SERVICE_PROP_TYPES, type PropTypesOf } from './_workload-prop-types';
import type { ScheduledSparkApplicationProps } from './scheduled-spark-application-props';
import type { SparkApplicationProps, SparkApplicationTemplate } from './spark-application-props';

/** Other fields are those of Kubernetes. */
const METADATA = {
  name: text, namespace: text, labels: texts, annotations: texts, finalizers: [text], ownerReferences: [object], [OTHERS]: anything,
} as const;

const TEMPLATE_PROP_TYPES = {
  ...PROFILE_PROP_TYPES,
  type: oneOf(Object.values(SparkApplicationType)), mainApplicationFile: text, mainClass: text, arguments: [text], suspend: truth,
  driverIngresses: [{ ...SERVICE_PROP_TYPES, port: number, url: text }], profile: linkTo('SparkProfile', '_toSpec'),
} as const satisfies PropTypesOf<SparkApplicationTemplate>;

/** Props that decide where a workload runs and how it is checked. @internal */
export const LINK_PROP_TYPES = {
  metadata: METADATA, jobNamespace: linkTo('SparkJobNamespace', '_known'), strict: truth,
} as const;

/** @internal */
export const APPLICATION_PROP_TYPES = { ...TEMPLATE_PROP_TYPES, ...LINK_PROP_TYPES } as const satisfies PropTypesOf<SparkApplicationProps>;

/** @internal */
export const SCHEDULE_PROP_TYPES = {
  ...LINK_PROP_TYPES,
  schedule: instanceOf('Schedule', '_toExpression'), timeZone: text,
  // Another check explains why a template has no metadata.
  template: { ...TEMPLATE_PROP_TYPES, metadata: METADATA },
  concurrency: text, successfulRunHistoryLimit: number, failedRunHistoryLimit: number, suspend: truth, startingDeadline: duration,
  catchUp: text,
} as const satisfies PropTypesOf<ScheduledSparkApplicationProps>;
