/**
 * Current view of the console. The address contains all of it, so users can bookmark and share it.
 */
export interface Route {
  /** Segments of the path, such as `applications`, `team-a`, `pi`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Parses the part of an address behind `#`. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#?\/?/, '');
  const at = text.indexOf('?');
  const path = (at < 0 ? text : text.slice(0, at)).split('/').filter((part) => part !== '').map(decoded);
  return { path, query: Object.fromEntries(new URLSearchParams(at < 0 ? '' : text.slice(at + 1))) };
}

/** Formats a route as an address with `#`. Empty values are omitted. */
export function routeHash({ path, query }: Route): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
