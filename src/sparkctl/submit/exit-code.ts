import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import type { NamespacedRef } from '../../model/actions/actions';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Returns the exit code of the driver of a failed application, by its status: that of the last
 * attempt, or else that in the error message, which kubeflow's operator writes, too. Without one,
 * and for 0, it is 1.
 */
export async function driverExitCode(client: KubeClient, ref: NamespacedRef, signal: AbortSignal): Promise<number> {
  const application = await client.get<WholeApplication>(SPARK_APPLICATIONS, ref, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return undefined;
  });
  const { attemptHistory, applicationState } = application?.status ?? {};
  return (attemptHistory?.at(-1)?.exitCode ?? codeIn(applicationState?.errorMessage)) || 1;
}

function codeIn(message = ''): number | undefined {
  const [, code] = /^driver container failed with ExitCode: (\d{1,3})\b/.exec(message) ?? [];
  return code === undefined ? undefined : Number(code);
}
