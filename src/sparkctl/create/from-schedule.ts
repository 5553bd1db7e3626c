import type { Cluster } from '../cluster';
import { UsageError } from '../../text/usage-error';
import type { ManifestObject } from '../manifests/read';
import { targetOf } from '../target';
import { apiVersionOf } from '../../api/kind';
import { ANNOTATION_SUBMISSION_MODE } from '../../api/labels';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';

/** Maximum length of an application's name. */
const MAX_NAME = 63;

/**
 * Returns an application with the template of a schedule. It is not a run of the schedule: the
 * history limits do not apply to it, and it stays if the schedule is deleted.
 *
 * @param from value of `--from`
 * @param name name of the application @default - the schedule's name and `suffix`
 * @throws {UsageError} if `from` is not the name of a schedule
 */
export async function fromSchedule(
  { client, namespace }: Cluster, from: string, name: string | undefined, suffix: string, signal: AbortSignal,
): Promise<ManifestObject> {
  if (!from.includes('/')) throw new UsageError(`--from=${from}: write --from=schedule/${from}`);
  const { ref } = targetOf(from, namespace, ['schedule']);
  const { metadata, spec } = await client.get(SCHEDULED_SPARK_APPLICATIONS, ref, { signal });
  const mode = metadata.annotations?.[ANNOTATION_SUBMISSION_MODE];
  const isOfUser = (key: string) => !key.startsWith('sparkoperator.k8s.io/') && !key.startsWith('spark-');
  const labels = Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => isOfUser(key)));
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
