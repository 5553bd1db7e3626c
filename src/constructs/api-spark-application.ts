import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { podTemplateSchema, schemaOfKind } from './_schema';
import { apiVersionOf } from '../api/kind';
import { SPARK_APPLICATION, SparkApplicationSpec } from '../api/spark-application';
import { podTemplateViolations } from '../validation/pod-template';
import type { Schema } from '../validation/schema';
import { violations, Violation } from '../validation/validate';
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
    refuse(this.node.path, [
      ...metadataViolations(this.name, props.metadata),
      ...violations(specSchema(), props.spec, 'spec'),
      ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), props.spec[role]?.template, `spec.${role}.template`)),
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

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_NAME = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$/;

/**
 * What Kubernetes asks of names and labels, and that the name becomes the label of every pod.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
function metadataViolations(name: string, metadata: ApiObjectMetadata = {}): Violation[] {
  const found: Violation[] = [];
  const add = (path: string, value: unknown, reason: string) => found.push({ path: `metadata.${path}`, value, reason });
  if (name.length > 63) add('name', name, `must have at most 63 characters, as it becomes a label of the pods; it has ${name.length}`);
  else if (!SUBDOMAIN.test(name)) add('name', name, "must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit");
  const { namespace } = metadata;
  if (namespace !== undefined && !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    add('namespace', namespace, "must be made of lower-case letters, digits and '-', at most 63, and begin and end with a letter or digit");
  }
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    const [prefix, label] = key.includes('/') ? [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)] : [undefined, key];
    if (!LABEL_NAME.test(label) || (prefix !== undefined && !SUBDOMAIN.test(prefix))) add(`labels[${JSON.stringify(key)}]`, undefined, 'is not the name of a label, such as team or example.org/team');
    if (value !== '' && !LABEL_NAME.test(value)) add(`labels[${JSON.stringify(key)}]`, value, "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit");
  }
  return found;
}

function refuse(path: string, found: Violation[]): void {
  if (found.length === 0) return;
  const lines = found.map((violation) => `  ${violation.path}${violation.value === undefined ? '' : ` (${shown(violation.value)})`} ${violation.reason}`);
  throw new Error(`SparkApplication at ${path} would be refused:\n${lines.join('\n')}`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
