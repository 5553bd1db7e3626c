/**
 * Units of the scheduled time in the name of a run, named as in kubeflow's
 * `--scheduled-spark-application-timestamp-precision`. The name contains the scheduled time, not
 * the start time, so a second attempt to create the run uses the same name.
 */
export const TIMESTAMP_PRECISIONS = ['nanos', 'micros', 'millis', 'seconds', 'minutes'] as const;
export type TimestampPrecision = typeof TIMESTAMP_PRECISIONS[number];
