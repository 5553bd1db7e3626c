import { ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { applicationAsWritten, applicationViolations } from '../props/_application-violations';
import { CheckedResource } from './_checked-resource';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import type { Metadata } from '../rules/metadata';
import type { Violation } from '../model/problem';

/** A `SparkApplication` in the manifest's own shape. */
export interface ApiSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** What to run. */
  readonly spec: SparkApplicationSpec;
}

/**
 * The raw custom resource `SparkApplication` (`sparkoperator.k8s.io/v1beta2`), for those who want the manifest's own shape.
 *
 * The constructor rejects what the CRD would reject, and many mistakes that the operator would find later. The error names each field,
 * its value and the reason. Patches are checked at synthesis. Quotas, policies and webhooks of a cluster can still reject more.
 */
export class ApiSparkApplication extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiSparkApplicationProps) {
    super(scope, id, SPARK_APPLICATION, props.metadata, props.spec, applicationAsWritten);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: SparkApplicationSpec): Violation[] {
    return applicationViolations(spec, metadata.namespace);
  }
}

/**
 * A specification as the manifest has it when it is synthesized, so that later changes count.
 * @internal
 */
export function lazily(produce: () => SparkApplicationSpec): SparkApplicationSpec {
  return Lazy.any({ produce: () => applicationAsWritten(produce()) });
}
