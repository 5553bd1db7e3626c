import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { bearerOf, isSame, newSecret } from './secrets';
import type { Authenticate, Right, Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { SingleFlightCache } from '../../kube/single-flight-cache';

/**
 * Milliseconds for which a review of permissions is cached. It only decides which buttons are
 * enabled.
 */
const RIGHTS_AGE = 30_000;

/** Maximum number of cached reviews: a handful for each namespace. */
const MAX_REVIEWS = 2_000;

/** Session of the user of a console on this machine. */
export interface LocalSession {
  /** Token in the address that the user opens. */
  readonly token: string;
  readonly authenticate: Authenticate;
  /**
   * Returns a token that works once, for an address that other processes can see: the command line
   * that starts a browser.
   */
  newTicket(): string;
  /**
   * Exchanges the token of an address for the session, which the page sends as a bearer token;
   * undefined for a wrong token.
   */
  login(token: string): string | undefined;
}

/**
 * Returns the session of a console that works with the permissions of the kubeconfig's user.
 *
 * The page sends the session in a header instead of a cookie: browsers send cookies to every port
 * of a host, and so to every driver and other server on this machine that the user opens.
 */
export function localSession(client: Pick<KubeClient, 'request'>, clock: Clock): LocalSession {
  const [token, session] = [newSecret(), newSecret()];
  const tickets = new Set<string>();
  const rights = new SingleFlightCache<boolean>({ age: RIGHTS_AGE, limit: MAX_REVIEWS, clock });
  const viewer: Viewer = {
    session: { readOnly: false },
    may: (right) => rights.get(JSON.stringify(right), () => mayI(client, right)),
    // The API server checks, because the console calls it as the user.
    require: async () => {},
    isStillValid: async () => true,
  };
  return {
    token,
    authenticate: async ({ headers }: Pick<IncomingMessage, 'headers'>) => {
      if (!isSame(bearerOf(headers), session)) {
        throw new HttpError(401, 'open the address that sparkctl ui printed, which contains your token');
      }
      return viewer;
    },
    newTicket() {
      const ticket = newSecret();
      tickets.add(ticket);
      return ticket;
    },
    login: (given) => (isSame(given, token) || tickets.delete(given) ? session : undefined),
  };
}

/** Returns whether the client's user is allowed to do something. */
export async function mayI(client: Pick<KubeClient, 'request'>, right: Right): Promise<boolean> {
  const review = await client.request<{ readonly status?: { readonly allowed?: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: right } },
    call: { verb: 'create', resource: 'selfsubjectaccessreviews' },
  });
  return review.status?.allowed === true;
}
