/** Every version that the local cluster is made of and that is not pinned by a go.mod. */
import supported from '../../src/kube/supported-versions.json' with { type: 'json' };

export const KUBERNETES_VERSION = 'v1.34.4';
/** The oldest Kubernetes that the operator and its CRDs are meant for. There is a control plane of it, and no node. */
export const OLDEST_KUBERNETES_VERSION = supported.oldestKubernetes;
export const SPARK_VERSION = '4.1.1';
export const DEBIAN_SUITE = 'bookworm';

/** The oldest Go that compiles the modules of this folder; it is also their `go` line. */
export const GO_VERSION = '1.26';

export const SPARK_IMAGE = `spark.test/spark:${SPARK_VERSION}`;
export const SPARK_JMX_IMAGE = `spark.test/spark-jmx:${SPARK_VERSION}`;
/** The Spark image with the connectors of S3 and Google Cloud Storage in it. */
export const SPARK_STORES_IMAGE = `spark.test/spark-stores:${SPARK_VERSION}`;
/** kubeflow's operator on the Spark image; kubeflow/go.mod has its version. */
export const KUBEFLOW_IMAGE = 'spark.test/kubeflow-operator:v2';
export const NODE_IMAGE = 'spark.test/node:24';
export const PAUSE_IMAGE = 'spark.test/pause:1';
