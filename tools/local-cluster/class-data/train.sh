#!/bin/bash
# Makes the class-data archive of the Spark in a folder, which becomes the root directory. Java archives classes for one
# class path, so that the names of the jars are written beside them, in the order that programs have to repeat.
#   train.sh <root directory> <training program, in the root directory>
set -eu
root=$1 program=$2

mount -t proc proc "$root/proc"
# Java asks for the address of the machine's name.
hostname localhost
ip link set lo up
# shellcheck disable=SC2016 # the shell in the new root directory expands them
exec chroot "$root" /bin/bash -euc '
  folder=$SPARK_HOME/class-data
  mkdir "$folder"
  jars=$(printf ":%s" "$SPARK_HOME"/jars/*.jar)
  jars=${jars#:}
  printf %s "$jars" >"$folder/class-path"
  # Java warns of each class that it leaves out.
  export SPARK_SUBMIT_OPTS="-XX:ArchiveClassesAtExit=$folder/spark.jsa -Xlog:disable"
  cd /tmp
  "$SPARK_HOME/bin/spark-submit" --master "local[2]" --driver-class-path "$jars" "$0"
  chmod a+r "$folder"/*
' "$program"
