/** Values of the variables in a URL format. */
export interface UrlVariables {
  readonly appName: string;
  readonly appNamespace: string;
  /** Spark's application ID; empty while it is unknown. */
  readonly appId: string;
}

/** External URL of a driver's port. */
export interface IngressUrl {
  /** `http` or `https` as given; undefined if there is none. */
  readonly scheme: string | undefined;
  /** Host and port as given; empty for any host. */
  readonly authority: string;
  /** Host without port; empty for any host. */
  readonly host: string;
  /** Path without a trailing slash; empty for the complete host. */
  readonly path: string;
}

/**
 * Replaces the variables of a URL format, `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}`, and
 * splits the URL. It never fails: the API server checks whether the parts make a valid Ingress.
 *
 * @param format such as `{{$appName}}.example.org` or
 * `https://example.org/{{$appNamespace}}/{{$appName}}`; query and fragment are ignored
 */
export function ingressUrl(format: string, variables: UrlVariables): IngressUrl {
  const text = format.trim().replace(/{{\s*\$(appName|appNamespace|appId)\s*}}/g, (_, name: keyof UrlVariables) => variables[name]);
  const [, scheme, authority = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)([^?#]*)/i.exec(text)!;
  const path = rest.replace(/\/+$/, '');
  return { scheme: scheme?.toLowerCase(), authority, host: authority.replace(/:\d*$/, ''), path };
}

/** Returns the URL for users. Without a host, it is only the path. */
export function urlText({ scheme, authority, path }: IngressUrl, defaultScheme: 'http' | 'https'): string {
  return authority ? `${scheme ?? defaultScheme}://${authority}${path}` : path || '/';
}
