import { ExpiringMap } from './expiring-map';
import { KNOWN_TOKENS, UNKNOWN_TOKEN_RATE, UNKNOWN_TOKENS } from './limits';
import { digest } from './secrets';
import { consoleSemaphore } from './semaphore';
import { SharedCalls } from './shared-calls';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import { RateLimiter } from '../../kube/rate-limiter';

/** Milliseconds for which an answer of the API server about a token holds. */
export const ANSWER_AGE = 10_000;

/** Milliseconds for which a token is known as accepted: its next review passes unknown tokens. */
const KNOWN_AGE = 15 * 60_000;

/** Accepted tokens that are known, each with its user: some KiB with many groups. */
const MOST_KNOWN = 2_000;

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
  private readonly known: ExpiringMap<{ readonly user: User; readonly until: number }>;
  private readonly rejected: ExpiringMap<true>;
  private readonly calls = new SharedCalls<User | undefined>();
  private readonly unknownTurns: FairSemaphore;
  private readonly knownTurns: FairSemaphore;
  private readonly rate: RateLimiter;

  constructor(private readonly client: Pick<KubeClient, 'request'>, private readonly clock: Clock) {
    const now = () => clock.monotonic();
    this.known = new ExpiringMap(KNOWN_AGE, MOST_KNOWN, now);
    this.rejected = new ExpiringMap(ANSWER_AGE, MOST_REJECTED, now);
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
    if (this.rejected.get(key)) return undefined;
    const known = this.known.get(key);
    if (known && known.until > this.clock.monotonic()) return known.user;
    return this.calls.get(key, async (shared) => {
      const user = known ? await this.reviewKnown(token, known.user, shared) : await this.reviewUnknown(token, address, shared);
      if (user) {
        this.known.set(key, { user, until: this.clock.monotonic() + ANSWER_AGE });
      } else {
        this.known.delete(key);
        this.rejected.set(key, true);
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
