import type { SparkConnectSpec } from '../../../api/spark-connect';
import { SparkConnectState, type SparkConnectStatus } from '../../../api/spark-connect-status';
import { inWordsOfConnect } from '../../../plan/connect/as-application';
import type { Submittable } from '../../../plan/plan-application';
import { planConnect } from '../../../plan/plan-connect';
import type { SubmittedApplication } from '../../../plan/properties/properties';
import type { WithSpec } from '../validate/scope';
import type { AdmissionDependencies } from '../world';
import type { QuotaFindings } from './compare';
import { needOf, type Need } from './need';
import { askQuotas } from './quotas';

/** A SparkConnect that is to be taken, and as it is stored. */
export interface ConnectQuotaQuestion {
  readonly now: { readonly metadata: SubmittedApplication['metadata']; readonly spec: SparkConnectSpec };
  readonly submittable: Submittable;
  readonly before?: WithSpec<SparkConnectSpec>;
}

/**
 * Whether there is room for a server and its executors, by the pods of the application that it is to Spark: those that Spark makes of the templates. There Spark's own
 * amounts stand in place of those that a template has for Spark's container: requests of CPU and memory and the limit of memory (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep); what else the template says counts, such as a limit of CPU or a sidecar.
 */
export async function connectQuota(world: AdmissionDependencies, { now, submittable, before }: ConnectQuotaQuestion, signal?: AbortSignal): Promise<QuotaFindings> {
  const { refusal, warnings } = await askQuotas(world, now.metadata.namespace, () => {
    const need = needOf(submittable);
    return need && { need, released: before && releasedBy(now.metadata, before, world) };
  }, signal);
  return { ...(refusal !== undefined && { refusal: inWordsOfConnect(refusal) }), warnings: warnings.map(inWordsOfConnect) };
}

const WITH_SERVER: readonly (string | undefined)[] = [SparkConnectState.PROVISIONING, SparkConnectState.READY, SparkConnectState.NOT_READY];

/** The pods that it has now. */
function releasedBy(metadata: SubmittedApplication['metadata'], { spec, ...rest }: WithSpec<SparkConnectSpec>, world: AdmissionDependencies): Need | undefined {
  const { status } = rest as { readonly status?: SparkConnectStatus };
  if (spec.suspend === true || !WITH_SERVER.includes(status?.state) || !status?.server?.podName) return undefined;
  const { submittable } = planConnect({ metadata, spec }, { submission: world.submission });
  const need = submittable && needOf(submittable);
  return need && { ...need, executors: countOf(status.executors?.running) + countOf(status.executors?.pending) };
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0;
}
