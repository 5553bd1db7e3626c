import { LABEL_APP_NAME } from '../../api/labels';
import { CONNECT_PORT, CONTAINERS, hasImage } from '../../api/connect-server';
import { javaOptionViolations } from '../properties/java-options';
import { podTemplateViolations, type PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { sizeViolations } from '../../rules/size';
import { labelViolations, remoteViolations, templateViolations } from './submission';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import type { SparkConnectSpec } from '../../api/spark-connect';

const ROLES = ['server', 'executor'] as const;
const PROPERTIES = { server: 'spark.kubernetes.driver.container.image', executor: 'spark.kubernetes.executor.container.image' } as const;

/** Schemas of the specification and of pod templates. @internal */
export interface SparkConnectSchemas {
  readonly spec: Schema;
  readonly podTemplate: PodTemplateSchema;
}

/**
 * Returns the faults of a SparkConnect's specification for which the API server would reject it, or
 * no server could start.
 *
 * @param namespace the SparkConnect's, if it is known
 * @internal
 */
export function sparkConnectViolations(spec: SparkConnectSpec, namespace: string | undefined, schemas: SparkConnectSchemas): Problem[] {
  const ofSize = sizeViolations({ ...schemas, roles: ROLES }, spec);
  if (ofSize.length > 0) return ofSize;
  const found = sparkConnectTypeViolations(spec, schemas);
  // The other checks rely on the types.
  if (found.some(({ unknown }) => !unknown)) return found;
  return [
    ...found,
    ...namespaceViolations(spec, namespace),
    ...objectViolations(spec, namespace),
    ...remoteViolations(spec),
    ...javaOptionViolations({ sparkConf: spec.sparkConf }, 'server'),
    ...portViolations(spec),
    ...labelOfApplicationViolations(spec),
    ...instancesViolations(spec),
    ...imageViolations(spec),
  ];
}

/** Returns the faults that the schemas find. @internal */
export function sparkConnectTypeViolations(spec: SparkConnectSpec, schemas: SparkConnectSchemas): Problem[] {
  return [
    ...violations(schemas.spec, spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(schemas.podTemplate, spec?.[role]?.template ?? undefined, `spec.${role}.template`)),
  ];
}

const NAMESPACE = 'spark.kubernetes.namespace';

/** Executors would run in a namespace for which the operator might lack permissions. */
function namespaceViolations(spec: SparkConnectSpec, namespace: string | undefined): Problem[] {
  const value = spec?.sparkConf?.[NAMESPACE];
  if (value === undefined || namespace === undefined || value === namespace) return [];
  return [{ path: `spec.sparkConf[${NAMESPACE}]`, value, reason: `must be the namespace of the SparkConnect, ${namespace}: remove it` }];
}

/** Checks the Services and templates of the specification. */
function objectViolations(spec: SparkConnectSpec, namespace: string | undefined): Problem[] {
  const { labels, annotations } = spec.server.service?.metadata ?? {};
  return [
    ...labelViolations('spec.server.service.metadata', { labels, annotations }),
    ...labelViolations('spec.sparkUIOptions', spec.sparkUIOptions ?? {}),
    ...ROLES.flatMap((role) => templateViolations(spec[role], `spec.${role}`, namespace))
      .map((violation) => ({ ...violation, reason: violation.reason.replace('of the application', 'of the SparkConnect') })),
  ];
}

const LABEL_PROPERTY = `spark.kubernetes.executor.label.${LABEL_APP_NAME}`;

/** By this label the operator would take executors for those of an application. */
function labelOfApplicationViolations({ sparkConf }: SparkConnectSpec): Problem[] {
  const value = sparkConf?.[LABEL_PROPERTY];
  if (value === undefined) return [];
  return [{
    path: `spec.sparkConf[${LABEL_PROPERTY}]`, value, reason: `sets the label ${LABEL_APP_NAME}, which belongs to a SparkApplication`,
    remedy: 'remove it or choose another label',
  }];
}

const GRPC_PORT = 'spark.connect.grpc.binding.port';

/** The server's Service has a fixed port. */
function portViolations({ sparkConf }: SparkConnectSpec): Problem[] {
  const value = sparkConf?.[GRPC_PORT];
  if (value === undefined || Number(value) === CONNECT_PORT) return [];
  const reason = `must be ${CONNECT_PORT}, the port of the server's Service: remove it`;
  return [{ path: `spec.sparkConf[${GRPC_PORT}]`, value, reason }];
}

const DYNAMIC_ALLOCATION = 'spark.dynamicAllocation.enabled';

/**
 * Without dynamic allocation Spark does not start with zero executors
 * (SparkSubmitArguments.validateSubmitArguments).
 */
function instancesViolations({ executor: { instances }, dynamicAllocation, sparkConf }: SparkConnectSpec): Problem[] {
  const isDynamic = dynamicAllocation?.enabled || sparkConf?.[DYNAMIC_ALLOCATION]?.toLowerCase() === 'true';
  if (instances !== 0 || isDynamic) return [];
  const reason = 'is too few without dynamic allocation: write 1 or more, or set dynamicAllocation.enabled: true';
  return [{ path: 'spec.executor.instances', value: instances, reason }];
}

/** Each pod needs an image, from the specification or its template. */
function imageViolations(spec: SparkConnectSpec): Problem[] {
  if (spec.image || spec.sparkConf?.['spark.kubernetes.container.image']) return [];
  return ROLES.filter((role) => !hasImage(role, spec[role].template) && !spec.sparkConf?.[PROPERTIES[role]]).slice(0, 1)
    .map((role) => ({
      path: 'spec.image',
      value: undefined,
      reason: `is missing, and spec.${role}.template has no image for ${CONTAINERS[role]} either: name one, such as apache/spark:4.1.1`,
    }));
}
