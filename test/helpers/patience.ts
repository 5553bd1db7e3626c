/** Spark properties for a machine that has little time: Spark gives up on the API server after ten seconds, and its driver has failed. */
export const PATIENT = {
  'spark.kubernetes.driver.connectionTimeout': '60000',
  'spark.kubernetes.driver.requestTimeout': '60000',
  'spark.kubernetes.submission.connectionTimeout': '60000',
  'spark.kubernetes.submission.requestTimeout': '60000',
};
