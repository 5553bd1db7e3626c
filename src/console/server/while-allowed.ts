import type { Right, Viewer } from './viewer';
import { sleep, type Clock } from '../../kube/clock';

/** Milliseconds between two checks of a stream's permission. */
export const RECHECK = 20_000;

/**
 * Ends a stream when its viewer's credentials or permission are no longer valid: streams last for
 * hours. A failed check ends it, too.
 *
 * @param signal aborted when the stream has ended
 */
export async function whileAllowed(
  viewer: Viewer, right: Right | undefined, clock: Clock, signal: AbortSignal, end: () => void,
): Promise<void> {
  // For viewers with their own kubeconfig, the API server itself checks.
  if (!viewer.session.readOnly) return;
  for (;;) {
    await sleep(clock, RECHECK, signal).catch(() => {});
    if (signal.aborted) return;
    const holds = viewer.isStillValid().then((isValid) => isValid && (right === undefined || viewer.may(right)));
    if (await holds.catch(() => false)) continue;
    end();
    return;
  }
}
