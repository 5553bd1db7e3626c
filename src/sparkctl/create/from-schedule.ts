import type { Cluster } from '../cluster';
import { UsageError } from '../../text/usage-error';
import type { ManifestObject } from '../manifests/read';
import { targetOf } from '../target';
import { apiVersionOf } from '../../api/kind';
import { ANNOTATION_SUBMISSION_MODE } from '../../api/labels';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';

/** The longest name that an application may have. */
const MAX_NAME = 63;

/**
 * An application that is what the runs of a schedule are. It is none of them: it is not counted, nor deleted by the limits of the schedule, and stays if the schedule goes.
 *
 * @param from the value of `--from`
 * @param name of the application @default - made of the schedule's and `suffix`
 * @throws {UsageError} if `from` names no schedule
 */
export async function fromSchedule({ client, namespace }: Cluster, from: string, name: string | undefined, suffix: string, signal: AbortSignal): Promise<ManifestObject> {
  if (!from.includes('/')) throw new UsageError(`--from=${from}: write --from=schedule/${from}`);
  const { ref } = targetOf(from, namespace, ['schedule']);
  const { metadata, spec } = await client.get(SCHEDULED_SPARK_APPLICATIONS, ref, { signal });
  const mode = metadata.annotations?.[ANNOTATION_SUBMISSION_MODE];
  const labels = Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !key.startsWith('sparkoperator.k8s.io/') && !key.startsWith('spark-')));
  return {
    apiVersion: apiVersionOf(SPARK_APPLICATION),
    kind: SPARK_APPLICATION.kind,
    metadata: {
      name: name ?? `${ref.name.slice(0, MAX_NAME - 1 - suffix.length).replace(/[-.]+$/, '')}-${suffix}`,
      namespace,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(mode !== undefined && { annotations: { [ANNOTATION_SUBMISSION_MODE]: mode } }),
    },
    spec: spec.template,
  };
}
