import { type Clock, sleep } from '../../kube/clock';
import type { KubeClient } from '../../kube/client';
import type { OperatorPresence } from '../../model/operator-presence';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { presencesOf } from '../view/presence';

/** Milliseconds before the first check, and between later ones. */
const [FIRST, PAUSE] = [1_000, 30_000];

/**
 * Reports again and again whether operators handle applications, until the signal is aborted.
 * Reports nothing while that cannot be read.
 *
 * @param applications returns those that are still waited for
 */
export async function checkOperators(
  client: Pick<KubeClient, 'get' | 'list'>, applications: () => readonly WholeApplication[],
  report: (application: WholeApplication, operator: OperatorPresence | undefined) => void, clock: Clock, signal: AbortSignal,
): Promise<void> {
  for (let pause = FIRST; !signal.aborted; pause = PAUSE) {
    await sleep(clock, pause, signal).catch(() => {});
    const current = signal.aborted ? [] : applications();
    const presences = await presencesOf(client, current, [SPARK_APPLICATIONS], clock.now(), signal).catch(() => undefined);
    if (signal.aborted || !presences) continue;
    for (const application of current) report(application, presences.of(application));
  }
}
