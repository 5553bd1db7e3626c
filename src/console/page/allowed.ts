import { useEffect, useState } from 'preact/hooks';
import { get } from './api';
import { useLoaded } from './hooks';
import type { Permissions } from '../wire';

/** Permissions of a user while they are unknown. */
export const NOTHING: Permissions = { change: false, remove: false, changeSchedules: false, forward: false };

/** Returns the user's permissions in a namespace; none while they are unknown. */
export function useAllowed(namespace: string | undefined): Permissions {
  return useLoaded<Permissions>(namespace === undefined ? undefined : pathOf(namespace)).value ?? NOTHING;
}

/** Milliseconds until permissions that could not be read are read again. */
const AGAIN = 3_000;

/** Returns the user's permissions by namespace; a namespace is missing while they are unknown. */
export function useAllowedIn(namespaces: readonly string[]): ReadonlyMap<string, Permissions> {
  const [known, setKnown] = useState<ReadonlyMap<string, Permissions>>(new Map());
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    let timer = 0;
    for (const namespace of namespaces.filter((each) => !known.has(each))) {
      get<Permissions>(pathOf(namespace), left.signal).then((found) => {
        if (!left.signal.aborted) setKnown((before) => new Map(before).set(namespace, found));
      }, () => {
        if (!left.signal.aborted) timer ||= window.setTimeout(() => setRetries((before) => before + 1), AGAIN);
      });
    }
    return () => {
      left.abort();
      window.clearTimeout(timer);
    };
  }, [namespaces.join(), retries]);
  return known;
}

/** Returns why the user cannot do something. */
export function notAllowed(isAllowed: boolean, isReadOnly: boolean): string | undefined {
  if (isReadOnly) return 'this console is read-only';
  return isAllowed ? undefined : 'you have no permission for this in this namespace';
}

function pathOf(namespace: string): string {
  return `allowed/${encodeURIComponent(namespace)}`;
}
