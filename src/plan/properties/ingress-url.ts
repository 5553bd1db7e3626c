/** What the variables of a URL format stand for. */
export interface UrlVariables {
  readonly appName: string;
  readonly appNamespace: string;
  /** Spark's id of the application; empty as long as nobody knows it. */
  readonly appId: string;
}

/** A URL under which a port of the driver is reached from outside. */
export interface IngressUrl {
  /** `http` or `https` as written; undefined if nothing is. */
  readonly scheme: string | undefined;
  /** Host and port as written; empty for any host. */
  readonly authority: string;
  /** The host without its port; empty for any host. */
  readonly host: string;
  /** The path without a slash at its end; empty for the whole host. */
  readonly path: string;
}

/**
 * Fills the variables of a URL format, `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}`, and takes the URL apart. It never fails: whether the
 * parts make a valid Ingress is for the API server to say.
 *
 * @param format such as `{{$appName}}.example.org` or `https://example.org/{{$appNamespace}}/{{$appName}}`; query and fragment do not count
 */
export function ingressUrl(format: string, variables: UrlVariables): IngressUrl {
  const text = format.trim().replace(/{{\s*\$(appName|appNamespace|appId)\s*}}/g, (_, name: keyof UrlVariables) => variables[name]);
  const [, scheme, authority = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)([^?#]*)/i.exec(text)!;
  const path = rest.replace(/\/+$/, '');
  return { scheme: scheme?.toLowerCase(), authority, host: authority.replace(/:\d*$/, ''), path };
}

/** The URL for people. Without a host it is the path alone. */
export function urlText({ scheme, authority, path }: IngressUrl, defaultScheme: 'http' | 'https'): string {
  return authority ? `${scheme ?? defaultScheme}://${authority}${path}` : path || '/';
}
