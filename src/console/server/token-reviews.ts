import { KNOWN_TOKENS, UNKNOWN_TOKEN_RATE, UNKNOWN_TOKENS } from './limits';
import { digest } from './secrets';
import { consoleSemaphore } from './semaphore';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import { RateLimiter } from '../../kube/rate-limiter';
import { SingleFlightCache } from '../../kube/single-flight-cache';
import { LruMap } from '../../kube/lru-map';
import { jsonWeight } from '../../kube/json-weight';

/** Milliseconds for which an answer of the API server about a token holds. */
export const ANSWER_AGE = 10_000;

/** Milliseconds for which a token is known as accepted: its next review passes unknown tokens. */
const KNOWN_AGE = 15 * 60_000;

/**
 * The maximum weight of known accepted tokens with their users, in bytes: 3,000 service accounts,
 * or 600 users with 100 groups.
 */
const MAX_KNOWN_BYTES = 8 * 1024 * 1024;

/** Bytes that an accepted token takes without its user. */
const ENTRY_BYTES = 500;

/** Rejected tokens that are remembered, by their hashes. */
const MOST_REJECTED = 1_000;

/** Milliseconds for one review. */
const TIMEOUT = 10_000;

/** The user of a token, as the API server says. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Asks the API server for the users of tokens. Anyone who reaches the port can send invented
 * tokens: unknown tokens wait in turns by address, and never delay a token that was accepted
 * before.
 */
export class TokenReviews {
  private readonly known = new LruMap<string, { readonly user: User; readonly reviewedAt: number }>(MAX_KNOWN_BYTES, ({ user }) => ENTRY_BYTES + jsonWeight(user));
  /** The times until which the answers hold. */
  private readonly rejected = new LruMap<string, number>(MOST_REJECTED);
  private readonly calls: SingleFlightCache<User | undefined>;
  private readonly unknownTurns: FairSemaphore;
  private readonly knownTurns: FairSemaphore;
  private readonly rate: RateLimiter;

  constructor(private readonly client: Pick<KubeClient, 'request'>, private readonly clock: Clock) {
    this.calls = new SingleFlightCache({ age: 0, limit: 0, clock });
    this.unknownTurns = consoleSemaphore(UNKNOWN_TOKENS, clock);
    this.knownTurns = consoleSemaphore(KNOWN_TOKENS, clock);
    this.rate = new RateLimiter(UNKNOWN_TOKEN_RATE.qps, UNKNOWN_TOKEN_RATE.burst, clock);
  }

  /**
   * Returns the user of a token; undefined if the API server rejects it.
   *
   * @param address of the client
   * @param signal ends the wait
   * @throws {HttpError} 503 if too many tokens wait for their review
   */
  async userOf(token: string, address: string, signal: AbortSignal): Promise<User | undefined> {
    // A hash: tokens are not kept.
    const key = digest(token).toString('base64');
    const now = this.clock.monotonic();
    if ((this.rejected.get(key) ?? 0) > now) return undefined;
    const known = this.known.get(key);
    const age = known ? now - known.reviewedAt : Infinity;
    if (known && age < ANSWER_AGE) return known.user;
    return this.calls.get(key, async (shared) => {
      const user = known && age < KNOWN_AGE ? await this.reviewKnown(token, known.user, shared) : await this.reviewUnknown(token, address, shared);
      const reviewedAt = this.clock.monotonic();
      if (user) {
        this.known.set(key, { user, reviewedAt });
      } else {
        this.known.delete(key);
        this.rejected.set(key, reviewedAt + ANSWER_AGE);
      }
      return user;
    }, signal);
  }

  private reviewKnown(token: string, { username }: User, signal: AbortSignal): Promise<User | undefined> {
    return this.knownTurns.during(username, signal, () => this.review(token, signal));
  }

  private reviewUnknown(token: string, address: string, signal: AbortSignal): Promise<User | undefined> {
    return this.unknownTurns.during(address, signal, async () => {
      await this.rate.take(signal);
      return this.review(token, signal);
    });
  }

  private async review(token: string, signal: AbortSignal): Promise<User | undefined> {
    const review = await this.client.request<{ readonly status?: { readonly authenticated?: boolean; readonly user?: User } }>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
      call: { verb: 'create', resource: 'tokenreviews' },
      timeout: TIMEOUT,
      signal,
    });
    const { authenticated, user } = review.status ?? {};
    return authenticated && user?.username ? user : undefined;
  }
}
