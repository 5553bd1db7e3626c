module cdk8s-spark-operator/local-cluster/kubeflow

go 1.26.0
