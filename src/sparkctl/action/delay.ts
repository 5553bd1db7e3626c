import { explainDelay } from '../../explain/explain-unattended';
import type { KubeClient } from '../../kube/client';
import { readPresences } from '../../model/operator-presence';
import type { WholeApplication } from '../../model/spark-application';
import { printable } from '../../text/printable';
import type { Context } from '../command';

/** Reports that a change of applications has no effect yet, because no operator runs. */
export async function reportDelay(
  client: KubeClient, changed: readonly WholeApplication[], { io, now, signal }: Pick<Context, 'io' | 'now' | 'signal'>,
): Promise<void> {
  // The change is done, so it does not matter if the Leases cannot be read.
  const presences = await readPresences(client, changed, now(), signal).catch(() => undefined);
  const delays = changed.map((application) => explainDelay(application.metadata.namespace, presences?.of(application)));
  for (const delay of new Set(delays)) if (delay !== undefined) io.stderr(printable(`${delay}.\n`));
}
