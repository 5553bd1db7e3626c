# The operator's image: Node and one file. Build it in the root of the package (`npm run compile` makes the file).
ARG BASE_IMAGE=node:24-slim
FROM ${BASE_IMAGE}
COPY runtime/operator.cjs /opt/spark-operator/operator.cjs
# Any user will do; the file system is never written to.
USER 65532:65532
ENTRYPOINT ["node", "/opt/spark-operator/operator.cjs"]
