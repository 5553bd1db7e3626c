/** The pauses of those who stand back. */
const [MIN_PAUSE, MAX_PAUSE] = [30_000, 600_000];

/**
 * Applications that another operator works on are left alone for a while, each time for longer: two that repair each other's writes would go on
 * for ever. Who has been left alone in vain, as nothing more was noticed, is taken up again.
 */
export class Pauses {
  private readonly pauses = new Map<string, { readonly until: number; readonly pause: number }>();

  /** Another operator was noticed. @returns until when the application is left alone, in the time of `now` */
  noticed(key: string, now: number): number {
    const before = this.pauses.get(key);
    if (before && before.until > now) return before.until;
    const pause = before && now - before.until < MAX_PAUSE ? Math.min(before.pause * 2, MAX_PAUSE) : MIN_PAUSE;
    this.pauses.set(key, { until: now + pause, pause });
    return now + pause;
  }

  /** How long an application is still to be left alone, in milliseconds; 0: not at all. */
  remaining(key: string, now: number): number {
    return Math.max((this.pauses.get(key)?.until ?? 0) - now, 0);
  }

  /** How many applications are left alone, for a metric. */
  count(now: number): number {
    return [...this.pauses.values()].filter(({ until }) => until > now).length;
  }

  /** The application is gone. */
  forget(key: string): void {
    this.pauses.delete(key);
  }
}
