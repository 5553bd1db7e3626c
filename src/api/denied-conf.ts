/**
 * A Spark property that `sparkConf` may not set, why, and what to do instead.
 * @internal
 */
export interface DeniedProperty {
  readonly key: string;
  /** The rest of a sentence that starts with the property. */
  readonly reason: string;
  /** An imperative. */
  readonly remedy: string;
}

const ACCOUNT = 'is not allowed in sparkConf: the field for it decides';
const TOKEN = 'is not allowed in sparkConf: pods authenticate as their service account';
const MASTER = 'is not allowed in sparkConf: a driver uses the API server of its own cluster';

/**
 * What would let an application act as somebody else or somewhere else: the same properties as kubeflow/spark-operator's admission
 * denies, except the images, which its users set there. The namespace, which has to be the application's own, is checked by the operator.
 * @internal
 */
export const DENIED_SPARK_CONF: readonly DeniedProperty[] = [
  { key: 'spark.kubernetes.authenticate.driver.serviceAccountName', reason: ACCOUNT, remedy: 'set spec.driver.serviceAccount' },
  { key: 'spark.kubernetes.authenticate.executor.serviceAccountName', reason: ACCOUNT, remedy: 'set spec.executor.serviceAccount' },
  ...['', 'driver.', 'executor.'].flatMap((role) => ['oauthToken', 'oauthTokenFile'].map((name) => (
    { key: `spark.kubernetes.authenticate.${role}${name}`, reason: TOKEN, remedy: 'remove it and set spec.driver.serviceAccount' }
  ))),
  { key: 'spark.master', reason: MASTER, remedy: 'remove it' },
  { key: 'spark.kubernetes.driver.master', reason: MASTER, remedy: 'remove it, or set spec.driver.kubernetesMaster' },
];

type Rules = readonly { readonly rule: string; readonly message: string }[];

/**
 * The rules of the CRD for them.
 * @internal
 */
export const SPARK_CONF_RULES: Rules = rulesFor(DENIED_SPARK_CONF);

/**
 * Those of a SparkConnect, whose templates name the service accounts.
 * @internal
 */
export const SPARK_CONNECT_CONF_RULES: Rules = rulesFor(DENIED_SPARK_CONF.map((denied) => ({ ...denied, remedy: ofTemplate(denied) })));

function ofTemplate({ key, reason, remedy }: DeniedProperty): string {
  if (!remedy.includes('spec.')) return remedy;
  return reason === MASTER ? 'remove it' : `set serviceAccountName in spec.${key.includes('.executor.') ? 'executor' : 'server'}.template`;
}

function rulesFor(denied: readonly DeniedProperty[]): Rules {
  return denied.map(({ key, reason, remedy }) => ({ rule: `!('${key}' in self)`, message: `${key} ${reason}; ${remedy}` }));
}
