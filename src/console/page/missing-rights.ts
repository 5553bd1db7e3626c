import type { Rows } from './rows';

/** Kind of the rows of a list. */
type Kind = 'applications' | 'schedules';

const GROUP = 'sparkoperator.k8s.io';
const RESOURCES: Readonly<Record<Kind, string>> = {
  applications: `sparkapplications.${GROUP}`, schedules: `scheduledsparkapplications.${GROUP}`,
};

/** Maximum number of namespaces in a text. */
const MAX_NAMESPACES = 5;

/** Resources whose lists a tab of an application needs; the tab of objects needs all others. */
const OF_TAB: Readonly<Record<string, readonly string[]>> = { overview: [], pods: ['pods'], logs: ['pods'], events: ['events'], spec: [] };

/** Returns which rows the user cannot list, and so does not see; empty if they see all. */
export function unlistedText(kind: Kind, { unlisted }: Pick<Rows, 'unlisted'>): string {
  const namespaces = unlisted[kind];
  if (namespaces.length === 0) return '';
  const what = `You cannot list ${RESOURCES[kind]} in`;
  if (namespaces.includes('*')) return `${what} all namespaces. This page shows only namespaces where you can.`;
  const more = namespaces.length - MAX_NAMESPACES;
  const names = more > 0 ? [...namespaces.slice(0, MAX_NAMESPACES), `${more} more`] : namespaces;
  return `${what} ${joined(names)}: ask for this permission.`;
}

/** Returns the text of an empty list. */
export function emptyText(kind: Kind, rows: Pick<Rows, 'unlisted' | 'loading' | 'trouble'>): string {
  const unlisted = unlistedText(kind, rows);
  if (unlisted !== '') return unlisted;
  if (rows.loading) return `Reading the ${kind}…`;
  return rows.trouble === '' ? `There are no ${kind}.` : `The ${kind} cannot be read.`;
}

/** Returns why there is no schedule of a name. */
export function noScheduleText(namespace: string, rows: Rows): string {
  const { schedules } = rows.unlisted;
  if (schedules.includes(namespace)) return `You cannot list ${RESOURCES.schedules} in ${namespace}: ask for this permission.`;
  const isListed = !schedules.includes('*') || [...rows.schedules.values()].some((row) => row.namespace === namespace);
  return `There is no such schedule (any more)${isListed ? '' : `, or you cannot list schedules in ${namespace}`}.`;
}

/**
 * Returns why a tab of an application lacks parts; undefined if it has all.
 *
 * @param hidden permissions that the user lacks, such as `list pods in team-a`
 */
export function missingText(tab: string, hidden: readonly string[], namespace: string): string | undefined {
  const known = Object.values(OF_TAB).flat();
  const lists = hidden.map((right) => right.split(' ')[1]!).filter((resource) => (
    OF_TAB[tab]?.includes(resource) ?? !known.includes(resource)
  ));
  return lists.length === 0 ? undefined : `You cannot list ${joined(lists)} in ${namespace}.`;
}

function joined(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
