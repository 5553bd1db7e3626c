import type { Agent } from 'node:http';

/** How TLS is set up, in the words of `node:tls`. */
export interface TlsOptions {
  /** Certificate authorities to trust instead of the well-known ones, PEM. */
  readonly ca?: string | Buffer;
  /** Client certificate, PEM. */
  readonly cert?: string | Buffer;
  /** Key of the client certificate, PEM. */
  readonly key?: string | Buffer;
  /** Name to expect in the server's certificate. @default the URL's host */
  readonly servername?: string;
  /** `false` trusts any server. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** What a request needs to be let in. */
export interface Credentials {
  /** Headers to add, `authorization` for example. */
  readonly headers: Readonly<Record<string, string>>;
  /** TLS settings; when they change, new connections are made with the new ones. */
  readonly tls: TlsOptions;
  /** An agent to use as it is, because it goes through a proxy. @default an agent made from `tls` */
  readonly agent?: Agent;
}

/** An API server and how to be let in. */
export interface Connection {
  /** URL of the API server, possibly with a path. */
  readonly server: string;

  /** The namespace that goes with the credentials: the pod's, or that of the kubeconfig's context. */
  readonly namespace?: string;

  /**
   * The credentials to use now. The client asks before every request, so that rotated tokens and certificates are
   * picked up; hence it must be cheap as a rule, and without a promise where nothing has to be waited for.
   *
   * @throws {Error} whose message is safe to log
   */
  credentials(): Credentials | Promise<Credentials>;
}
