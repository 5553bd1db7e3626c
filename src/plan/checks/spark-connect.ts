import { CONNECT_PORT, CONTAINERS, hasImage } from '../../api/connect-server';
import { javaOptionViolations } from '../properties/java-options';
import { podTemplateViolations, type PodTemplateSchema } from '../../rules/pod-template';
import type { Schema } from '../../rules/schema';
import { sizeViolations } from '../../rules/size';
import { labelViolations, remoteViolations, templateViolations } from './submission';
import { violations } from '../../rules/validate';
import type { Violation } from '../../model/problem';
import type { SparkConnectSpec } from '../../api/spark-connect';

const ROLES = ['server', 'executor'] as const;
const PROPERTIES = { server: 'spark.kubernetes.driver.container.image', executor: 'spark.kubernetes.executor.container.image' } as const;

/**
 * The schema of the specification, and that of pod templates.
 * @internal
 */
export interface SparkConnectSchemas {
  readonly spec: Schema;
  readonly podTemplate: PodTemplateSchema;
}

/**
 * What the API server would refuse in the specification of a SparkConnect, or what no server could be started with.
 *
 * @param namespace the SparkConnect's, if it is known
 * @internal
 */
export function sparkConnectViolations(spec: SparkConnectSpec, namespace: string | undefined, schemas: SparkConnectSchemas): Violation[] {
  const ofSize = sizeViolations({ ...schemas, roles: ROLES }, spec);
  if (ofSize.length > 0) return ofSize;
  const found = sparkConnectTypeViolations(spec, schemas);
  // The others rely on the types.
  if (found.some(({ unknown }) => !unknown)) return found;
  return [...found, ...namespaceViolations(spec, namespace), ...objectViolations(spec, namespace), ...remoteViolations(spec), ...javaOptionViolations({ sparkConf: spec.sparkConf }, 'server'), ...portViolations(spec), ...instancesViolations(spec), ...imageViolations(spec)];
}

/**
 * What of that the schemas say.
 * @internal
 */
export function sparkConnectTypeViolations(spec: SparkConnectSpec, schemas: SparkConnectSchemas): Violation[] {
  return [
    ...violations(schemas.spec, spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(schemas.podTemplate, spec?.[role]?.template ?? undefined, `spec.${role}.template`)),
  ];
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

const DYNAMIC_ALLOCATION = 'spark.dynamicAllocation.enabled';

/** Without dynamic allocation Spark does not start with no executors (SparkSubmitArguments.validateSubmitArguments). */
function instancesViolations({ executor: { instances }, dynamicAllocation, sparkConf }: SparkConnectSpec): Violation[] {
  const isDynamic = dynamicAllocation?.enabled || sparkConf?.[DYNAMIC_ALLOCATION]?.toLowerCase() === 'true';
  if (instances !== 0 || isDynamic) return [];
  return [{ path: 'spec.executor.instances', value: instances, reason: 'is too few without dynamic allocation: write 1 or more, or set dynamicAllocation.enabled: true' }];
}

/** Each pod needs an image from somewhere. */
function imageViolations(spec: SparkConnectSpec): Violation[] {
  if (spec.image || spec.sparkConf?.['spark.kubernetes.container.image']) return [];
  return ROLES.filter((role) => !hasImage(role, spec[role].template) && !spec.sparkConf?.[PROPERTIES[role]]).slice(0, 1)
    .map((role) => ({ path: 'spec.image', value: undefined, reason: `is missing, and spec.${role}.template has no image for ${CONTAINERS[role]} either: name one, such as apache/spark:4.1.1` }));
}
