import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { CheckedResource } from './_checked-resource';
import { CONNECT_PORT, CONTAINERS, hasImage } from './_connect-server';
import { podTemplateSchema, schemaOfKind } from './_schema';
import { SPARK_CONNECT, SparkConnectSpec } from '../api/spark-connect';
import type { Metadata } from '../validation/metadata';
import { podTemplateViolations } from '../validation/pod-template';
import type { Schema } from '../validation/schema';
import { labelViolations, propertyViolations, templateViolations } from '../validation/submission';
import { violations, type Violation } from '../validation/validate';
import { written } from '../validation/written';

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
 * What the API server would refuse is refused when the construct is created, and so is a server without an image: the error names each field, its value and the
 * reason.
 */
export class ApiSparkConnect extends CheckedResource {
  constructor(scope: Construct, id: string, props: ApiSparkConnectProps) {
    super(scope, id, SPARK_CONNECT, props.metadata, props.spec, asWritten);
  }

  /** @internal */
  protected override _specViolations(metadata: Metadata, spec: SparkConnectSpec): Violation[] {
    const found = [
      ...violations(specSchema(), spec, 'spec'),
      ...ROLES.flatMap((role) => podTemplateViolations(podTemplateSchema(), spec?.[role]?.template, `spec.${role}.template`)),
      ...namespaceViolations(spec, metadata.namespace),
    ];
    // These rely on the types.
    return found.length > 0 ? found : [...objectViolations(spec, metadata.namespace), ...propertyViolations(spec), ...portViolations(spec), ...imageViolations(spec)];
  }
}

const ROLES = ['server', 'executor'] as const;
const PROPERTIES = { server: 'spark.kubernetes.driver.container.image', executor: 'spark.kubernetes.executor.container.image' } as const;

function specSchema(): Schema {
  return schemaOfKind(SPARK_CONNECT).properties!.spec!;
}

function asWritten(spec: SparkConnectSpec): SparkConnectSpec {
  const { template, definitions } = podTemplateSchema();
  const parts = ROLES.flatMap((role) => (spec?.[role]?.template ? [[role, { ...spec[role], template: written(template, spec[role].template, definitions) }]] : []));
  return written(specSchema(), { ...spec, ...Object.fromEntries(parts) });
}

const NAMESPACE = 'spark.kubernetes.namespace';

/** Executors would run where the operator may not look. */
function namespaceViolations(spec: SparkConnectSpec, namespace: string | undefined): Violation[] {
  const value = spec?.sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf["${NAMESPACE}"]`, value, reason: `must be the namespace of the SparkConnect, ${namespace}: remove it` }];
}

/** What is made of the Services and templates that the specification describes. */
function objectViolations(spec: SparkConnectSpec, namespace: string | undefined): Violation[] {
  const { labels, annotations } = spec.server.service?.metadata ?? {};
  return [
    ...labelViolations('spec.server.service.metadata', { labels, annotations }),
    ...labelViolations('spec.sparkUIOptions', spec.sparkUIOptions ?? {}),
    ...ROLES.flatMap((role) => templateViolations(spec[role], `spec.${role}`, namespace))
      .map((violation) => ({ ...violation, reason: violation.reason.replace('of the application', 'of the SparkConnect') })),
  ];
}

const GRPC_PORT = 'spark.connect.grpc.binding.port';

/** The Service of the server has one port. */
function portViolations({ sparkConf }: SparkConnectSpec): Violation[] {
  const value = sparkConf?.[GRPC_PORT];
  if (value === undefined || Number(value) === CONNECT_PORT) return [];
  return [{ path: `spec.sparkConf["${GRPC_PORT}"]`, value, reason: `must be ${CONNECT_PORT}, the port of the server's Service: remove it` }];
}

/** Each pod needs an image from somewhere. */
function imageViolations(spec: SparkConnectSpec): Violation[] {
  if (spec.image || spec.sparkConf?.['spark.kubernetes.container.image']) return [];
  return ROLES.filter((role) => !hasImage(role, spec[role].template) && !spec.sparkConf?.[PROPERTIES[role]]).slice(0, 1)
    .map((role) => ({ path: 'spec.image', value: undefined, reason: `is missing, and spec.${role}.template has no image for ${CONTAINERS[role]} either` }));
}
