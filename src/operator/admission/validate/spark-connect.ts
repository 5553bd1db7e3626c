import podTemplate from '../../../../schemas/pod-template.json';
import schema from '../../../../schemas/sparkconnect.json';
import { maxNameReasonOf } from '../../../api/kind';
import { SPARK_CONNECT, type SparkConnectSpec } from '../../../api/spark-connect';
import { metadataViolations } from '../../../rules/metadata';
import type { PodTemplateSchema } from '../../../rules/pod-template';
import type { Schema } from '../../../rules/schema';
import { sparkConnectTypeViolations, sparkConnectViolations } from '../../../plan/checks/spark-connect';
import { problemText, type Problem } from '../../../model/problem';
import { connectQuota } from '../quota/connect';
import { ALLOWED, type AdmissionHandler } from '../review';
import type { AdmissionDependencies } from '../world';
import { mistakeOf, withoutRepetition, type Findings } from '../../../plan/checks/findings';
import { answerTo } from '../answer-of';
import { isSame, nameOf, SOME_UID, written } from './scope';
import { isObject } from '../../../model/is-object';
import { asApplicationFindings, isUnknownInTemplate, type SubmittedConnect, withoutEffect } from '../../../plan/checks/connect';

/**
 * Refuses a SparkConnect whose server could not be started, or that its namespace has no room for. Limits for applications hold for it, too, as far as it has what they are about: numbers of
 * executors, cores, memory, images, service accounts and properties. Defaults are for applications only.
 */
export function sparkConnectValidator(world: AdmissionDependencies): AdmissionHandler {
  return async (request, signal) => {
    const found = written<SparkConnectSpec>(SCHEMAS.spec, world, request);
    if (!found) return ALLOWED;
    const { now: { metadata, spec }, before } = found;
    const isUnchanged = before !== undefined && isSame(spec, before.spec);
    const isLetGo = isUnchanged && before.spec.suspend === true && spec.suspend !== true;
    if (isUnchanged && !isLetGo) return ALLOWED;
    if (!isObject(spec)) return answerTo({ mistakes: [mistakeOf({ path: 'spec', value: undefined, reason: spec === undefined ? 'is required' : 'must be an object' })], warnings: [] });
    const name = nameOf(request);
    const submitted = { metadata: { name: name.slice(0, SPARK_CONNECT.maxNameLength), namespace: request.namespace, uid: metadata?.uid ?? SOME_UID, generation: 1 }, spec };
    const findings = findingsOf(submitted, before ? [] : nameViolations(name), world, before?.spec);
    if (findings.mistakes.length > 0) return isUnchanged ? ALLOWED : answerTo(findings);
    const known = before && fitsTypes(before.spec) ? before : undefined;
    const quota = world.quotas && spec.suspend !== true ? await connectQuota(world, { now: submitted, before: known }, signal) : undefined;
    if (quota?.refusal !== undefined) return { allowed: false, code: 403, message: quota.refusal };
    return answerTo({ mistakes: [], warnings: [...findings.warnings, ...(quota?.warnings ?? [])] });
  };
}

const SCHEMAS = { spec: (schema as unknown as Schema).properties!.spec!, podTemplate: podTemplate as unknown as PodTemplateSchema };

function nameViolations(name: string): Problem[] {
  return metadataViolations(name, {}, { length: SPARK_CONNECT.maxNameLength!, reason: maxNameReasonOf(SPARK_CONNECT) });
}

function findingsOf(connect: SubmittedConnect, ofName: readonly Problem[], world: AdmissionDependencies, before: SparkConnectSpec | undefined): Findings {
  const { metadata: { namespace }, spec } = connect;
  const all = sparkConnectViolations(spec, namespace, SCHEMAS);
  const stored = new Set(isObject(before) ? sparkConnectViolations(before, namespace, SCHEMAS).map(problemText) : []);
  const found = all.filter(({ unknown }) => !unknown);
  const ofSpec = found.filter((violation) => !stored.has(problemText(violation)));
  const unknown = all.filter(isUnknownInTemplate).map(withoutEffect);
  const mistakes = [...ofName, ...ofSpec].map(mistakeOf);
  if (!fitsTypes(spec)) return { mistakes, warnings: unknown };
  const { mistakes: others, warnings } = asApplicationFindings(connect, world);
  return { mistakes: withoutRepetition(mistakes, others), warnings: [...unknown, ...warnings] };
}

function fitsTypes(spec: SparkConnectSpec): boolean {
  return sparkConnectTypeViolations(spec, SCHEMAS).every(({ unknown }) => unknown);
}
