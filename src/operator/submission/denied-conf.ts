import { SubmissionError } from './errors';

/** A Spark property that users may not set, and what to do instead. */
interface DeniedProperty {
  readonly key: string;
  readonly reason: string;
  readonly remedy: string;
}

const ACCOUNT = {
  reason: 'is not allowed in sparkConf: the field for it decides',
};
const TOKEN = {
  reason: 'is not allowed in sparkConf: pods authenticate as their service account',
  remedy: 'remove it and set spec.driver.serviceAccount',
};
const MASTER = {
  reason: 'is not allowed in sparkConf: a driver uses the API server of its own cluster',
  remedy: 'remove it',
};

/** What kubeflow/spark-operator's admission denies in `sparkConf`, except the images, which its users set there. */
const DENIED: readonly DeniedProperty[] = [
  { key: 'spark.kubernetes.authenticate.driver.serviceAccountName', ...ACCOUNT, remedy: 'set spec.driver.serviceAccount' },
  { key: 'spark.kubernetes.authenticate.executor.serviceAccountName', ...ACCOUNT, remedy: 'set spec.executor.serviceAccount' },
  ...['', 'driver.', 'executor.'].flatMap(role => ['oauthToken', 'oauthTokenFile'].map(name => (
    { key: `spark.kubernetes.authenticate.${role}${name}`, ...TOKEN }
  ))),
  { key: 'spark.master', ...MASTER },
  { key: 'spark.kubernetes.driver.master', ...MASTER },
];

const NAMESPACE = 'spark.kubernetes.namespace';

/**
 * Refuses properties in `sparkConf` with which an application could act as somebody else or somewhere else.
 *
 * @throws SubmissionError for the first of them
 */
export function refuseDeniedConf(sparkConf: { readonly [key: string]: string }, namespace: string): void {
  for (const { key, reason, remedy } of DENIED) {
    if (Object.hasOwn(sparkConf, key)) {
      throw new SubmissionError({ field: sparkConfField(key), value: sparkConf[key], reason, remedy });
    }
  }
  const given = sparkConf[NAMESPACE];
  if (given !== undefined && given !== namespace) {
    throw new SubmissionError({
      field: sparkConfField(NAMESPACE),
      value: given,
      reason: `is not the namespace of the application, ${namespace}`,
      remedy: 'remove it, or create the application in the other namespace',
    });
  }
}

/** The path of a key of `sparkConf`, as errors write it. */
export function sparkConfField(key: string): string {
  return `spec.sparkConf[${key}]`;
}
