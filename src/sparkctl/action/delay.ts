import { explainDelay } from '../../explain/explain-unattended';
import type { KubeClient } from '../../kube/client';
import { readPresences } from '../../model/operator-presence';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { printable } from '../../text/printable';
import type { Context } from '../command';

/** Maximum number of applications of a namespace whose operator is that of a new one. */
const MAX_OTHERS = 20;

/** Reports that a change of applications has no effect yet, because no operator runs. */
export async function reportDelay(
  client: KubeClient, changed: readonly WholeApplication[], { io, now, signal }: Pick<Context, 'io' | 'now' | 'signal'>,
): Promise<void> {
  // The change is done, so it does not matter if the Leases cannot be read.
  const known = await Promise.all(newNamespaces(changed).map(async (namespace) => (
    (await client.listPage(SPARK_APPLICATIONS, { namespace, limit: MAX_OTHERS, signal })).items
  ))).catch(() => []);
  const presences = await readPresences(client, [...changed, ...known.flat()], now(), signal).catch(() => undefined);
  const delays = changed.map((application) => explainDelay(application.metadata.namespace, presences?.of(application)));
  for (const delay of new Set(delays)) if (delay !== undefined) io.stderr(printable(`${delay}.\n`));
}

/** Returns the namespaces of applications without a status: their operator is that of others. */
function newNamespaces(changed: readonly WholeApplication[]): readonly string[] {
  return [...new Set(changed.filter(({ status }) => status === undefined).map(({ metadata }) => metadata.namespace))];
}
