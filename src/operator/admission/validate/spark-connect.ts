import { maxNameReasonOf } from '../../../api/kind';
import { SPARK_CONNECT, type SparkConnectSpec } from '../../../api/spark-connect';
import { isError, type Problem } from '../../../model/problem';
import { fitsTypes, planConnect } from '../../../plan/plan-connect';
import { metadataViolations } from '../../../rules/metadata';
import { specSchema } from '../../../rules/schemas';
import { answerToQuotas, answerTo } from '../answer-of';
import { connectQuota } from '../quota/connect';
import { ALLOWED, type AdmissionHandler } from '../review';
import { planSettings, type AdmissionDependencies } from '../dependencies';
import { isSame, nameOf, SOME_UID, written } from './scope';

/**
 * Returns the validator of SparkConnects. It refuses one whose server could not be started, or that
 * its namespace has no room for. The limits for applications apply, as far as a SparkConnect has
 * such settings: numbers of executors, cores, memory, images, service accounts and properties.
 * Defaults apply only to applications.
 */
export function sparkConnectValidator(dependencies: AdmissionDependencies): AdmissionHandler {
  return async (request, signal) => {
    const found = written<SparkConnectSpec>(specSchema(SPARK_CONNECT), dependencies, request);
    if (!found) return ALLOWED;
    const { now: { metadata, spec }, before } = found;
    const isUnchanged = before !== undefined && isSame(spec, before.spec);
    const isLetGo = isUnchanged && before.spec.suspend === true && spec.suspend !== true;
    if (isUnchanged && !isLetGo) return ALLOWED;
    const name = nameOf(request);
    const submitted = {
      metadata: {
        name: name.slice(0, SPARK_CONNECT.maxNameLength), namespace: request.namespace, uid: metadata?.uid ?? SOME_UID, generation: 1,
      }, spec,
    };
    const plan = planConnect(submitted, planSettings(dependencies, request.namespace), before?.spec);
    const problems = [...(before ? [] : nameViolations(name)), ...plan.problems.filter(({ unknown }) => !unknown)];
    if (problems.some(isError)) return isUnchanged ? ALLOWED : answerTo(problems);
    const known = before && fitsTypes(before.spec) ? before : undefined;
    const quota = dependencies.quotas && plan.submittable && spec.suspend !== true
      ? await connectQuota(dependencies, { now: submitted, submittable: plan.submittable, before: known }, signal) : undefined;
    return quota && quota.problems.length > 0 ? answerToQuotas(quota.problems) : answerTo(problems, quota?.warnings);
  };
}

function nameViolations(name: string): Problem[] {
  return metadataViolations(name, {}, { length: SPARK_CONNECT.maxNameLength!, reason: maxNameReasonOf(SPARK_CONNECT) });
}
