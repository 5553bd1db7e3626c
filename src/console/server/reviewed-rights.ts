import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { RIGHTS } from './limits';
import { bearerOf, digest } from './secrets';
import { consoleSemaphore } from './semaphore';
import { ANSWER_AGE, TokenReviews, type User } from './token-reviews';
import { rightText, type Authenticate, type Right, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { networkOf } from '../../kube/inbound-connections';
import type { Clock } from '../../kube/clock';
import { SingleFlightCache } from '../../kube/single-flight-cache';

/** Remembered answers about rights, of all users. Ten seconds' worth of calls are at most 2,400. */
const MOST_RIGHTS = 20_000;

/** Longer no bearer token is; what is longer is not worth asking for. */
const MAX_TOKEN = 16 * 1024;

/** By which the page knows that it is to ask for a token. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * Lets in whoever brings a bearer token that the API server knows, and asks it for each request whether that user may do it. The server's own rights are never those of a user who has them not.
 */
export function reviewedRights(client: Pick<KubeClient, 'request'>, clock: Clock): Authenticate {
  const tokens = new TokenReviews(client, clock);
  const rights = new SingleFlightCache<boolean>({ age: ANSWER_AGE, limit: MOST_RIGHTS, clock });
  const turns = consoleSemaphore(RIGHTS, clock);

  function review(user: User, right: Right, signal: AbortSignal): Promise<boolean> {
    return turns.during(user.username, signal, () => reviewRight(client, user, right, signal));
  }

  return async ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, signal) => {
    const token = bearerOf(headers);
    if (token === undefined || token.length > MAX_TOKEN) throw new HttpError(401, 'sign in with a bearer token', CHALLENGE);
    const userOf = () => tokens.userOf(token, networkOf(socket), signal);
    const user = await userOf();
    if (!user) throw new HttpError(401, 'the API server does not accept this token; it may have expired', CHALLENGE);
    const own = digest(JSON.stringify(user)).toString('base64');
    const viewer: Viewer = {
      session: { readOnly: true, user: user.username },
      // A hash: names in a right can be as long as a URL.
      may: (right) => rights.get(digest(`${own} ${JSON.stringify(right)}`).toString('base64'), (shared) => review(user, right, shared), signal),
      require: async (right) => {
        if (!await viewer.may(right)) throw new HttpError(403, `${user.username} may not ${rightText(right)}`);
      },
      isStillValid: async () => await userOf() !== undefined,
    };
    return viewer;
  };
}

async function reviewRight(client: Pick<KubeClient, 'request'>, { username, uid, groups, extra }: User, right: Right, signal: AbortSignal): Promise<boolean> {
  const review = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user: username, uid, groups, extra, resourceAttributes: right } },
    call: { verb: 'create', resource: 'subjectaccessreviews' },
    signal,
  });
  return review.status?.allowed === true;
}
