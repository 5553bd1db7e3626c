import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../../api/states';
import { isBeginning, stateOf, type SparkApplication, type WholeApplication } from '../../../model/spark-application';
import { isRunOf } from '../../kinds/spark-application/spec-change';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import { planApplication, type Submittable } from '../../../plan/plan-application';
import { planSettings, type AdmissionDependencies } from '../dependencies';
import type { QuotaFindings } from '../../../plan/quota/compare';
import { needOf, type Need } from '../../../plan/quota/need';
import { askQuotas } from './quotas';

/** An application that the API server is about to store. */
export interface QuotaQuestion {
  readonly submittable: Submittable;
  readonly now: SubmittedApplication;
  /** The stored application with its status; undefined if it is new. */
  readonly before?: WholeApplication;
}

/**
 * Compares an application with the quotas. A suspended application is compared when it resumes. An
 * update that runs nothing is not compared. The quotas already count its current pods, which end
 * before the new run.
 */
export async function applicationQuota(
  dependencies: AdmissionDependencies, { now, before, submittable }: QuotaQuestion, signal?: AbortSignal,
): Promise<QuotaFindings> {
  const isRun = now.spec.suspend !== true && (!before || isRunBy(now, before, dependencies.submission.partialRestart));
  if (!isRun) return { problems: [], warnings: [] };
  return askQuotas(dependencies, now.metadata.namespace, () => {
    const need = needOf(submittable);
    return need && { need, released: before && releasedBy(before, dependencies) };
  }, signal);
}

/**
 * Whether an update runs an application (again). The reconciler decides this by `isSpecChanged`,
 * but the new generation does not exist yet.
 */
function isRunBy({ spec }: SubmittedApplication, before: SparkApplication, partialRestart?: boolean): boolean {
  const { specHash: ran } = before.status ?? {};
  return before.spec.suspend === true || (ran === undefined ? isBeginning(before) : !isRunOf(ran, { ...before, spec }, partialRestart));
}

/** States in which an application has a driver. */
const WITH_DRIVER: readonly string[] = [
  ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.INVALIDATING,
  ApplicationState.SUSPENDING,
];

/**
 * Returns the current pods of an application. Its status records executors, but not all. It lacks
 * those beyond `--max-tracked-executor-per-app`, and those that the operator has not seen yet.
 * There can be as many as the application begins with. Quotas ignore ended executors.
 */
function releasedBy(before: WholeApplication, dependencies: AdmissionDependencies): Need | undefined {
  if (!WITH_DRIVER.includes(stateOf(before))) return undefined;
  const stored = { ...before, metadata: { ...before.metadata, annotations: undefined } };
  const { submittable } = planApplication(stored, planSettings(dependencies, before.metadata.namespace), { before: before.spec });
  const need = submittable && needOf(submittable);
  return need && { ...need, executors: Math.max(need.executors, recordedExecutors(before.status)) };
}

function recordedExecutors(status: SparkApplicationStatus | undefined): number {
  const isHere = (state: string) => state === ExecutorState.RUNNING || state === ExecutorState.PENDING;
  return Object.values(status?.executorState ?? {}).filter(isHere).length;
}
