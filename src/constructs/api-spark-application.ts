import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { schemaOfKind, violations, Violation } from './_schema';
import { apiVersionOf } from '../api/kind';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';

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
      spec: props.spec,
    });
    refuse(this.node.path, [
      ...nameViolations(this.name),
      ...violations(schemaOfKind(SPARK_APPLICATION).properties!.spec!, props.spec, 'spec'),
    ]);
  }
}

/** The name becomes a label of every pod and the beginning of the names of pods and Services (RFC 1035 labels). */
function nameViolations(name: string): Violation[] {
  if (name.length > 63) return [{ path: 'metadata.name', value: name, reason: `must have at most 63 characters, as it becomes a label of the pods; it has ${name.length}` }];
  if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)) return [{ path: 'metadata.name', value: name, reason: "must begin with a lower-case letter, followed by lower-case letters, digits and '-'" }];
  return [];
}

function refuse(path: string, found: Violation[]): void {
  if (found.length === 0) return;
  const lines = found.map((violation) => `  ${violation.path}${violation.value === undefined ? '' : ` (${shown(violation.value)})`} ${violation.reason}`);
  throw new Error(`SparkApplication at ${path} would be refused by the API server:\n${lines.join('\n')}`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
