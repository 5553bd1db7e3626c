import { DENIED_SPARK_CONF } from '../../api/denied-conf';
import type { SparkApplicationSpec } from '../../api/spark-application';
import { NAMESPACE } from './denied-conf';
import { driverOptions } from './driver-options';
import { SubmissionError } from '../errors';
import { STOP_AT_FIRST, type Steps } from '../problems';

const DENIED = new Map(DENIED_SPARK_CONF.map(({ key, reason, remedy }) => [
  key, { reason: reason.replace('in sparkConf', 'as an option'), remedy },
]));

/**
 * Rejects options of the driver's JVM that set properties which `sparkConf` must not set: Spark in
 * the driver reads both in the same way.
 *
 * @throws SubmissionError for the first of them, without the option, which can be a secret
 */
export function refuseDeniedOptions(spec: SparkApplicationSpec, namespace: string, steps: Steps = STOP_AT_FIRST): void {
  const { properties, tooLong } = driverOptions(spec);
  if (tooLong) steps.attempt(() => { throw new SubmissionError(tooLong); });
  for (const { name, value, field } of properties) {
    const isForeign = name === NAMESPACE && value !== namespace;
    const denied = isForeign ? { reason: `is not the namespace of the application, ${namespace}`, remedy: 'remove it' } : DENIED.get(name);
    if (denied) {
      steps.attempt(() => {
        throw new SubmissionError({ field, reason: `sets ${name}, which ${denied.reason}`, remedy: denied.remedy });
      });
    }
  }
}
