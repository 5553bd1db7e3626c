import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { CheckedResource } from './_checked-resource';
import { found } from '../props/_names';
import { podTemplateSchema, schemaOfKind } from '../props/_schema';
import { SPARK_CONNECT, SparkConnectSpec } from '../api/spark-connect';
import type { Metadata } from '../rules/metadata';
import type { Schema } from '../rules/schema';
import { sparkConnectViolations } from '../plan/checks/spark-connect';
import type { Violation } from '../model/problem';
import { written } from '../rules/written';

/** A `SparkConnect` in the manifest's own shape. */
export interface ApiSparkConnectProps {
  /**
   * Name, namespace, labels and annotations.
   *
   * @default - a name made from the construct's path, and the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /** The server and its executors. */
  readonly spec: SparkConnectSpec;
}

/**
 * The raw custom resource `SparkConnect` (`sparkoperator.k8s.io/v1alpha1`), for those who want the manifest's own shape.
 *
 * The constructor rejects what the CRD would reject, and a server without an image. The error names each field, its value and the reason.
 * Quotas, policies and webhooks of a cluster can still reject more.
 */
export class ApiSparkConnect extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiSparkConnectProps) {
    super(scope, id, SPARK_CONNECT, props.metadata, props.spec, asWritten);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: SparkConnectSpec): Violation[] {
    // A patch may change the name.
    const { name = this.name } = metadata as Metadata & { readonly name?: string };
    return [...found([wrongServerName(name, spec)]), ...sparkConnectViolations(spec, metadata.namespace, { spec: specSchema(), podTemplate: podTemplateSchema() })];
  }
}

/** The rule of the CRD that is about the object as a whole. */
function wrongServerName(value: string, { server }: SparkConnectSpec): Violation | undefined {
  if (!/^[0-9]|[.]/.test(value) || server?.service?.metadata?.name !== undefined) return undefined;
  return { path: 'metadata.name', value, reason: 'must begin with a letter and have no dots, as the Service of its server is called <name>-server: choose another name, or name the Service in spec.server.service.metadata.name' };
}

const ROLES = ['server', 'executor'] as const;

function specSchema(): Schema {
  return schemaOfKind(SPARK_CONNECT).properties!.spec!;
}

function asWritten(spec: SparkConnectSpec): SparkConnectSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => (spec?.[role]?.template ? [[role, { ...spec[role], template: written(template, spec[role].template, definitions) }]] : []));
  return written(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}
