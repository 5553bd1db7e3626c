import { SubmissionError } from '../../../plan/errors';
import type { AdmissionDependencies } from '../dependencies';
import { compareWithQuotas, type Demanded, type QuotaFindings } from '../../../plan/quota/compare';
import { readQuota } from '../../../plan/quota/resource-quota';
import { withoutSecrets } from '../../../text/redaction';

/**
 * Compares with the current quotas of a namespace. Unreadable quotas do not block the user, because
 * Kubernetes checks them again for each pod.
 */
export async function askQuotas(
  { quotas }: Pick<AdmissionDependencies, 'quotas'>, namespace: string, demandOf: () => Demanded | undefined, signal?: AbortSignal,
): Promise<QuotaFindings> {
  let found;
  try {
    found = (await quotas?.(namespace, signal) ?? []).map(readQuota);
  } catch (error) {
    const reason = withoutSecrets(error instanceof Error ? error.message : String(error));
    return { problems: [], warnings: [`the ResourceQuotas of namespace ${namespace} are not checked: ${reason}`] };
  }
  if (found.length === 0) return { problems: [], warnings: [] };
  try {
    const demanded = demandOf();
    if (demanded) return compareWithQuotas(demanded, found);
    return { problems: [], warnings: ['the ResourceQuotas are not compared with: an amount refers to what is known only in the driver'] };
  } catch (error) {
    // The amounts cannot be read. Other checks report them where they matter.
    if (SubmissionError.is(error)) return { problems: [], warnings: [`the ResourceQuotas are not compared with: ${error.message}`] };
    throw error;
  }
}
