import { SubmissionError } from '../../../plan/errors';
import type { AdmissionDependencies } from '../world';
import { compareWithQuotas, type Demanded, type QuotaFindings } from './compare';
import { readQuota } from './resource-quota';
import { withoutSecrets } from '../../../text/redaction';

/** Compares with the quotas of a namespace as they are now. Nobody is kept waiting by quotas that cannot be read: Kubernetes looks at them again for each pod. */
export async function askQuotas({ quotas }: Pick<AdmissionDependencies, 'quotas'>, namespace: string, demandOf: () => Demanded | undefined, signal?: AbortSignal): Promise<QuotaFindings> {
  let found;
  try {
    found = (await quotas?.(namespace, signal) ?? []).map(readQuota);
  } catch (error) {
    return { warnings: [`the ResourceQuotas of namespace ${namespace} are not looked at: ${withoutSecrets(error instanceof Error ? error.message : String(error))}`] };
  }
  if (found.length === 0) return { warnings: [] };
  try {
    const demanded = demandOf();
    if (demanded) return compareWithQuotas(demanded, found);
    return { warnings: ['the ResourceQuotas are not compared with: an amount refers to what is known only in the driver'] };
  } catch (error) {
    // Amounts that nobody can read; they are told where they matter.
    if (SubmissionError.is(error)) return { warnings: [`the ResourceQuotas are not compared with: ${error.message}`] };
    throw error;
  }
}
