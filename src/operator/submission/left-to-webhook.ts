import { containerMemory } from '../defaults/demand';
import { leftToWebhook as leftOf, type LeftToWebhook } from '../pods/left-to-webhook';
import { memoryQuantity } from '../pods/memory-limit';
import { parseQuantity } from '../pods/quantity';
import { SubmissionError } from './errors';
import { ConfReader } from './native/conf-reader';
import type { Role } from './pod-properties';
import { customizationOf, mainContainer, type PreparedSubmission } from './prepare';
import { warningText, type SubmissionWarning } from './warnings';

/** How an application is submitted: natively drivers are created complete; spark-submit builds them from a template, as drivers build executors. */
export type SubmissionWay = 'native' | 'spark-submit';

const BY_TEMPLATE: { readonly [way in SubmissionWay]: readonly Role[] } = { 'native': ['executor'], 'spark-submit': ['driver', 'executor'] };

/**
 * The fields of an application that have no effect without the operator's webhook for pods, as a pod template cannot carry them. If there is one, the
 * pods of the application have to go through the webhook.
 */
export function leftToWebhook(prepared: PreparedSubmission, way: SubmissionWay): readonly string[] {
  return [...new Set(left(prepared, way).map(({ field }) => field))];
}

/** A field that is left, for the pods of one role. */
export interface RoleLeft extends LeftToWebhook {
  readonly role: Role;
}

/** The same with what they replace; none if there is no webhook that is relied on. */
export function fieldsLeft(prepared: PreparedSubmission, way: SubmissionWay): readonly RoleLeft[] {
  return prepared.context.podWebhook ? left(prepared, way) : [];
}

function left(prepared: PreparedSubmission, way: SubmissionWay): RoleLeft[] {
  return BY_TEMPLATE[way].flatMap((role) => leftOf(customizationOf(prepared, role, mainContainer(prepared, role), 'template')).map((each) => ({ ...each, role })));
}

/** What users are told, if the webhook does its part: these fields have their effect, and others may lose theirs. */
export function toldWith(fields: readonly LeftToWebhook[], warnings: readonly SubmissionWarning[]): SubmissionWarning[] {
  const effective = new Set(fields.map(({ field }) => field));
  const told = [...warnings.filter(({ field }) => !effective.has(field)), ...fields.flatMap(({ replaces }) => replaces ?? [])];
  return fields.length === 0 ? [...warnings] : [...new Map(told.map((warning) => [warningText(warning), warning])).values()];
}

/**
 * Refuses what the webhook would refuse for each executor, of which only the driver's log would tell.
 *
 * @throws SubmissionError if a memory limit is less than what its pod requests
 */
export function checkLeft(fields: readonly LeftToWebhook[], { spec, properties, application, version }: PreparedSubmission): void {
  for (const role of ['driver', 'executor'] as const) {
    const [field, text] = [`spec.${role}.memoryLimit`, spec[role].memoryLimit];
    if (!text || !fields.some((other) => other.field === field) || properties.entries().some(([key, value]) => MEMORY.test(key) && value.includes('${'))) continue;
    const requested = `${containerMemory({ conf: new ConfReader(properties, version), application, version }, role)}Mi`;
    if (parseQuantity(memoryQuantity(text, field))! >= parseQuantity(requested)!) continue;
    throw new SubmissionError({ field, value: text, reason: `is less than the ${requested} that memory and overhead need`, remedy: `write at least ${requested}, or lower spec.${role}.memory` });
  }
}

/** Properties that memory depends on. A reference in one is for the driver to resolve. */
const MEMORY = /^spark\.(?:yarn\.)?(?:driver|executor)\..*memory|^spark\.memory\.offHeap\.|memoryOverheadFactor$/i;
