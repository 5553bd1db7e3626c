# The operator's image: Node and the operator's files. Build it in the root of the package (`npm run compile` makes the files): docker build .
ARG BASE_IMAGE=node:24-slim

FROM ${BASE_IMAGE}
COPY runtime/operator.cjs runtime/part-*operator*.cjs /opt/spark-operator/
# `COPY --from` in the Dockerfile of `sparkctl image`.
COPY fast-start/* /fast-start/
# The operator's objects live long, and there are many of them. A small young generation saves memory: with 16 MiB, it took 13 MiB
# more beside 10,000 finished applications. An old generation that is collected after a growth of 20 %, instead of several times as
# much, halves the memory with 10,000 applications, for a fifth more CPU while caches fill. --expose-gc lets the operator collect
# the garbage of a burst. Fewer arenas of the C library save another 10 MiB.
ENV MALLOC_ARENA_MAX=2
# Any user is possible; nothing is written to the file system.
USER 65532:65532
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=20", "--expose-gc", "/opt/spark-operator/operator.cjs"]
