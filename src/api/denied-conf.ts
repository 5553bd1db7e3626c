/**
 * A Spark property that `sparkConf` must not set, the reason, and the remedy.
 * @internal
 */
export interface DeniedProperty {
  readonly key: string;
  /** The rest of a sentence that starts with the property. */
  readonly reason: string;
  /** An imperative sentence. */
  readonly remedy: string;
}

const ACCOUNT = 'is not allowed in sparkConf: the field for it decides';
const TOKEN = 'is not allowed in sparkConf: pods authenticate as their service account';
const MASTER = 'is not allowed in sparkConf: a driver uses the API server of its own cluster';

/**
 * Properties that would let an application act as another identity or in another place. They are
 * those that kubeflow/spark-operator's admission denies, except the images, which its users set
 * there. The operator checks the namespace, which has to be the application's own.
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
 * The CRD's rules for these properties.
 * @internal
 */
export const SPARK_CONF_RULES: Rules = rulesFor(DENIED_SPARK_CONF);

/**
 * The rules for a SparkConnect, whose templates name the service accounts.
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
