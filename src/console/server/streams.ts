import { HttpError } from './http';

/** How many streams there may be. */
export interface StreamLimits {
  readonly all: number;
  readonly ofUser: number;
}

/** Seconds after which those come back who found no room. */
const RETRY_AFTER = 10;

/**
 * The open streams of all users. Where there is no room, the user who has most of them loses the oldest to one who has fewer:
 * many accounts with many streams keep nobody out.
 */
export class Streams {
  /** What ends each of them, the oldest of a user first. */
  private readonly open = new Map<string, Set<() => void>>();
  private count = 0;

  constructor(private readonly limits: StreamLimits) {}

  /**
   * Takes a place.
   *
   * @param end ends the stream for another one
   * @returns gives the place back
   * @throws {HttpError} 429 if the user has too many, 503 if there are too many of users who have not more
   */
  enter(user: string, end: () => void): () => void {
    const own = this.open.get(user) ?? new Set();
    if (own.size >= this.limits.ofUser) {
      throw new HttpError(429, `${user} has ${own.size} open pages and logs, which is the limit; close some`, { 'retry-after': String(RETRY_AFTER) });
    }
    if (this.count >= this.limits.all) this.makeRoom(own.size);
    // Unlike `end`, it is another one each time.
    const entry = () => end();
    this.open.set(user, own.add(entry));
    this.count++;
    return () => this.leave(user, entry);
  }

  private makeRoom(fewer: number): void {
    let most: readonly [user: string, streams: ReadonlySet<() => void>] | undefined;
    for (const each of this.open) if (each[1].size > (most?.[1].size ?? fewer + 1)) most = each;
    if (!most) throw new HttpError(503, 'the console has too many open pages and logs; try again later', { 'retry-after': String(RETRY_AFTER) });
    const [user, [oldest]] = most;
    this.leave(user, oldest!);
    oldest!();
  }

  private leave(user: string, entry: () => void): void {
    const streams = this.open.get(user);
    if (!streams?.delete(entry)) return;
    this.count--;
    if (streams.size === 0) this.open.delete(user);
  }
}
