import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { cookieIn, isSame, newSecret } from './secrets';
import { ShortMemory } from './short-memory';
import type { Authenticate, Right, Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';

/** Milliseconds for which an answer about rights holds. They only decide which buttons can be pressed. */
const RIGHTS_AGE = 30_000;

/** Questions about rights that are remembered: a handful for each namespace. */
const MOST_RIGHTS = 2_000;

/** Who may use a console on this machine: whoever knows its token. */
export interface OwnSession {
  /** What stands in the URL by which the user comes in. */
  readonly token: string;
  readonly authenticate: Authenticate;
  /** A token that lets in once: for where others can see it, as in the command line by which a browser is started. */
  newTicket(): string;
  /** The header that lets a browser in from now on, for a request that brings the token; undefined for all others. */
  admit(token: string | null): string | undefined;
}

/**
 * Lets in whoever knows the token, and works with the rights of the kubeconfig. The token is exchanged for a cookie that no script can read and no other site makes a browser send.
 *
 * @param cookie its name; consoles on one machine, which differ in nothing but the port, see each other's cookies
 */
export function ownSession(client: Pick<KubeClient, 'request'>, cookie: string, now: () => number): OwnSession {
  const [token, session] = [newSecret(), newSecret()];
  const tickets = new Set<string>();
  const rights = new ShortMemory<boolean>(RIGHTS_AGE, MOST_RIGHTS, now);
  const viewer: Viewer = {
    session: { readOnly: false },
    may: (right) => rights.get(JSON.stringify(right), () => mayI(client, right)),
    // The API server knows, and is asked with the same rights.
    require: async () => {},
    isStillValid: async () => true,
  };
  return {
    token,
    authenticate: async ({ headers }: Pick<IncomingMessage, 'headers'>) => {
      if (!isSame(cookieIn(headers.cookie, cookie), session)) throw new HttpError(401, 'open the address that sparkctl ui has printed; it has the token that lets you in');
      return viewer;
    },
    newTicket() {
      const ticket = newSecret();
      tickets.add(ticket);
      return ticket;
    },
    admit: (given) => (isSame(given ?? undefined, token) || tickets.delete(given ?? '') ? `${cookie}=${session}; HttpOnly; SameSite=Strict; Path=/` : undefined),
  };
}

/** Asks whether the user of the connection may do something. */
export async function mayI(client: Pick<KubeClient, 'request'>, right: Right): Promise<boolean> {
  const review = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: right } },
    call: { verb: 'create', resource: 'selfsubjectaccessreviews' },
  });
  return review.status?.allowed === true;
}
