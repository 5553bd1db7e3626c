import scheduleSchema from '../../../schemas/scheduledsparkapplication.json';
import connectSchema from '../../../schemas/sparkconnect.json';
import { maxNameReasonOf, type KindDefinition } from '../../api/kind';
import { SCHEDULED_SPARK_APPLICATION } from '../../api/scheduled-spark-application';
import { SPARK_CONNECT, type SparkConnectSpec } from '../../api/spark-connect';
import { applicationFindings } from '../../plan/checks/application-findings';
import { mistakeOf, type Mistake } from '../../plan/checks/findings';
import { inTemplate } from '../../plan/checks/in-template';
import { asApplicationFindings, isUnknownInTemplate, withoutEffect } from '../../plan/checks/connect';
import { reasonsAgainstNative } from '../../plan/native/reasons-against';
import { reasonsAgainstSparkSubmit } from '../../plan/spark-submit/reasons-against';
import { scheduleViolations } from '../../rules/schedule';
import type { Schema } from '../../rules/schema';
import { sparkConnectViolations } from '../../plan/checks/spark-connect';
import { asStored } from '../../rules/stored';
import { violations } from '../../rules/validate';
import type { Problem } from '../../model/problem';
import { applicationOf } from '../render/application';
import type { RenderSettings } from '../render/settings';
import type { Schemas } from '../schemas/schemas';
import type { KindName } from '../target';
import { objectMetadataViolations, sparkApplicationViolations } from './check';
import { wrongVersion } from './kinds';
import type { ManifestObject } from './read';

/** Error or warning about an object. */
export interface Finding {
  /**
   * Error: the API server or the operator rejects it. Warning: a field without its apparent effect.
   */
  readonly severity: 'error' | 'warning';
  /** Path of the field, such as `spec.driver.memory`; empty for the whole object. */
  readonly field: string;
  /** Sentence that begins with the field and names the remedy. It contains no secrets. */
  readonly message: string;
}

/** Defaults of the operator's flags. */
const SETTINGS: RenderSettings = {
  mode: 'auto', sparkUser: 'spark', permissions: { folders: ['/opt/spark-operator/files'], packages: false },
  master: 'k8s://https://kubernetes.default.svc',
};

/**
 * Finds errors of an object and fields without effect. The rules are those of the API server, and
 * of an operator with default flags that can run spark-submit.
 */
export function findingsOf(object: ManifestObject, kind: KindName, schemas: Schemas): Finding[] {
  const version = wrongVersion(object, kind);
  if (version !== undefined) return [errorOf(mistakeOf({ path: 'apiVersion', value: object.apiVersion, reason: version }))];
  switch (kind) {
    case 'application': return findingsOfApplication(object, schemas);
    case 'schedule': return findingsOfSchedule(object, schemas);
    case 'connect': return findingsOfConnect(object, schemas);
  }
}

function findingsOfApplication(object: ManifestObject, schemas: Schemas): Finding[] {
  const found = sparkApplicationViolations(object, schemas);
  if (found.length > 0) return found.map(mistakeOf).map(errorOf);
  const { application } = applicationOf(object, schemas.sparkApplication, SETTINGS);
  const { permissions, mode, sparkUser } = SETTINGS;
  const { mistakes, warnings, submittable } = applicationFindings(application, {
    submission: { mode, sparkUser }, againstSparkSubmit: (prepared) => reasonsAgainstSparkSubmit(prepared, permissions),
  });
  const [bySparkSubmit] = submittable && !submittable.plan ? reasonsAgainstNative(submittable.prepared) : [];
  return [
    ...mistakes.map(errorOf),
    ...warnings.map(warningOf),
    ...(bySparkSubmit ? [warningOf(
      `${bySparkSubmit.field} ${bySparkSubmit.reason}: the operator runs spark-submit for it, and so needs the image that contains Spark`,
    )] : []),
  ];
}

const SCHEDULE_SCHEMA = specSchema(scheduleSchema);

/** Schema that accepts any object as the template, which is checked as an application. */
const PLAN_SCHEMA: Schema = { ...SCHEDULE_SCHEMA, properties: { ...SCHEDULE_SCHEMA.properties, template: { type: 'object' } } };

function findingsOfSchedule(object: ManifestObject, schemas: Schemas): Finding[] {
  const { metadata, spec } = object;
  const ofMetadata = objectMetadataViolations(metadata, schemas, limitOf(SCHEDULED_SPARK_APPLICATION));
  const plan = (spec ?? undefined) as { readonly schedule?: unknown; readonly timeZone?: unknown; readonly template?: unknown } | undefined;
  const ofSchedule = plan === undefined || typeof plan !== 'object' ? [] : scheduleViolations(plan);
  const ofPlan = [
    ...wholeViolations(object),
    // The schedule's parser has better messages than the schema.
    ...violations(PLAN_SCHEMA, plan, 'spec').filter(({ path }) => !ofSchedule.some((violation) => violation.path === path)),
    ...ofSchedule,
  ];
  const template = plan?.template;
  const ofTemplate = typeof template === 'object' && template !== null
    ? findingsOfApplication({
      apiVersion: object.apiVersion,
      kind: 'SparkApplication',
      metadata: ofMetadata.length > 0 ? { name: 'run' } : metadata,
      spec: template,
    }, schemas)
    : [];
  return [
    ...[...ofMetadata, ...ofPlan].map(mistakeOf).map(errorOf),
    ...ofTemplate.map(({ severity, field, message }) => ({ severity, field: inTemplate(field), message: inTemplate(message) })),
  ];
}

const CONNECT_SCHEMA = specSchema(connectSchema);

function findingsOfConnect(object: ManifestObject, schemas: Schemas): Finding[] {
  const ofMetadata = objectMetadataViolations(object.metadata, schemas, limitOf(SPARK_CONNECT));
  const whole = [...ofMetadata, ...wholeViolations(object)];
  if (whole.length > 0 || typeof object.spec !== 'object') return whole.map(mistakeOf).map(errorOf);
  const { name, namespace } = object.metadata as { readonly name: string; readonly namespace?: string };
  const spec = asStored(CONNECT_SCHEMA, object.spec) as SparkConnectSpec;
  const found = sparkConnectViolations(spec, namespace, { spec: CONNECT_SCHEMA, podTemplate: schemas.podTemplate });
  const ofTemplates = found.filter(isUnknownInTemplate).map(withoutEffect).map(warningOf);
  const refused = found.filter((violation) => !isUnknownInTemplate(violation));
  if (refused.length > 0) return [...refused.map(mistakeOf).map(errorOf), ...ofTemplates];
  const { mistakes, warnings } = asApplicationFindings(
    { metadata: { name, namespace: namespace ?? 'default', uid: '', generation: 1 }, spec }, {},
  );
  return [...mistakes.map(errorOf), ...ofTemplates, ...warnings.map(warningOf)];
}

/** Finds violations outside of the specification's fields. */
function wholeViolations(
  { spec, status: _, apiVersion: _version, kind: _kind, metadata: _metadata, ...others }: ManifestObject,
): Problem[] {
  const unknown = Object.keys(others).map((path): Problem => ({
    path, value: undefined, reason: 'is not a field; known are apiVersion, kind, metadata and spec', unknown: true,
  }));
  if (spec === undefined || spec === null) return [...unknown, { path: 'spec', value: undefined, reason: 'is required' }];
  return typeof spec === 'object' && !Array.isArray(spec)
    ? unknown
    : [...unknown, { path: 'spec', value: spec, reason: 'must be an object' }];
}

function limitOf(kind: KindDefinition) {
  return { length: kind.maxNameLength!, reason: maxNameReasonOf(kind) };
}

function specSchema(schema: unknown): Schema {
  return (schema as Schema).properties!.spec!;
}

function errorOf({ field, text }: Mistake): Finding {
  return { severity: 'error', field, message: text };
}

/** Converts a warning, which begins with its field. */
function warningOf(message: string): Finding {
  return { severity: 'warning', field: /^spec[^\s]*/.exec(message)?.[0] ?? '', message };
}
