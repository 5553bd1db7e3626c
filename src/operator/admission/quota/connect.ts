import { moved } from '../../../model/problem';
import type { SparkConnectSpec } from '../../../api/spark-connect';
import { SparkConnectState, type SparkConnectStatus } from '../../../api/spark-connect-status';
import { inWordsOfConnect } from '../../../plan/connect/as-application';
import type { Submittable } from '../../../plan/plan-application';
import { planConnect } from '../../../plan/plan-connect';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import type { WithSpec } from '../validate/scope';
import type { AdmissionDependencies } from '../dependencies';
import type { QuotaFindings } from '../../../plan/quota/compare';
import { needOf, type Need } from '../../../plan/quota/need';
import { askQuotas } from './quotas';

/** A SparkConnect that the API server is about to store, and the stored one. */
export interface ConnectQuotaQuestion {
  readonly now: { readonly metadata: SubmittedApplication['metadata']; readonly spec: SparkConnectSpec };
  readonly submittable: Submittable;
  readonly before?: WithSpec<SparkConnectSpec>;
}

/**
 * Compares a server and its executors with the quotas. It uses the pods that Spark makes from the
 * templates. Spark's own amounts replace those that a template has for Spark's container: requests
 * of CPU and memory, and the memory limit (BasicDriverFeatureStep, BasicExecutorFeatureStep). All
 * other amounts of the template apply, such as a CPU limit or a sidecar.
 */
export async function connectQuota(
  dependencies: AdmissionDependencies, { now, submittable, before }: ConnectQuotaQuestion, signal?: AbortSignal,
): Promise<QuotaFindings> {
  const { problems, warnings } = await askQuotas(dependencies, now.metadata.namespace, () => {
    const need = needOf(submittable);
    return need && { need, released: before && releasedBy(now.metadata, before, dependencies) };
  }, signal);
  return { problems: problems.map((problem) => moved(problem, inWordsOfConnect)), warnings: warnings.map(inWordsOfConnect) };
}

const WITH_SERVER: readonly (string | undefined)[] = [SparkConnectState.PROVISIONING, SparkConnectState.READY, SparkConnectState.NOT_READY];

/** Returns the current pods of a SparkConnect. */
function releasedBy(
  metadata: SubmittedApplication['metadata'], { spec, ...rest }: WithSpec<SparkConnectSpec>, dependencies: AdmissionDependencies,
): Need | undefined {
  const { status } = rest as { readonly status?: SparkConnectStatus };
  if (spec.suspend === true || !WITH_SERVER.includes(status?.state) || !status?.server?.podName) return undefined;
  const { submittable } = planConnect({ metadata, spec }, { submission: dependencies.submission });
  const need = submittable && needOf(submittable);
  return need && { ...need, executors: countOf(status.executors?.running) + countOf(status.executors?.pending) };
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0;
}
