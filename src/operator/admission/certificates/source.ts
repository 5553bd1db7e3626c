/** What a server shows its clients: PEM texts. */
export interface ServingCertificate {
  /** The certificate of the server, then that of its CA if there is one. */
  readonly cert: string;
  /** Its private key. Not to be logged. */
  readonly key: string;
}

/** How a source of certificates is. */
export interface CertificateHealth {
  /** What is wrong and what to do about it; undefined if nothing is. There may be a certificate to serve nevertheless. */
  readonly problem?: string;
  /** When the certificate that is served ends to be valid; undefined if there is none. */
  readonly notAfter?: Date;
}

/** Where the webhook server has its certificate from. */
export interface CertificateSource {
  /** Begins; a second call does nothing. Problems are told by `health`, and tried again until `stop`. */
  start(): void;
  /** Ends for good. */
  stop(): Promise<void>;
  /** What to serve now; undefined as long as there is nothing. */
  current(): ServingCertificate | undefined;
  /** Adds one who is told when `current` answers something else. It must not throw. */
  onChange(listener: () => void): void;
  health(): CertificateHealth;
}
