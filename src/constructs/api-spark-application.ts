import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { podTemplateSchema, schemaOfKind } from './_schema';
import { apiVersionOf } from '../api/kind';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { metadataViolations } from '../validation/metadata';
import { podTemplateViolations } from '../validation/pod-template';
import type { Schema } from '../validation/schema';
import { violations, Violation } from '../validation/validate';
import { violationText } from '../validation/violation-text';
import { written } from '../validation/written';

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
 * What the API server would refuse is refused when the construct is created: the error names each field, its value and the reason.
 */
export class ApiSparkApplication extends ApiObject {
  constructor(scope: Construct, id: string, props: ApiSparkApplicationProps) {
    super(scope, id, {
      apiVersion: apiVersionOf(SPARK_APPLICATION),
      kind: SPARK_APPLICATION.kind,
      metadata: props.metadata,
      spec: asWritten(props.spec),
    });
    const metadata = { ...props.metadata, namespace: this.metadata.namespace };
    refuse(this.node.path, [
      ...metadataViolations(this.name, metadata),
      ...violations(specSchema(), props.spec, 'spec'),
      ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), props.spec[role]?.template, `spec.${role}.template`)),
      ...namespaceViolations(props.spec.sparkConf, metadata.namespace),
    ]);
  }
}

const ROLES = ['driver', 'executor'] as const;

function specSchema(): Schema {
  return schemaOfKind(SPARK_APPLICATION).properties!.spec!;
}

/** The specification as Kubernetes wants to have it written, also in the templates, which the CRD leaves open. */
function asWritten(spec: SparkApplicationSpec): SparkApplicationSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => {
    const pod = spec[role];
    return pod?.template ? [[role, { ...pod, template: written(template, pod.template, definitions) }]] : [];
  });
  return written(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}

const NAMESPACE = 'spark.kubernetes.namespace';

/** The application would run where its operator may not look. Without a namespace of its own it is applied to one that is not known here. */
function namespaceViolations(sparkConf: SparkApplicationSpec['sparkConf'], namespace: string | undefined): Violation[] {
  const value = sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf["${NAMESPACE}"]`, value, reason: `must be the namespace of the application, ${namespace}: remove it` }];
}

function refuse(path: string, found: Violation[]): void {
  if (found.length > 0) throw new Error(`SparkApplication at ${path} would be refused:\n${found.map((violation) => `  ${violationText(violation)}`).join('\n')}`);
}
