module cdk8s-spark-operator/local-cluster/helm

go 1.26.0
