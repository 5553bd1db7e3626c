/** `fastStart` of the tests' applications: the archive of the tests' image, unless FAST_START says otherwise. `none` runs them as on any image. */
export const FAST_START = process.env.FAST_START ?? 'auto';

/** Options of a JVM that starts quickly: the node of the tests has two CPUs for everything. */
export const QUICK_JVM = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1';

const FOLDER = '/opt/spark/fast-start';
const quickJvm = FAST_START === 'none' ? QUICK_JVM : `-XX:SharedArchiveFile=${FOLDER}/spark.jsa ${QUICK_JVM}`;

/** Spark properties that do what `fastStart` and QUICK_JVM do: for another operator, Connect servers and arguments of spark-submit. */
export const QUICK_PROPERTIES = {
  'spark.driver.extraJavaOptions': quickJvm,
  'spark.executor.extraJavaOptions': quickJvm,
  ...(FAST_START !== 'none' && {
    'spark.driver.extraClassPath': `${FOLDER}/spark.jar`,
    'spark.executorEnv.SPARK_CONF_DIR': `${FOLDER}/spark.jar:/opt/spark/conf`,
  }),
};
