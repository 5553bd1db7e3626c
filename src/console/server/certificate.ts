import type { Server } from 'node:https';
import type { Clock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { Logger } from '../../kube/logger';

/** Server certificate, as PEM texts. */
export interface Certificate {
  readonly cert: string;
  /** Private key. Must not be logged. */
  readonly key: string;
}

/** Milliseconds between two reads of the certificate. */
export const CERTIFICATE_AGE = 60_000;

/** Options of `renewCertificate`. */
export interface CertificateRenewal {
  readonly server: Pick<Server, 'setSecureContext'>;
  /** Certificate that the server uses now. */
  readonly first: Certificate;
  /** Reads the current certificate. */
  readonly read: () => Certificate;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reloads the server's certificate, which another program renews, such as cert-manager. While a new
 * certificate cannot be read or used, the server keeps the previous one and logs each problem once.
 *
 * @returns a function that stops the renewal
 */
export function renewCertificate({ server, first, read, clock, logger }: CertificateRenewal): () => void {
  let serving = first;
  let problem: string | undefined;
  const look = () => {
    try {
      const current = read();
      if (current.cert !== serving.cert || current.key !== serving.key) {
        // Open connections keep their certificate.
        server.setSecureContext({ ...current });
        serving = current;
        logger.info({}, 'the console uses a new certificate');
      }
      problem = undefined;
    } catch (thrown) {
      const error = toError(thrown);
      if (error.message !== problem) logger.warn({ err: error }, 'the console cannot use its new certificate and keeps the previous one');
      problem = error.message;
    }
    timer = clock.setTimeout(look, CERTIFICATE_AGE);
  };
  let timer = clock.setTimeout(look, CERTIFICATE_AGE);
  return () => clock.clearTimeout(timer);
}
