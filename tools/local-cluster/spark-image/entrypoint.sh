#!/bin/bash
# What Kubernetes starts in a Spark container. It takes the arguments and variables that Spark gives to the entrypoint
# of its own images: `driver <arguments of spark-submit>`, `executor`, or any other command, which is run as it is.
set -e

# A platform may run the container as any user. Java and Python want to know the name of theirs, so that a user without
# an entry in /etc/passwd gets one from a library that answers in its place.
if ! getent passwd "$(id -u)" >/dev/null; then
  wrapper=$(find /usr/lib -name libnss_wrapper.so -print -quit)
  if [ -n "$wrapper" ]; then
    accounts=$(mktemp -d)
    echo "spark:x:$(id -u):$(id -g):Apache Spark:${HOME:-/opt/spark/work-dir}:/bin/false" >"$accounts/passwd"
    echo "spark:x:$(id -g):" >"$accounts/group"
    export LD_PRELOAD=$wrapper NSS_WRAPPER_PASSWD=$accounts/passwd NSS_WRAPPER_GROUP=$accounts/group
  fi
fi

# Configuration comes before the jars, and what the user adds comes after them.
class_path=$SPARK_CLASSPATH:$SPARK_HOME/jars/*
if [ -n "$SPARK_EXTRA_CLASSPATH" ]; then class_path=$class_path:$SPARK_EXTRA_CLASSPATH; fi
if [ -n "$HADOOP_HOME" ] && [ -z "$SPARK_DIST_CLASSPATH" ]; then
  SPARK_DIST_CLASSPATH=$("$HADOOP_HOME/bin/hadoop" classpath)
  export SPARK_DIST_CLASSPATH
fi
if [ -n "${HADOOP_CONF_DIR+set}" ]; then class_path=$HADOOP_CONF_DIR:$class_path; fi
class_path=${SPARK_CONF_DIR-$SPARK_HOME/conf}:$class_path:$PWD

# SPARK_JAVA_OPT_0, _1 and so on hold one option each, which may contain spaces. Their order is that of the numbers.
java_options=()
while read -r number; do
  option=SPARK_JAVA_OPT_$number
  java_options+=("${!option}")
done < <(compgen -v | sed -n 's/^SPARK_JAVA_OPT_\([0-9][0-9]*\)$/\1/p' | sort -n)

case "$1" in
  driver)
    shift
    command=(
      "$SPARK_HOME/bin/spark-submit"
      --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS"
      --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$SPARK_DRIVER_BIND_ADDRESS"
      --deploy-mode client
      "$@"
    )
    ;;
  executor)
    shift
    command=(
      "$JAVA_HOME/bin/java"
      "${java_options[@]}"
      "-Xms$SPARK_EXECUTOR_MEMORY"
      "-Xmx$SPARK_EXECUTOR_MEMORY"
      -cp "$class_path:$SPARK_DIST_CLASSPATH"
      org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend
      --driver-url "$SPARK_DRIVER_URL"
      --executor-id "$SPARK_EXECUTOR_ID"
      --cores "$SPARK_EXECUTOR_CORES"
      --app-id "$SPARK_APPLICATION_ID"
      --hostname "$SPARK_EXECUTOR_POD_IP"
      --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID"
      --podName "$SPARK_EXECUTOR_POD_NAME"
      "$@"
    )
    ;;
  *)
    command=("$@")
    ;;
esac

# As process 1, tini collects the exits of Python workers and passes signals on.
exec /usr/bin/tini -s -- "${command[@]}"
