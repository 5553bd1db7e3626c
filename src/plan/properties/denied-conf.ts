import { DENIED_SPARK_CONF } from '../../api/denied-conf';
import { SubmissionError } from '../errors';
import { STOP_AT_FIRST, type Steps } from '../problems';

/** Property that must have the namespace of the application, if it is set. */
export const NAMESPACE = 'spark.kubernetes.namespace';

/**
 * Rejects properties in `sparkConf` with which an application could act as another user or in
 * another place. The CRD rejects the same ones, but an application might have been stored before it
 * did.
 *
 * @throws SubmissionError for the first of them
 */
export function refuseDeniedConf(sparkConf: { readonly [key: string]: string }, namespace: string, steps: Steps = STOP_AT_FIRST): void {
  for (const { key, reason, remedy } of DENIED_SPARK_CONF) {
    if (Object.hasOwn(sparkConf, key)) {
      steps.attempt(() => { throw new SubmissionError({ field: sparkConfField(key), value: sparkConf[key], reason, remedy }); });
    }
  }
  const given = sparkConf[NAMESPACE];
  if (given !== undefined && given !== namespace) {
    steps.attempt(() => {
      throw new SubmissionError({
        field: sparkConfField(NAMESPACE),
        value: given,
        reason: `is not the namespace of the application, ${namespace}`,
        remedy: 'remove it, or create the application in the other namespace',
      });
    });
  }
}

/** Returns the path of a key of `sparkConf` for errors. */
export function sparkConfField(key: string): string {
  return `spec.sparkConf[${key}]`;
}
