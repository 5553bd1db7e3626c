import type { IncomingMessage } from 'node:http';
import { HttpError } from './http';
import { bearerOf, isSame, newSecret } from './secrets';
import type { Authenticate, Right, Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { SingleFlightCache } from '../../kube/single-flight-cache';

/** Milliseconds for which an answer about rights holds. They only decide which buttons can be pressed. */
const RIGHTS_AGE = 30_000;

/** Questions about rights that are remembered: a handful for each namespace. */
const MOST_RIGHTS = 2_000;

/** The session of the user of a console on this machine. */
export interface OwnSession {
  /** The token in the address that the user opens. */
  readonly token: string;
  readonly authenticate: Authenticate;
  /**
   * Returns a token that works once, for an address that others can see: the command line that
   * starts a browser.
   */
  newTicket(): string;
  /**
   * Exchanges the token of an address for the session, which the page sends as a bearer token;
   * undefined for a wrong token.
   */
  admit(token: string): string | undefined;
}

/**
 * Returns the session of a console that works with the rights of the kubeconfig.
 *
 * The page sends the session in a header. It is no cookie, because browsers send cookies to every
 * port of a host, and so to each driver and each other server on this machine that the user opens.
 */
export function ownSession(client: Pick<KubeClient, 'request'>, clock: Clock): OwnSession {
  const [token, session] = [newSecret(), newSecret()];
  const tickets = new Set<string>();
  const rights = new SingleFlightCache<boolean>({ age: RIGHTS_AGE, limit: MOST_RIGHTS, clock });
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
      if (!isSame(bearerOf(headers), session)) throw new HttpError(401, 'open the address that sparkctl ui has printed; it has the token that lets you in');
      return viewer;
    },
    newTicket() {
      const ticket = newSecret();
      tickets.add(ticket);
      return ticket;
    },
    admit: (given) => (isSame(given, token) || tickets.delete(given) ? session : undefined),
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
