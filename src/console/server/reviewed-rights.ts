import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { digest } from './secrets';
import { ShortMemory } from './short-memory';
import { rightText, type Authenticate, type Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';

/** Milliseconds for which an answer of the API server about a token or a right holds. */
const ANSWER_AGE = 10_000;

/** Tokens that are remembered. */
const MOST_TOKENS = 10_000;

/** Rights that are remembered of one user: some for each namespace, and no others' place. */
const MOST_RIGHTS = 10_000;

/** Users whose rights are remembered; who has asked for nothing for the longest time goes first. */
const MOST_USERS = 500;

/** Longer no bearer token is; what is longer is not worth asking for. */
const MAX_TOKEN = 16 * 1024;

/** By which the page knows that it is to ask for a token. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Lets in whoever brings a bearer token that the API server knows, and asks it for each request whether that user may do it. The server's own rights are never those of a user who has them not.
 */
export function reviewedRights(client: Pick<KubeClient, 'request'>, now: () => number): Authenticate {
  const users = new ShortMemory<User | undefined>(ANSWER_AGE, MOST_TOKENS, now);
  const rights = new Map<string, ShortMemory<boolean>>();

  function rightsOf(user: User): ShortMemory<boolean> {
    const key = JSON.stringify(user);
    const known = rights.get(key) ?? new ShortMemory<boolean>(ANSWER_AGE, MOST_RIGHTS, now);
    // Again at the end, so that who was there last stands first.
    rights.delete(key);
    rights.set(key, known);
    if (rights.size > MOST_USERS) rights.delete(rights.keys().next().value!);
    return known;
  }

  async function userOf(token: string): Promise<User | undefined> {
    // By its hash: tokens are not kept.
    return users.get(digest(token).toString('base64'), () => reviewToken(client, token));
  }

  return async ({ headers }: Pick<IncomingMessage, 'headers'>) => {
    const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined || token.length > MAX_TOKEN) throw new HttpError(401, 'sign in with a bearer token', CHALLENGE);
    const user = await userOf(token);
    if (!user) throw new HttpError(401, 'the API server does not accept this token; it may have expired', CHALLENGE);
    const viewer: Viewer = {
      session: { readOnly: true, user: user.username },
      may: (right) => rightsOf(user).get(JSON.stringify(right), async () => {
        const { username, uid, groups, extra } = user;
        const review = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
          method: 'POST',
          path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
          body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user: username, uid, groups, extra, resourceAttributes: right } },
          call: { verb: 'create', resource: 'subjectaccessreviews' },
        });
        return review.status?.allowed === true;
      }),
      require: async (right) => {
        if (!await viewer.may(right)) throw new HttpError(403, `${user.username} may not ${rightText(right)}`);
      },
      isStillValid: async () => await userOf(token) !== undefined,
    };
    return viewer;
  };
}

async function reviewToken(client: Pick<KubeClient, 'request'>, token: string): Promise<User | undefined> {
  const review = await client.request<{ readonly status?: { readonly authenticated?: boolean; readonly user?: User } }>({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
    call: { verb: 'create', resource: 'tokenreviews' },
  });
  const { authenticated, user } = review.status ?? {};
  return authenticated && user?.username ? user : undefined;
}
