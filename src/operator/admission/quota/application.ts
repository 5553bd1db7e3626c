import type { SparkApplicationStatus } from '../../../api/spark-application-status';
import { ApplicationState, ExecutorState } from '../../../api/states';
import { isBeginning, stateOf, type SparkApplication, type WholeApplication } from '../../../model/spark-application';
import { specHash } from '../../spark-application/spec-change';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import { planApplication, type Submittable } from '../../../plan/plan-application';
import { planSettings, type AdmissionDependencies } from '../world';
import type { QuotaFindings } from './compare';
import { needOf, type Need } from './need';
import { askQuotas } from './quotas';

/** An application that is to be taken. */
export interface QuotaQuestion {
  readonly submittable: Submittable;
  readonly now: SubmittedApplication;
  /** As it is stored, with its status; undefined if it is new. */
  readonly before?: WholeApplication;
}

/**
 * Whether there is room for an application. One that is held back asks when it is to go on, and one that an update does not run again does not ask. What it
 * runs now is counted already, and goes before it is run again.
 */
export async function applicationQuota(world: AdmissionDependencies, { now, before, submittable }: QuotaQuestion, signal?: AbortSignal): Promise<QuotaFindings> {
  if (now.spec.suspend === true || (before && !isRunBy(now, before))) return { warnings: [] };
  return askQuotas(world, now.metadata.namespace, () => {
    const need = needOf(submittable);
    return need && { need, released: before && releasedBy(before, world) };
  }, signal);
}

/** Whether an update has an application run (again): what a reconciler decides by `isSpecChanged`, before the new generation is there. */
function isRunBy({ spec }: SubmittedApplication, before: SparkApplication): boolean {
  const { specHash: ran } = before.status ?? {};
  return before.spec.suspend === true || (ran === undefined ? isBeginning(before) : ran !== specHash(spec));
}

/** States in which an application has a driver, or still has one. */
const WITH_DRIVER: readonly string[] = [
  ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.INVALIDATING, ApplicationState.SUSPENDING,
];

/**
 * The pods that an application has now. Its status records executors, but not all: neither those
 * beyond `--max-tracked-executor-per-app`, nor those that the operator has not seen yet. There may
 * be as many as the application begins with. Those that have ended are not counted by quotas.
 */
function releasedBy(before: WholeApplication, world: AdmissionDependencies): Need | undefined {
  if (!WITH_DRIVER.includes(stateOf(before))) return undefined;
  const stored = { ...before, metadata: { ...before.metadata, annotations: undefined } };
  const { submittable } = planApplication(stored, planSettings(world, before.metadata.namespace), { before: before.spec });
  const need = submittable && needOf(submittable);
  return need && { ...need, executors: Math.max(need.executors, recordedExecutors(before.status)) };
}

function recordedExecutors(status: SparkApplicationStatus | undefined): number {
  return Object.values(status?.executorState ?? {}).filter((state) => state === ExecutorState.RUNNING || state === ExecutorState.PENDING).length;
}
