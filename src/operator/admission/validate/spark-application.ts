import { ANNOTATION_SUBMISSION_MODE } from '../../../api/labels';
import type { SparkApplicationSpec } from '../../../api/spark-application';
import { SPEC_SCHEMA } from '../../../plan/defaults/partial-schema';
import type { WholeApplication } from '../../../model/spark-application';
import { requestedMode } from '../../../plan/choose';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import { applicationQuota } from '../quota/application';
import { ALLOWED, type AdmissionHandler, type AdmissionRequest } from '../review';
import type { AdmissionDependencies } from '../world';
import { applicationFindings } from '../../../plan/checks/application-findings';
import { mistakeOfError, refusalOf } from '../../../plan/checks/findings';
import { answerTo, ofTimeToLive } from '../answer-of';
import { isSame, isSameRun, nameOf, SOME_UID, written, type WithSpec } from './scope';
import { isObject } from '../../../model/is-object';

/**
 * Refuses a SparkApplication that the operator would refuse when it submits it, or that its namespace has no room for. What has been stored is not held to
 * rules and limits that have come since: of an update only a specification that asks for something else is looked at. Of one that runs nothing that is only
 * how long an ended application stays.
 */
export function sparkApplicationValidator(world: AdmissionDependencies): AdmissionHandler {
  return async (request, signal) => {
    const found = written<SparkApplicationSpec>(SPEC_SCHEMA, world, request);
    if (!found) return ALLOWED;
    const { now, before } = found;
    const application = submitted(now, request);
    const isUnchanged = before !== undefined && isSame(now.spec, before.spec);
    const runsNothingNew = before !== undefined && (isUnchanged || isSameRun(now.spec, before.spec));
    const isLetGo = runsNothingNew && before.spec?.suspend === true && now.spec?.suspend !== true;
    if (isUnchanged && !isLetGo) return answerTo({ mistakes: modeMistakes(now, before, world), warnings: [] });
    const findings = applicationFindings(application, world, before?.spec);
    if (runsNothingNew && (!isLetGo || findings.mistakes.length > 0)) {
      const ofField = isUnchanged ? [] : ofTimeToLive(findings).mistakes;
      return answerTo({ mistakes: [...ofField, ...modeMistakes(now, before, world)], warnings: [] });
    }
    if (findings.mistakes.length > 0) return answerTo(findings);
    const { submittable } = findings;
    const asked = { now: application, before: before as WholeApplication | undefined };
    const quota = world.quotas && submittable ? await applicationQuota(world, { ...asked, ...submittable }, signal) : undefined;
    const warnings = [...findings.warnings, ...(quota?.warnings ?? [])];
    if (quota?.refusal !== undefined) return { allowed: false, code: 403, message: quota.refusal };
    return answerTo({ mistakes: [], warnings });
  };
}

function submitted(object: WithSpec<SparkApplicationSpec>, request: AdmissionRequest): SubmittedApplication {
  const { uid, generation, labels, annotations } = object.metadata ?? {};
  const key = { name: nameOf(request), namespace: request.namespace, uid: uid ?? SOME_UID };
  return { metadata: { ...key, generation: generation ?? 1, labels: mapOf(labels), annotations: mapOf(annotations) }, spec: object.spec };
}

/** The API server takes no others. */
function mapOf(value: unknown): { readonly [name: string]: string } | undefined {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : undefined;
}

/** How it is submitted stands beside the specification. */
function modeMistakes(now: WithSpec<SparkApplicationSpec>, before: WithSpec<SparkApplicationSpec>, { submission }: AdmissionDependencies) {
  const [mode, old] = [now, before].map(({ metadata }) => mapOf(metadata?.annotations)?.[ANNOTATION_SUBMISSION_MODE]);
  return mode === old ? [] : refusalOf(() => { requestedMode(mapOf(now.metadata?.annotations), submission); }).map(mistakeOfError);
}
