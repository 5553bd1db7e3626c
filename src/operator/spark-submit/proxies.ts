
/** The variables of a process. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/**
 * The JVM's properties for the proxies that the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`), which Java does not read itself. The client of the
 * Kubernetes API in spark-submit reads the environment.
 */
export function proxyOptions(environment: Environment): string[] {
  const proxies = (['http', 'https'] as const).flatMap((scheme) => {
    const url = parsed(environment[`${scheme.toUpperCase()}_PROXY`] || environment[`${scheme}_proxy`]);
    return url ? [`-D${scheme}.proxyHost=${url.hostname}`, `-D${scheme}.proxyPort=${portOf(url)}`] : [];
  });
  if (proxies.length === 0) return [];
  const without = (environment.NO_PROXY || environment.no_proxy || '').split(',').map((host) => host.trim()).filter((host) => /^[\w.*:[\]-]+$/.test(host));
  // One property for both schemes. Java knows no ranges of addresses.
  return [...proxies, `-Dhttp.nonProxyHosts=${['localhost', '127.*', '[::1]', ...without.flatMap(pattern)].join('|')}`];
}

/** A domain is its hosts and those of its subdomains. */
function pattern(host: string): string[] {
  const domain = host.replace(/^\*?\./, '');
  return /[a-z]/i.test(domain) && !domain.includes(':') ? [domain, `*.${domain}`] : [host];
}

/** URL leaves out the port that is its scheme's own. */
function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function parsed(text: string | undefined): URL | undefined {
  const url = text && URL.canParse(text) ? new URL(text) : undefined;
  return url?.hostname ? url : undefined;
}
