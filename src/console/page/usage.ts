import { useMemo } from 'preact/hooks';
import { pathTo } from './api';
import { useLoaded } from './hooks';
import type { ApplicationUsage, PodUsage } from '../wire';

/** Milliseconds between two readings; the metrics API itself measures every 15 s. */
const PERIOD = 15_000;

/** Usage of an application's pods, by their names; undefined without the metrics API. */
export type Usage = ReadonlyMap<string, PodUsage> | undefined;

/** Returns what the pods of an application use now. @param isWanted whether it is shown */
export function useUsage(
  { namespace, name }: { readonly namespace: string; readonly name: string }, isWanted: boolean, now: number,
): Usage {
  const path = isWanted ? pathTo('applications', namespace, name, 'usage') : undefined;
  const { value, error } = useLoaded<ApplicationUsage>(path, Math.floor(now / PERIOD));
  return useMemo(() => {
    const pods = error ? undefined : value?.pods;
    return pods && pods.length > 0 ? new Map(pods.map((pod) => [pod.name, pod])) : undefined;
  }, [value, error]);
}

/** Formats an amount of CPU, such as `0.25` or `12`, in cores. */
export function coresText(cores: number): string {
  return String(Number(cores.toFixed(cores < 10 ? 2 : 0)));
}

const UNITS = [['Gi', 2 ** 30], ['Mi', 2 ** 20], ['Ki', 2 ** 10]] as const;

/** Formats an amount of memory, such as `1.5Gi`. */
export function bytesText(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes >= each) ?? ['', 1];
  const amount = bytes / size;
  return `${Number(amount.toFixed(amount < 10 && unit === 'Gi' ? 1 : 0))}${unit}`;
}
