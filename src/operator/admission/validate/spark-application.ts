import { ANNOTATION_SUBMISSION_MODE } from '../../../api/labels';
import { SPARK_APPLICATION, type SparkApplicationSpec } from '../../../api/spark-application';
import { isError } from '../../../model/problem';
import { specSchema } from '../../../rules/schemas';
import type { WholeApplication } from '../../../model/spark-application';
import { requestedMode } from '../../../plan/choose';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import { applicationQuota } from '../quota/application';
import { ALLOWED, type AdmissionHandler, type AdmissionRequest } from '../review';
import { planSettings, type AdmissionDependencies } from '../dependencies';
import { planApplication } from '../../../plan/plan-application';
import { Problems } from '../../../plan/problems';
import { answerToQuotas, answerTo, ofTimeToLive } from '../answer-of';
import { isSame, isSameRun, nameOf, SOME_UID, written, type WithSpec } from './scope';
import { isObject } from '../../../model/is-object';

/**
 * Returns the validator of SparkApplications. It refuses one that the operator could not submit, or
 * that its namespace has no room for. It does not apply newer rules and limits to a stored
 * specification: an update is checked only if it requests something else. If the edit runs nothing,
 * only the time to live is checked.
 */
export function sparkApplicationValidator(dependencies: AdmissionDependencies): AdmissionHandler {
  return async (request, signal) => {
    const found = written<SparkApplicationSpec>(specSchema(SPARK_APPLICATION), dependencies, request);
    if (!found) return ALLOWED;
    const { now, before } = found;
    const application = submitted(now, request);
    const isUnchanged = before !== undefined && isSame(now.spec, before.spec);
    const runsNothingNew = before !== undefined && (isUnchanged || isSameRun(now.spec, before.spec));
    const isLetGo = runsNothingNew && before.spec?.suspend === true && now.spec?.suspend !== true;
    if (isUnchanged && !isLetGo) return answerTo(modeProblems(now, before, dependencies));
    const { problems, submittable } = planApplication(
      application, planSettings(dependencies, request.namespace), { before: before?.spec, imageCanFollow: true },
    );
    const hasErrors = problems.some(isError);
    if (runsNothingNew && (!isLetGo || hasErrors)) {
      return answerTo([...(isUnchanged ? [] : ofTimeToLive(problems)), ...modeProblems(now, before, dependencies)]);
    }
    if (hasErrors) return answerTo(problems);
    const asked = { now: application, before: before as WholeApplication | undefined };
    const quota = dependencies.quotas && submittable ? await applicationQuota(dependencies, { ...asked, submittable }, signal) : undefined;
    return quota && quota.problems.length > 0 ? answerToQuotas(quota.problems) : answerTo(problems, quota?.warnings);
  };
}

function submitted(object: WithSpec<SparkApplicationSpec>, request: AdmissionRequest): SubmittedApplication {
  const { uid, generation, labels, annotations } = object.metadata ?? {};
  const key = { name: nameOf(request), namespace: request.namespace, uid: uid ?? SOME_UID };
  return { metadata: { ...key, generation: generation ?? 1, labels: mapOf(labels), annotations: mapOf(annotations) }, spec: object.spec };
}

/** Returns the texts of a map. The API server accepts no other values. */
function mapOf(value: unknown): { readonly [name: string]: string } | undefined {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : undefined;
}

/** Returns the problems of the annotation for the submission mode. */
function modeProblems(now: WithSpec<SparkApplicationSpec>, before: WithSpec<SparkApplicationSpec>, { submission }: AdmissionDependencies) {
  const [mode, old] = [now, before].map(({ metadata }) => mapOf(metadata?.annotations)?.[ANNOTATION_SUBMISSION_MODE]);
  const problems = new Problems();
  if (mode !== old) problems.attempt(() => requestedMode(mapOf(now.metadata?.annotations), submission));
  return problems.list;
}
