import { ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { normalizedApplication, applicationViolations } from '../props/_application-violations';
import { CheckedResource } from './_checked-resource';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/** A `SparkApplication` in the shape of the manifest. */
export interface ApiSparkApplicationProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** Specification of the application. */
  readonly spec: SparkApplicationSpec;
}

/**
 * The raw custom resource `SparkApplication` (`sparkoperator.k8s.io/v1beta2`), in the shape of the
 * manifest.
 *
 * Synthesis, after all patches, rejects what the CRD would reject, and many mistakes that the
 * operator would find later. The error contains each field, its value and the reason. Quotas,
 * policies and webhooks of a cluster can still reject more.
 */
export class ApiSparkApplication extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiSparkApplicationProps) {
    super(scope, id, SPARK_APPLICATION, props.metadata, props.spec, normalizedApplication);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: SparkApplicationSpec): Problem[] {
    return applicationViolations(metadata, spec, this._known());
  }
}

/**
 * Returns a specification that is rendered at synthesis and includes later changes.
 * @internal
 */
export function lazily(produce: () => SparkApplicationSpec): SparkApplicationSpec {
  return Lazy.any({ produce: () => normalizedApplication(produce()) });
}
