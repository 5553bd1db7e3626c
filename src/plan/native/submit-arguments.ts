import { SubmissionError } from '../errors';
import { checkInstances } from '../properties/check-dynamic-allocation';
import type { DriverConf } from './driver-conf';
import { EXECUTOR_VOLUMES, volumeSpecs } from './volume-specs';

const BIND_ADDRESS = 'spark.driver.bindAddress';
const REMOTE = 'spark.remote';

/** Maximum of `spark.kubernetes.configMap.maxSize`, in bytes. */
const MAX_CONFIG_MAP_SIZE = 1_048_576;

/**
 * Makes the checks of spark-submit before a submission, including those of values that only the
 * driver uses (SparkSubmitArguments, SparkSubmit, KubernetesConf.createDriverConf,
 * KubernetesClientUtils, SparkKubernetesClientFactory).
 *
 * @throws SubmissionError for the first problem
 */
export function checkSubmitArguments(driver: DriverConf): void {
  const { conf, properties } = driver;
  conf.rawPositiveSize('spark.driver.memory');
  conf.rawPositiveSize('spark.executor.memory');
  conf.rawCount('spark.driver.cores', 'cores');
  conf.rawCount('spark.executor.cores', 'cores');
  conf.rawCount('spark.cores.max', 'cores');
  checkInstances(properties, conf);
  conf.rawBoolean('spark.master.rest.enabled', false);
  conf.rawBoolean('spark.kubernetes.setSubmitTimeInDriver', true);
  conf.boolean(['spark.kubernetes.trust.certificates'], false);
  conf.integer('spark.kubernetes.submission.requestTimeout');
  conf.integer('spark.kubernetes.submission.connectionTimeout');
  conf.integer('spark.kubernetes.configMap.maxSize', MAX_CONFIG_MAP_SIZE);
  if (conf.has(REMOTE)) {
    throw conf.wrong(REMOTE, 'is where a server for Spark Connect is, which has no driver of its own', 'remove it');
  }
  if (conf.has(BIND_ADDRESS)) {
    throw conf.wrong(BIND_ADDRESS, "is not allowed on Kubernetes: the driver binds to its pod's address", 'remove it');
  }
  refuseProxyUser(driver);
  volumeSpecs(driver, EXECUTOR_VOLUMES);
}

function refuseProxyUser({ application: { proxyUser }, conf }: DriverConf): void {
  if (proxyUser !== undefined && conf.has('spark.kerberos.principal')) {
    throw new SubmissionError({
      field: 'spec.proxyUser', value: proxyUser, reason: 'is not allowed together with spark.kerberos.principal',
      remedy: 'remove one of the two',
    });
  }
}
