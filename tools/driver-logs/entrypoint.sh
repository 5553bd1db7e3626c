#!/bin/bash
# Starts a driver as the entrypoint of Spark's images does, and logs its commands as that one does.
set -ex
case "$1" in
  driver)
    shift 1
    CMD=("$SPARK_HOME/bin/spark-submit" --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" --deploy-mode client "$@")
    ;;
  *)
    CMD=("$@")
    ;;
esac
exec /usr/bin/tini -s -- "${CMD[@]}"
