/** The certificate that a server shows its clients, as PEM texts. */
export interface ServingCertificate {
  /** The certificate of the server, followed by that of its CA, if any. */
  readonly cert: string;
  /** Its private key. Must not be logged. */
  readonly key: string;
}

/** Health of a certificate source. */
export interface CertificateHealth {
  /**
   * The problem and its remedy; undefined if there is none. A certificate can be available
   * nevertheless.
   */
  readonly problem?: string;
  /** When the served certificate expires; undefined if there is none. */
  readonly notAfter?: Date;
}

/** Source of the webhook server's certificate. */
export interface CertificateSource {
  /**
   * Starts the source; a second call does nothing. `health` reports problems, and the source
   * retries until `stop`.
   */
  start(): void;
  /** Stops for good. */
  stop(): Promise<void>;
  /** Returns the certificate to serve; undefined as long as there is none. */
  current(): ServingCertificate | undefined;
  /** Adds a listener, called when `current` returns another certificate. It must not throw. */
  onChange(listener: () => void): void;
  health(): CertificateHealth;
}
