import type { Server } from 'node:https';
import type { Clock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { Logger } from '../../kube/logger';

/** What a server shows its clients: PEM texts. */
export interface Certificate {
  readonly cert: string;
  /** Its private key. Not to be logged. */
  readonly key: string;
}

/** Milliseconds between looks whether there is another certificate. */
export const CERTIFICATE_AGE = 60_000;

/** What keeping a certificate takes. */
export interface CertificateRenewal {
  readonly server: Pick<Server, 'setSecureContext'>;
  /** What is served so far. */
  readonly first: Certificate;
  /** Reads what is to be served. */
  readonly read: () => Certificate;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lets a server take up certificates that others renew, such as cert-manager. As long as one cannot be read or served, the one before goes on to be, which the log tells once.
 *
 * @returns ends it
 */
export function renewCertificate({ server, first, read, clock, logger }: CertificateRenewal): () => void {
  let serving = first;
  let problem: string | undefined;
  const look = () => {
    try {
      const current = read();
      if (current.cert !== serving.cert || current.key !== serving.key) {
        // Connections that there are go on with what they began with.
        server.setSecureContext({ ...current });
        serving = current;
        logger.info({}, 'the console has another certificate');
      }
      problem = undefined;
    } catch (thrown) {
      const error = toError(thrown);
      if (error.message !== problem) logger.warn({ err: error }, 'the certificate of the console cannot be used; the one before goes on to be');
      problem = error.message;
    }
    timer = clock.setTimeout(look, CERTIFICATE_AGE);
  };
  let timer = clock.setTimeout(look, CERTIFICATE_AGE);
  return () => clock.clearTimeout(timer);
}
