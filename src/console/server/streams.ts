import { HttpError } from './http';

/** Limits of streams. */
export interface StreamLimits {
  readonly all: number;
  readonly ofUser: number;
}

/** Seconds after which a rejected client should retry. */
const RETRY_AFTER = 10;

/**
 * Open streams of all users. When there are too many, the user with the most streams loses the
 * oldest to a user with fewer. So a few accounts with many streams cannot lock out others.
 */
export class Streams {
  /** Functions that end the streams of each user, the oldest first. */
  private readonly open = new Map<string, Set<() => void>>();
  private count = 0;

  constructor(private readonly limits: StreamLimits) {}

  /**
   * Registers a stream.
   *
   * @param end ends the stream
   * @returns a function that unregisters it
   * @throws {HttpError} 429 if the user has too many, 503 if no user has more than this one
   */
  enter(user: string, end: () => void): () => void {
    const own = this.open.get(user) ?? new Set();
    if (own.size >= this.limits.ofUser) {
      throw new HttpError(429, `${user} has ${own.size} open pages and logs, which is the limit; close some`, {
        'retry-after': String(RETRY_AFTER),
      });
    }
    if (this.count >= this.limits.all) this.makeRoom(own.size);
    // A new function each time, because callers might pass the same one twice.
    const entry = () => end();
    this.open.set(user, own.add(entry));
    this.count++;
    return () => this.leave(user, entry);
  }

  private makeRoom(fewer: number): void {
    let most: readonly [user: string, streams: ReadonlySet<() => void>] | undefined;
    for (const each of this.open) if (each[1].size > (most?.[1].size ?? fewer + 1)) most = each;
    if (!most) {
      throw new HttpError(503, 'the console has too many open pages and logs; try again later', { 'retry-after': String(RETRY_AFTER) });
    }
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
