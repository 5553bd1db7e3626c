/**
 * Script that runs spark-submit with its arguments, in bash. If spark-submit fails, the script
 * writes the output without stack frames as termination message: the frames would fill it.
 *
 * It removes variables by which spark-submit would create other objects, or would set variables of
 * the driver. It does so here, because the image and `envFrom` can set them. A configuration of
 * Hadoop remains on the class path.
 */
export const SUBMIT_SCRIPT = [
  'export SPARK_DIST_CLASSPATH=${HADOOP_CONF_DIR:+$HADOOP_CONF_DIR:}${SPARK_DIST_CLASSPATH:-}',
  'unset HADOOP_CONF_DIR YARN_CONF_DIR SPARK_CONF_DIR SPARK_LOCAL_DIRS PYSPARK_PYTHON PYSPARK_DRIVER_PYTHON',
  'export SPARK_LAUNCHER_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"',
  'export SPARK_SUBMIT_OPTS="$SPARK_LAUNCHER_OPTS -XX:MaxRAMPercentage=50 ${SPARK_SUBMIT_OPTS:-}"',
  'log=$(mktemp)',
  '"${SPARK_HOME:-/opt/spark}/bin/spark-submit" "$@" 2>&1 | tee "$log"',
  'code=${PIPESTATUS[0]}',
  'if [ "$code" != 0 ]; then',
  '  grep -Ev "^[[:space:]]+(at |[.]{3} )" "$log" | tail -c 4000 > "${TERMINATION_LOG:-/dev/termination-log}"',
  'fi',
  'exit "$code"',
  '',
].join('\n');
