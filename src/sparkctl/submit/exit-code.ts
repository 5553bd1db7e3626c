import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { NamespacedRef } from '../../model/actions/actions';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { knownOf } from '../view/known';

/**
 * Returns the exit code of the driver of a failed application, from its Pod, or else from the
 * status: the Pod can be gone. Without one, and for 0, it is 1.
 */
export async function driverExitCode(client: KubeClient, ref: NamespacedRef, now: number, signal: AbortSignal): Promise<number> {
  const application = await client.get<WholeApplication>(SPARK_APPLICATIONS, ref, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
  if (!application) return 1;
  const { driver } = await knownOf(client, application, now, signal);
  return (driver?.terminated?.exitCode ?? codeIn(application)) || 1;
}

function codeIn({ status }: WholeApplication): number | undefined {
  const [, code] = /^driver container failed with ExitCode: (\d{1,3})\b/.exec(status?.applicationState?.errorMessage ?? '') ?? [];
  return code === undefined ? undefined : Number(code);
}
