/**
 * Repository of the operator's images: `<version>` and, with Spark, `<version>-spark-submit`. The
 * release workflow gets it from `tools/release/workflows.ts`.
 * @internal
 */
export const IMAGE_REPOSITORY = 'ghcr.io/cdk8s-spark-operator/spark-operator';
