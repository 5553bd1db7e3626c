import { containerMemory } from './container-memory';
import { leftToWebhook as leftOf, type LeftToWebhook } from './pods/left-to-webhook';
import { memoryQuantity } from './pods/memory-limit';
import type { PodTemplate } from './pods/pod-template';
import { parseQuantity } from './pods/quantity';
import { SubmissionError } from './errors';
import { goesThroughWebhook } from './properties/improvements';
import { ConfReader } from './native/conf-reader';
import { environmentPrefix, type Role } from './properties/role';
import { customizationOf, mainContainer, type PreparedSubmission } from './prepare';
import { MAX_OBJECT_BYTES, MAX_VALUES_OF_POD, reviewSize } from './review-size';
import { EXECUTOR_ONLY } from '../model/executor-only';
import { problemText, type Problem } from '../model/problem';

/**
 * The way to submit an application. Native drivers are created complete. spark-submit builds them
 * from a template, as drivers build executors.
 */
export type SubmissionWay = 'native' | 'spark-submit';

const BY_TEMPLATE: { readonly [way in SubmissionWay]: readonly Role[] } = {
  'native': ['executor'], 'spark-submit': ['driver', 'executor'],
};

/**
 * Returns the fields of an application that need the operator's webhook for pods, as a pod template
 * cannot carry them. If there are any, its pods must pass the webhook.
 */
export function leftToWebhook(prepared: PreparedSubmission, way: SubmissionWay): readonly string[] {
  return [...new Set(left(prepared, way).map(({ field }) => field))];
}

/** A field for the webhook, on the pods of one role. */
export interface RoleLeft extends LeftToWebhook {
  readonly role: Role;
}

/** Returns the fields with the settings that they replace; none without a webhook. */
export function fieldsLeft(prepared: PreparedSubmission, way: SubmissionWay): readonly RoleLeft[] {
  const { podWebhook, partialRestart } = prepared.context;
  if (!podWebhook) return [];
  const later = partialRestart ? EXECUTOR_ONLY.map((field): RoleLeft => ({ field: `spec.executor.${field}`, role: 'executor' })) : [];
  return [...left(prepared, way), ...later];
}

function left(prepared: PreparedSubmission, way: SubmissionWay): RoleLeft[] {
  return BY_TEMPLATE[way].flatMap(
    (role) => leftOf(customizationOf(prepared, role, mainContainer(prepared, role), 'template')).map((each) => ({ ...each, role })),
  );
}

/** Fields of new executors: in a template, they would have the same effect. */
const LATER = new RegExp(`^spec\\.executor\\.(?:${EXECUTOR_ONLY.join('|')})$`);

/**
 * Returns the warnings if the webhook is available: these fields have an effect, and others might
 * lose theirs.
 */
export function remainingWarnings(fields: readonly LeftToWebhook[], warnings: readonly Problem[]): Problem[] {
  const effective = new Set(fields.map(({ field }) => field).filter((field) => !LATER.test(field)));
  const all = [...warnings.filter(({ path }) => !effective.has(path)), ...fields.flatMap(({ replaces }) => replaces ?? [])];
  return fields.length === 0 ? [...warnings] : [...new Map(all.map((warning) => [problemText(warning), warning])).values()];
}

/**
 * Rejects what the webhook would reject for each executor: only the driver's log would show it.
 *
 * @throws SubmissionError if a memory limit is less than the request of its pod
 */
export function checkLeft(fields: readonly LeftToWebhook[], { spec, properties, application, version }: PreparedSubmission): void {
  for (const role of ['driver', 'executor'] as const) {
    const [field, text] = [`spec.${role}.memoryLimit`, spec[role].memoryLimit];
    if (!text || !fields.some((other) => other.field === field)) continue;
    if (properties.entries().some(([key, value]) => MEMORY.test(key) && value.includes('${'))) continue;
    const requested = `${containerMemory({ conf: new ConfReader(properties, version), application, version }, role)}Mi`;
    if (parseQuantity(memoryQuantity(text, field))! >= parseQuantity(requested)!) continue;
    throw new SubmissionError({
      field, value: text, reason: `is less than the ${requested} that memory and overhead need`,
      remedy: `write at least ${requested}, or lower spec.${role}.memory`,
    });
  }
}

/** Properties that memory depends on. The driver resolves references in them. */
const MEMORY = /^spark\.(?:yarn\.)?(?:driver|executor)\..*memory|^spark\.memory\.offHeap\.|memoryOverheadFactor$/i;

/**
 * Rejects a pod that is too large for the webhook, and so could never be created.
 *
 * @param pod the pod to create
 * @returns the same pod
 * @throws SubmissionError if it must pass the webhook, and is too large for it
 */
export function checkSize<T extends PodTemplate>(role: Role, pod: T, fields: readonly LeftToWebhook[]): T {
  if (!goesThroughWebhook(pod)) return pod;
  const { bytes, values } = reviewSize(pod);
  if (bytes <= MAX_OBJECT_BYTES && values <= MAX_VALUES_OF_POD) return pod;
  const [size, most] = bytes > MAX_OBJECT_BYTES
    ? [`${Math.ceil(bytes / 1024)} KiB`, `${MAX_OBJECT_BYTES / 1024} KiB`]
    : [`${values} fields and entries`, String(MAX_VALUES_OF_POD)];
  const needed = [...new Set(fields.map(({ field }) => field))];
  const rest = needed.length > MAX_FIELDS_SHOWN ? ` and ${needed.length - MAX_FIELDS_SHOWN} more` : '';
  const shown = needed.slice(0, MAX_FIELDS_SHOWN).join(', ') + rest;
  throw new SubmissionError({
    field: `spec.${role}`,
    reason: `makes a pod of ${size}, with what the API server notes of its fields, more than the ${most} that the operator's webhook for pods takes, which ${shown} needs`,
    remedy: 'move long values and lists, such as variables, into a ConfigMap or Secret and mount it, or remove what needs the webhook',
  });
}

const MAX_FIELDS_SHOWN = 3;

/**
 * Checks a template from which Spark builds pods in the same way, including the variables and
 * annotations of properties.
 *
 * @throws SubmissionError if such pods must pass the webhook, and are too large for it
 */
export function checkTemplateSize<T extends PodTemplate>(
  role: Role, template: T, fields: readonly LeftToWebhook[], { properties }: Pick<PreparedSubmission, 'properties'>,
): T {
  const env = properties.withPrefix(environmentPrefix(role)).map(([name, value]) => ({ name, value }));
  const { annotations, ...metadata } = (template.metadata ?? {}) as { readonly annotations?: object };
  const container = { name: 'spark', env };
  checkSize(role, {
    metadata: {
      ...metadata, annotations: { ...annotations, ...Object.fromEntries(properties.withPrefix(`spark.kubernetes.${role}.annotation.`)) },
    },
    spec: { ...template.spec, containers: [...(template.spec?.containers ?? []), container] },
  }, fields);
  return template;
}
