/**
 * Returns an HTTP URL without a slash at its end, for links; undefined for other schemes, which a
 * browser might run, and for URLs with a user, a query or a fragment.
 */
export function webUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  return isPlain ? url.href.replace(/\/+$/, '') : undefined;
}

/** Explains which URLs `webUrl` accepts. */
export const WEB_URL_HINT = 'write it with http or https, such as https://history.example.org';
