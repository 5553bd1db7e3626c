/**
 * The unit in which the name of a run tells its time; kubeflow's words (`--scheduled-spark-application-timestamp-precision`). It is the time that the run is for, not
 * the one at which it was started: whoever starts it a second time arrives at the same name.
 */
export const TIMESTAMP_PRECISIONS = ['nanos', 'micros', 'millis', 'seconds', 'minutes'] as const;
export type TimestampPrecision = typeof TIMESTAMP_PRECISIONS[number];
