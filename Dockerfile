# The operator's images. Build them in the root of the package (`npm run compile` makes the files):
#   docker build .                        Node and the operator's files
#   docker build --target spark-submit .  with Spark, for what only spark-submit can submit
ARG BASE_IMAGE=node:24-slim
ARG SPARK_IMAGE=apache/spark:4.1.1-scala2.13-java17-ubuntu

FROM ${BASE_IMAGE} AS base

FROM ${SPARK_IMAGE} AS spark-submit
USER root
COPY --from=base /usr/local/bin/node /usr/local/bin/node
# An archive of the classes that spark-submit loads: it saves a third of what a run costs. They are learnt from a run that finds no
# API server. The archive is good for this JVM with these jars in this order; src/operator/spark-submit names them likewise.
RUN export LC_ALL=C SPARK_LOCAL_IP=127.0.0.1 \
 && node --version \
 && mkdir -p /opt/spark-operator /tmp/archive && cd /tmp/archive \
 && echo '{"spec":{"containers":[{"name":"spark-kubernetes-driver"}]}}' >template.json \
 && jars=$(printf ':%s' "$SPARK_HOME"/jars/*.jar) \
 && export SPARK_SUBMIT_OPTS="-XX:+UseSerialGC -XX:ArchiveClassesAtExit=/opt/spark-operator/spark-submit.jsa -Xlog:cds=error -Xlog:cds+dynamic=error -cp ${jars#:}" \
 && { "$SPARK_HOME/bin/spark-submit" --master k8s://https://127.0.0.1:1 --deploy-mode cluster --class Main --name archive \
      --conf spark.kubernetes.container.image=none \
      --conf spark.kubernetes.driver.podTemplateFile=/tmp/archive/template.json \
      --conf spark.kubernetes.executor.podTemplateFile=/tmp/archive/template.json \
      local:///main.jar >log 2>&1 || true; } \
 && { test -s /opt/spark-operator/spark-submit.jsa || { cat log; exit 1; }; } \
 && chmod a+r /opt/spark-operator/spark-submit.jsa \
 && cd / && rm -rf /tmp/*
COPY runtime/operator.cjs runtime/part-*operator*.cjs /opt/spark-operator/
# Spark's own user: Hadoop wants a name for it. It writes to /tmp, and to nothing else.
USER 185
WORKDIR /
# What an operator holds lives long, and there is much of it. A small young heap saves memory: with 16 MiB it was 13 MiB more beside 10,000 finished applications. An old heap that is collected when it has grown by 20 %, in place of
# several times as much, halves the memory with 10,000 applications, for a fifth more CPU while caches are filled. What bursts leave of it, the operator has collected itself, for which it needs --expose-gc. Fewer arenas of the C library save another 10 MiB.
ENV MALLOC_ARENA_MAX=2
# As process 1, tini collects the exits of what spark-submit's scripts leave behind.
ENTRYPOINT ["/usr/bin/tini", "--", "node", "--max-semi-space-size=8", "--heap-growing-percent=20", "--expose-gc", "/opt/spark-operator/operator.cjs"]

FROM base
COPY runtime/operator.cjs runtime/part-*operator*.cjs /opt/spark-operator/
# As above for memory. Any user will do; the file system is never written to.
ENV MALLOC_ARENA_MAX=2
USER 65532:65532
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=20", "--expose-gc", "/opt/spark-operator/operator.cjs"]
