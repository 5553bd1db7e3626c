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

/** Milliseconds for which a review of a token is cached. */
export const REVIEW_AGE = 10_000;

/**
 * Milliseconds for which a token counts as accepted: its next review does not wait behind unknown
 * tokens.
 */
const KNOWN_AGE = 15 * 60_000;

/**
 * The maximum weight of known accepted tokens with their users, in bytes: 3,000 service accounts,
 * or 600 users with 100 groups.
 */
const MAX_KNOWN_BYTES = 8 * 1024 * 1024;

/** Bytes that an accepted token takes without its user. */
const ENTRY_BYTES = 500;

/** Maximum number of rejected tokens whose hashes are kept. */
const MAX_REJECTED = 1_000;

/** Timeout of one review, in milliseconds. */
const TIMEOUT = 10_000;

/** User of a token, from the API server's review. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reviews tokens with the API server. Anyone who reaches the port can send invented tokens. Unknown
 * tokens wait fairly by address, and never delay a token that was accepted before.
 */
export class TokenReviews {
  private readonly known = new LruMap<string, { readonly user: User; readonly reviewedAt: number }>(
    MAX_KNOWN_BYTES, ({ user }) => ENTRY_BYTES + jsonWeight(user),
  );
  /** Times until which the rejections are cached. */
  private readonly rejected = new LruMap<string, number>(MAX_REJECTED);
  private readonly calls: SingleFlightCache<User | undefined>;
  private readonly unknownSemaphore: FairSemaphore;
  private readonly knownSemaphore: FairSemaphore;
  private readonly rate: RateLimiter;

  constructor(private readonly client: Pick<KubeClient, 'request'>, private readonly clock: Clock) {
    this.calls = new SingleFlightCache({ age: 0, limit: 0, clock });
    this.unknownSemaphore = consoleSemaphore(UNKNOWN_TOKENS, clock);
    this.knownSemaphore = consoleSemaphore(KNOWN_TOKENS, clock);
    this.rate = new RateLimiter(UNKNOWN_TOKEN_RATE.qps, UNKNOWN_TOKEN_RATE.burst, clock);
  }

  /**
   * Returns the user of a token; undefined if the API server rejects it.
   *
   * @param address of the client
   * @param signal aborts the wait
   * @throws {HttpError} 503 if too many tokens wait for their review
   */
  async userOf(token: string, address: string, signal: AbortSignal): Promise<User | undefined> {
    // A hash, because tokens must not be kept.
    const key = digest(token).toString('base64');
    const now = this.clock.monotonic();
    if ((this.rejected.get(key) ?? 0) > now) return undefined;
    const known = this.known.get(key);
    const age = known ? now - known.reviewedAt : Infinity;
    if (known && age < REVIEW_AGE) return known.user;
    return this.calls.get(key, async (shared) => {
      const user = known && age < KNOWN_AGE
        ? await this.reviewKnown(token, known.user, shared)
        : await this.reviewUnknown(token, address, shared);
      const reviewedAt = this.clock.monotonic();
      if (user) {
        this.known.set(key, { user, reviewedAt });
      } else {
        this.known.delete(key);
        this.rejected.set(key, reviewedAt + REVIEW_AGE);
      }
      return user;
    }, signal);
  }

  private reviewKnown(token: string, { username }: User, signal: AbortSignal): Promise<User | undefined> {
    return this.knownSemaphore.during(username, signal, () => this.review(token, signal));
  }

  private reviewUnknown(token: string, address: string, signal: AbortSignal): Promise<User | undefined> {
    return this.unknownSemaphore.during(address, signal, async () => {
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
