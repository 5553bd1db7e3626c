import { LABEL_APP_NAME } from '../../api/labels';
import { CONNECT_PORT } from '../../api/connect-server';
import { podTemplateViolations, type PodTemplateSchema } from '../../rules/pod-template';
import { holds } from '../../rules/cel';
import type { Schema } from '../../rules/schema';
import { sizeViolations } from '../../rules/size';
import { labelViolations } from './metadata';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import { SPARK_CONNECT, type SparkConnectSpec } from '../../api/spark-connect';

const ROLES = ['server', 'executor'] as const;

/** Schemas of the specification and of pod templates. @internal */
export interface SparkConnectSchemas {
  readonly spec: Schema;
  readonly podTemplate: PodTemplateSchema;
}

/** The parts of a SparkConnect that are checked. @internal */
export interface CheckedConnect {
  readonly metadata: { readonly name: string };
  readonly spec: SparkConnectSpec;
}

/**
 * Returns the faults of a SparkConnect that the plan of its server does not show.
 * @internal
 */
export function sparkConnectViolations(connect: CheckedConnect, schemas: SparkConnectSchemas): Problem[] {
  const { spec } = connect;
  const ofSize = sizeViolations({ ...schemas, roles: ROLES }, spec);
  if (ofSize.length > 0) return ofSize;
  const found = sparkConnectTypeViolations(spec, schemas);
  // The other checks rely on the types.
  if (found.some(({ unknown }) => !unknown)) return found;
  return [
    ...found,
    ...nameViolations(connect),
    ...serviceViolations(spec),
    ...portViolations(spec),
    ...labelOfApplicationViolations(spec),
  ];
}

/** Returns the faults that the schemas find. @internal */
export function sparkConnectTypeViolations(spec: SparkConnectSpec, schemas: SparkConnectSchemas): Problem[] {
  return [
    ...violations(schemas.spec, spec, 'spec'),
    ...ROLES.flatMap((role) => podTemplateViolations(schemas.podTemplate, spec?.[role]?.template ?? undefined, `spec.${role}.template`)),
  ];
}

/** Checks the CRD's rules for new objects, with the CRD's words. */
function nameViolations(connect: CheckedConnect): Problem[] {
  const path = 'metadata.name';
  return (SPARK_CONNECT.creationRules ?? []).filter(({ rule }) => !holds(`oldSelf.hasValue() || ${rule}`, connect))
    .map(({ message }) => ({ path, value: connect.metadata.name, reason: message.slice(`${path} `.length) }));
}

/** Checks the metadata of the Services. */
function serviceViolations({ server, sparkUIOptions }: SparkConnectSpec): Problem[] {
  const { labels, annotations } = server.service?.metadata ?? {};
  return [
    ...labelViolations('spec.server.service.metadata', { labels, annotations }),
    ...labelViolations('spec.sparkUIOptions', sparkUIOptions ?? {}),
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
