import type { Right, Viewer } from './viewer';
import { sleep, type Clock } from '../../kube/clock';

/** Milliseconds between looks whether somebody may still see what is streamed to them. */
export const RECHECK = 20_000;

/**
 * Ends a stream when what its viewer was let in with, or the right to what is shown, does not hold any more: streams last for hours. That it cannot be found out ends it, too.
 *
 * @param signal aborted when the stream has ended by itself
 */
export async function whileAllowed(viewer: Viewer, right: Right | undefined, clock: Clock, signal: AbortSignal, end: () => void): Promise<void> {
  // Who works with their own rights is refused by the API server itself.
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
