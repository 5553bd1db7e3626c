import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { get, isUnavailable, RequestError } from './api';
import { parseRoute, routeHash, type Route } from './route';
import type { Rows } from './rows';

/** Returns the current route of the address. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return parseRoute(hash);
}

/**
 * Navigates to a route.
 *
 * @param replace whether to replace the entry in the history, as for each typed letter
 */
export function go(route: Route, replace = false): void {
  const hash = routeHash(route);
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

let list = '#/applications';

/** Stores the filter of the list, for the way back. */
export function rememberList(hash: string): void {
  list = hash;
}

/** Returns the address of the list with its last filter. */
export function listHash(): string {
  return list;
}

/** Renders again after each change of the rows. */
export function useRows(rows: Rows): number {
  const [version, setVersion] = useState(rows.version);
  useEffect(() => {
    const follow = () => setVersion(rows.version);
    // Rows can have arrived between the rendering and this effect.
    follow();
    return rows.subscribe(follow);
  }, [rows]);
  return version;
}

let stoppedAt: number | undefined;

/** Stops the time of `useNow` while the connection is lost; undefined starts it again. */
export function stopClock(at: number | undefined): void {
  stoppedAt = at;
}

/** Returns the current time, updated regularly. @param every milliseconds */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => stoppedAt ?? Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => {
      // A hidden page needs no updates.
      if (!document.hidden) setNow(stoppedAt ?? Date.now());
    }, every);
    return () => window.clearInterval(timer);
  }, [every]);
  return now;
}

/** Value that is read from the server. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error?: RequestError;
  /** Reads it again. */
  readonly reload: () => void;
}

/**
 * Reads a value, and again when `again` changes. The previous value stays until the new one
 * arrives, unless there is none any more.
 */
export function useLoaded<T>(path: string | undefined, again: unknown = undefined): Loaded<T> {
  const [state, setState] = useState<{ readonly path?: string; readonly value?: T; readonly error?: RequestError }>({});
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const aborted = new AbortController();
    get<T>(path, aborted.signal).then(
      (value) => { if (!aborted.signal.aborted) setState({ path, value }); },
      (error: unknown) => {
        if (aborted.signal.aborted) return;
        const problem = error instanceof RequestError ? error : new RequestError(0, String(error));
        setState((before) => ({ ...(before.path === path && !isUnavailable(problem) && before), path, error: problem }));
      },
    );
    return () => aborted.abort();
  }, [path, again, count]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  return {
    ...(state.path === path && state.value !== undefined && { value: state.value }),
    ...(state.path === path && state.error && { error: state.error }), reload,
  };
}

/** As in narrow.css. */
const NARROW = '(max-width: 760px)';

/** Returns whether the page is as narrow as a phone, where tables become cards. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches);
  useEffect(() => {
    const query = window.matchMedia(NARROW);
    const onChange = () => setNarrow(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isNarrow;
}

/** Returns the current size of an element. */
export function useSize<E extends Element>() {
  const ref = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}

/** Calls the function for each key press, unless the user types text or a dialog is open. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  // Before the first frame: a key that is pressed once the page is seen has its effect.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const target = event.target as HTMLElement;
      if (target.matches('input:not([type=checkbox]), textarea, select')) return;
      latest.current(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
