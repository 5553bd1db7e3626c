/**
 * Returns Spark's id of a natively submitted application: `spark-` and the submission id without
 * dashes. spark-submit draws another one.
 */
export function applicationIdOf(submissionID: string): string {
  return `spark-${submissionID.replaceAll('-', '')}`;
}
