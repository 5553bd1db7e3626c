module cdk8s-spark-operator/local-cluster/pause

go 1.26
