# SparkApplication jobs/words, attempt 1; placeholders replace --submission-id, --submit-time
(
set -e
templates=$(mktemp -d)
trap 'rm -r "$templates"' EXIT
cat > "$templates/driver.yaml" <<'END'
spec:
  containers:
    - terminationMessagePolicy: FallbackToLogsOnError
      name: spark-kubernetes-driver
      env:
        - name: GREETING
          value: it's $HOME
  enableServiceLinks: false
metadata:
  ownerReferences:
    - apiVersion: sparkoperator.k8s.io/v1beta2
      kind: SparkApplication
      name: words
      uid: 7f3a1c62-0d5e-4b8f-9a41-2c6de5b80f17
      controller: true
END
cat > "$templates/executor.yaml" <<'END'
spec:
  containers:
    - terminationMessagePolicy: FallbackToLogsOnError
      name: spark-kubernetes-executor
  enableServiceLinks: false
END
spark-submit \
  --master k8s://https://kubernetes.default.svc \
  --deploy-mode cluster \
  --class org.example.Words \
  --name words \
  --conf spark.driver.cores=1 \
  --conf 'spark.driver.extraJavaOptions=-Da=1 -Db="2 3"' \
  --conf spark.driver.memory=1g \
  --conf spark.executor.cores=1 \
  --conf spark.executor.instances=1 \
  --conf spark.executor.memory=1g \
  --conf spark.kubernetes.container.image=apache/spark:4.1.1 \
  --conf spark.kubernetes.driver.container.image=apache/spark:4.1.1 \
  --conf spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name=words \
  --conf spark.kubernetes.driver.label.sparkoperator.k8s.io/app-uid=7f3a1c62-0d5e-4b8f-9a41-2c6de5b80f17 \
  --conf spark.kubernetes.driver.label.sparkoperator.k8s.io/attempt=1 \
  --conf spark.kubernetes.driver.label.sparkoperator.k8s.io/launched-by-spark-operator=true \
  --conf spark.kubernetes.driver.label.sparkoperator.k8s.io/submission-id=00000000-0000-0000-0000-b7e5dde93062 \
  --conf spark.kubernetes.driver.pod.name=words-driver \
  --conf spark.kubernetes.driver.podTemplateContainerName=spark-kubernetes-driver \
  --conf spark.kubernetes.driver.podTemplateFile="$templates/driver.yaml" \
  --conf spark.kubernetes.executor.container.image=apache/spark:4.1.1 \
  --conf spark.kubernetes.executor.label.sparkoperator.k8s.io/app-name=words \
  --conf spark.kubernetes.executor.label.sparkoperator.k8s.io/app-uid=7f3a1c62-0d5e-4b8f-9a41-2c6de5b80f17 \
  --conf spark.kubernetes.executor.label.sparkoperator.k8s.io/attempt=1 \
  --conf spark.kubernetes.executor.label.sparkoperator.k8s.io/launched-by-spark-operator=true \
  --conf spark.kubernetes.executor.label.sparkoperator.k8s.io/submission-id=00000000-0000-0000-0000-b7e5dde93062 \
  --conf spark.kubernetes.executor.podTemplateContainerName=spark-kubernetes-executor \
  --conf spark.kubernetes.executor.podTemplateFile="$templates/executor.yaml" \
  --conf spark.kubernetes.namespace=jobs \
  --conf spark.kubernetes.submission.waitAppCompletion=false \
  https://repo.example.org/words.jar \
  'it'\''s' \
  '$(hostname)' \
  --top \
  10
)
