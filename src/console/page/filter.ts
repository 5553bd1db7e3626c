import { isBetweenAttempts } from '../../api/states';
import { stateText } from './format';
import type { ApplicationRow } from '../wire';

/** Filter and order of the list of applications. */
export interface Filter {
  /** Empty for all. */
  readonly namespace: string;
  /** Empty for all. */
  readonly states: readonly string[];
  /** Words, phrases in double quotes and labels (`name=value`) that must all match. */
  readonly text: string;
  /** Whether only applications that need attention match. */
  readonly attention: boolean;
  readonly sort: SortKey;
  readonly descending: boolean;
}

/** Columns by which applications can be sorted. */
export const SORT_KEYS = ['state', 'name', 'namespace', 'attempts', 'executors', 'duration', 'age'] as const;

export type SortKey = typeof SORT_KEYS[number];

/** Columns whose largest values come first at the first click. */
export const LARGEST_FIRST: readonly SortKey[] = ['attempts', 'executors', 'duration'];

/** Reads the filter of an address. */
export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const sort = query.sort ?? '';
  const key = SORT_KEYS.find((each) => each === sort.replace(/^-/, '')) ?? 'age';
  return {
    namespace: query.namespace ?? '',
    states: (query.state ?? '').split(',').filter((state) => state !== ''),
    text: query.q ?? '',
    attention: query.attention === 'yes',
    sort: key,
    descending: sort.startsWith('-'),
  };
}

/** Writes the filter of an address. */
export function filterQuery({ namespace, states, text, attention, sort, descending }: Filter): Readonly<Record<string, string>> {
  const order = `${descending ? '-' : ''}${sort}`;
  return { namespace, state: states.join(','), q: text, attention: attention ? 'yes' : '', sort: order === 'age' ? '' : order };
}

/**
 * Returns the duration of an application's latest attempt, in milliseconds; undefined before its
 * start, and between two attempts.
 */
export function durationOf({ begun, ended, state }: ApplicationRow, now: number): number | undefined {
  if (begun === undefined || isBetweenAttempts(state)) return undefined;
  return Math.max(0, (ended !== undefined && ended >= begun ? ended : now) - begun);
}

/**
 * Returns the applications that match, except for the filter of states, to count their states.
 *
 * @param reasonOf returns the reason of a state as the list shows it
 */
export function matching(
  rows: Iterable<ApplicationRow>, { namespace, text }: Filter, reasonOf: (row: ApplicationRow) => string | undefined,
): ApplicationRow[] {
  const terms = termsIn(text).map((term) => termOf(term, reasonOf));
  const found: ApplicationRow[] = [];
  for (const row of rows) {
    if ((namespace === '' || row.namespace === namespace) && terms.every((fits) => fits(row))) found.push(row);
  }
  return found;
}

/** Returns the words of a search, and its phrases in double quotes. */
function termsIn(text: string): string[] {
  return (text.match(/"[^"]*"|\S+/g) ?? []).map((term) => term.replace(/^"|"$/g, '')).filter((term) => term !== '');
}

/** Counts applications by state. */
export function countStates(rows: readonly ApplicationRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state } of rows) counts.set(stateText(state), (counts.get(stateText(state)) ?? 0) + 1);
  return counts;
}

/** Numbers of applications that a click on a chip of the filter would leave. */
export interface ChipCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly urgent: number;
}

/**
 * Counts matching applications by state and those that need attention, each with the other filter.
 * A state without such applications has the number 0.
 *
 * @param isUrgent returns whether an application needs attention
 */
export function chipCounts(
  rows: readonly ApplicationRow[], { states, attention }: Filter, isUrgent: (row: ApplicationRow) => boolean,
): ChipCounts {
  const all = countStates(rows);
  const urgent = rows.filter(isUrgent);
  const counts = attention ? new Map([...[...all.keys()].map((state) => [state, 0] as const), ...countStates(urgent)]) : all;
  return { counts, urgent: urgent.filter(({ state }) => states.length === 0 || states.includes(stateText(state))).length };
}

/**
 * Returns the matching applications in their order.
 *
 * @param isUrgent returns whether an application needs attention
 */
export function filtered(
  rows: readonly ApplicationRow[], filter: Filter, now: number, isUrgent: (row: ApplicationRow) => boolean,
): ApplicationRow[] {
  const { states, attention, sort, descending } = filter;
  const found = rows.filter((row) => (states.length === 0 || states.includes(stateText(row.state))) && (!attention || isUrgent(row)));
  const compare = ORDERS[sort];
  const sign = descending ? -1 : 1;
  const isUnknown = (row: ApplicationRow) => Number(sort === 'duration' && durationOf(row, now) === undefined);
  return found.sort((a, b) => isUnknown(a) - isUnknown(b) || sign * compare(a, b, now)
    || inAlphabet(a.name, b.name) || inAlphabet(a.namespace, b.namespace));
}

type Compare = (a: ApplicationRow, b: ApplicationRow, now: number) => number;

const ORDERS: Readonly<Record<SortKey, Compare>> = {
  state: (a, b) => inAlphabet(stateText(a.state), stateText(b.state)),
  name: (a, b) => inAlphabet(a.name, b.name),
  namespace: (a, b) => inAlphabet(a.namespace, b.namespace),
  attempts: (a, b) => a.attempts - b.attempts,
  executors: (a, b) => (a.executors?.running ?? 0) - (b.executors?.running ?? 0),
  duration: (a, b, now) => (durationOf(a, now) ?? 0) - (durationOf(b, now) ?? 0),
  // Youngest first.
  age: (a, b) => b.created - a.created,
};

function inAlphabet(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function termOf(term: string, reasonOf: (row: ApplicationRow) => string | undefined): (row: ApplicationRow) => boolean {
  const at = term.indexOf('=');
  if (at > 0) {
    const [name, value] = [term.slice(0, at), term.slice(at + 1)];
    return ({ labels }) => (value === '' ? labels?.[name] !== undefined : labels?.[name] === value);
  }
  const word = term.toLowerCase();
  return (row) => (
    [`${row.namespace}/${row.name}`, row.reason, reasonOf(row), row.schedule].some((text) => text?.toLowerCase().includes(word))
  );
}
