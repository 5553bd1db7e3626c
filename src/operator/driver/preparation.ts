import { FIRST_LOOK, readPodEvents } from '../../model/actions/preparation';
import { isPreparing, obstacleIn } from '../../model/pod-preparation';
import type { Obstacle, PodView } from '../../model/pod-view';
import type { KubeClient } from '../../kube/client';

/** Milliseconds between two reads of a pod's events. */
const NEXT_LOOK = 15_000;

/**
 * Returns the milliseconds until the next read of a driver's events; Infinity if no node prepares
 * it.
 */
export function untilReading(pod: PodView, now: number): number {
  if (!isPreparing(pod)) return Infinity;
  const untilFirst = Date.parse(pod.startTime!) + FIRST_LOOK - now;
  // A node's clock can be ahead.
  return untilFirst > 0 ? Math.min(untilFirst, NEXT_LOOK) : NEXT_LOOK;
}

/** Reads the events of pods during their preparation, at a low rate. */
export class Preparations {
  private readonly looks = new Map<string, {
    readonly uid:
    | string
    | undefined; readonly at: number; readonly obstacle: Obstacle | undefined;
  }>();

  /**
   * Adds the obstacle of its start to the pod for which an application waits. Without the
   * permission to read events, the obstacle is unknown.
   */
  async observe(
    key: string, pod: PodView,
    { client, now, signal }: { readonly client: KubeClient; readonly now: number; readonly signal?: AbortSignal },
  ): Promise<PodView> {
    if (!isPreparing(pod)) {
      this.looks.delete(key);
      return pod;
    }
    const { metadata: { uid }, startTime } = pod;
    let look = this.looks.get(key);
    const isDue = look?.uid === uid ? now - look!.at >= NEXT_LOOK : now - Date.parse(startTime!) >= FIRST_LOOK;
    if (isDue) {
      const events = await readPodEvents(client, pod, signal).catch(() => []);
      look = { uid, at: now, obstacle: obstacleIn(events) };
      this.looks.set(key, look);
    }
    return look?.uid === uid && look?.obstacle ? { ...pod, obstacle: look.obstacle } : pod;
  }

  /** Forgets a deleted application. */
  forget(key: string): void {
    this.looks.delete(key);
  }
}
