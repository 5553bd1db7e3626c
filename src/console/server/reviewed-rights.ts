import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { RIGHTS } from './limits';
import { bearerOf, digest } from './secrets';
import { consoleSemaphore } from './semaphore';
import { REVIEW_AGE, TokenReviews, type User } from './token-reviews';
import { rightText, type Authenticate, type Right, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { networkOf } from '../../kube/inbound-connections';
import type { Clock } from '../../kube/clock';
import { SingleFlightCache } from '../../kube/single-flight-cache';

/**
 * Maximum number of cached permission reviews, of all users: at most 2,400 in ten seconds.
 */
const MAX_REVIEWS = 20_000;

/** Maximum length of a bearer token; longer ones are rejected without a review. */
const MAX_TOKEN = 16 * 1024;

/** Header that makes the page prompt for a token. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * Authenticates requests by bearer token. The API server reviews the token, and the user's
 * permission for each request, so the console's own permissions never extend the user's.
 */
export function reviewedRights(client: Pick<KubeClient, 'request'>, clock: Clock): Authenticate {
  const tokens = new TokenReviews(client, clock);
  const rights = new SingleFlightCache<boolean>({ age: REVIEW_AGE, limit: MAX_REVIEWS, clock });
  const semaphore = consoleSemaphore(RIGHTS, clock);

  function review(user: User, right: Right, signal: AbortSignal): Promise<boolean> {
    return semaphore.during(user.username, signal, () => reviewRight(client, user, right, signal));
  }

  return async ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, signal) => {
    const token = bearerOf(headers);
    if (token === undefined || token.length > MAX_TOKEN) throw new HttpError(401, 'sign in with a bearer token', CHALLENGE);
    const userOf = () => tokens.userOf(token, networkOf(socket), signal);
    const user = await userOf();
    if (!user) throw new HttpError(401, 'the API server does not accept this token; it might have expired', CHALLENGE);
    const own = digest(JSON.stringify(user)).toString('base64');
    const viewer: Viewer = {
      session: { readOnly: true, user: user.username },
      // A hash: names in a right can be as long as a URL.
      may: (right) => rights.get(
        digest(`${own} ${JSON.stringify(right)}`).toString('base64'), (shared) => review(user, right, shared), signal,
      ),
      require: async (right) => {
        if (!await viewer.may(right)) throw new HttpError(403, `${user.username} is not allowed to ${rightText(right)}`);
      },
      isStillValid: async () => await userOf() !== undefined,
    };
    return viewer;
  };
}

async function reviewRight(
  client: Pick<KubeClient, 'request'>, { username, uid, groups, extra }: User, right: Right, signal: AbortSignal,
): Promise<boolean> {
  const review = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: {
        user: username, uid, groups, extra, resourceAttributes: right,
      },
    },
    call: { verb: 'create', resource: 'subjectaccessreviews' },
    signal,
  });
  return review.status?.allowed === true;
}
