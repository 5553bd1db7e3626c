import type { Agent } from 'node:http';

/** TLS settings, named as in `node:tls`. */
export interface TlsOptions {
  /** Trusted certificate authorities, PEM, instead of the well-known ones. */
  readonly ca?: string | Buffer;
  /** Client certificate, PEM. */
  readonly cert?: string | Buffer;
  /** Private key of the client certificate, PEM. */
  readonly key?: string | Buffer;
  /** Expected name in the server's certificate. @default the URL's host */
  readonly servername?: string;
  /** `false` trusts any server. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** Credentials of a request. */
export interface Credentials {
  /** Headers to add, for example `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** TLS settings; when they change, new connections use the new ones. */
  readonly tls: TlsOptions;
  /** An agent to use unchanged, because it uses a proxy. @default an agent made from `tls` */
  readonly agent?: Agent;
}

/** An API server and the credentials for it. */
export interface Connection {
  /** URL of the API server, possibly with a path. */
  readonly server: string;

  /** The pod's namespace, or that of the kubeconfig's context. */
  readonly namespace?: string;

  /**
   * Returns the current credentials. The client calls it before every request, to pick up rotated
   * tokens and certificates. So it should be cheap, and return a promise only if it has to wait.
   *
   * @throws {Error} whose message contains no secrets
   */
  credentials(): Credentials | Promise<Credentials>;
}
