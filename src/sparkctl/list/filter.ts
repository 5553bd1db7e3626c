import { ApplicationState } from '../../api/states';
import { shortConnectReason } from '../../explain/connect/short-reason';
import { idleSchedule } from '../../explain/idle-schedule';
import { shortReason } from '../../explain/short-reason';
import type { KubeObject } from '../../kube/objects';
import { runsOf } from '../../model/schedule-runs';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import { stateOf, submissionTime, type WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';
import { durationIn } from '../../text/duration';
import { UsageError } from '../../text/usage-error';
import type { Options, Values } from '../options';
import type { KindName } from '../target';
import type { ListFacts } from './facts';

const STATES: readonly string[] = Object.values(ApplicationState).map((state) => state || 'NEW');

/** States of a failed attempt. */
const FAILURES: readonly string[] = [ApplicationState.FAILED, ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED];

/** Options that select objects of a list; only --attention also selects other kinds. */
export const FILTER_OPTIONS = {
  state: { value: 'STATE,…', suggestions: STATES, help: `only applications in these states: ${STATES.join(', ')}` },
  failed: { help: `only failed applications: ${FAILURES.join(', ')}` },
  attention: {
    help: 'only what needs attention: it failed in the last day, or does not progress '
      + '(stuck, unschedulable, without operator), or is an active schedule that starts no runs or whose latest run failed',
  },
  since: { value: 'DURATION', help: 'only applications that were created, submitted or ended within it, such as 30m, 2h or 1d', suggestions: ['30m', '2h', '12h', '1d'] },
} as const satisfies Options;

/** Selection of a list's objects. */
export interface ListFilter {
  /** Whether the status selects an application. */
  matches(application: WholeApplication): boolean;
  /** Whether only objects that need attention are listed. */
  readonly needsAttention: boolean;
  /** Words of the selection for a message, such as ` in FAILED`. */
  readonly text: string;
}

/** Values of `FILTER_OPTIONS`. */
export type FilterValues = Pick<Values<typeof FILTER_OPTIONS>, 'failed' | 'attention' | 'since'> & { readonly state?: string };

/**
 * Parses the options.
 *
 * @param now returns the milliseconds since 1970
 * @throws {UsageError} if a value is wrong, or the kind has no such option
 */
export function filterOf({ state, failed, attention, since }: FilterValues, kind: KindName, now: () => number): ListFilter {
  const given = Object.entries({ state, failed, since }).find(([, value]) => value);
  if (given && kind !== 'application') throw new UsageError(`--${given[0]} needs the kind applications`);
  if (failed && state !== undefined) throw new UsageError('--failed selects states, and --state others; omit one of the two');
  const states = failed ? FAILURES : statesOf(state);
  const period = since === undefined ? undefined : periodOf(since);
  return {
    matches: (application) => (!states || states.includes(stateOf(application) || 'NEW'))
      && (period === undefined || now() - lastTime(application) <= period),
    needsAttention: attention,
    text: [
      ...(attention ? [' that need attention'] : []), ...(failed ? [' that failed'] : states ? [` in ${states.join(', ')}`] : []),
      ...(since === undefined ? [] : [` in the last ${since}`]),
    ].join(''),
  };
}

/** Returns the selected objects. */
export function selected<T extends KubeObject>(
  objects: readonly T[], kind: KindName, filter: ListFilter, facts: ListFacts, now: number,
): T[] {
  return objects.filter((object) => (kind !== 'application' || filter.matches(object as unknown as WholeApplication))
    && (!filter.needsAttention || needsAttention(object, kind, facts, now)));
}

/** Returns whether an object has failed or does not progress, as the console does. */
export function needsAttention(object: KubeObject, kind: KindName, facts: ListFacts, now: number): boolean {
  switch (kind) {
    case 'application': return shortReason(facts.observed(object as WholeApplication, now)).needsAttention;
    case 'connect': return shortConnectReason(facts.observedConnect(object as WholeConnect, now)).needsAttention;
    case 'schedule': {
      const schedule = object as ScheduledSparkApplication;
      return idleSchedule(schedule, facts.operatorOf(schedule)) !== undefined || (!schedule.spec.suspend && hasLatestFailed(schedule));
    }
  }
}

/** Whether the latest run that has ended failed. */
function hasLatestFailed(schedule: ScheduledSparkApplication): boolean {
  return runsOf(schedule).findLast(({ result }) => result !== 'active')?.result === 'failed';
}

function statesOf(given: string | undefined): readonly string[] | undefined {
  const states = given?.toUpperCase().split(',');
  const wrong = states?.find((state) => !STATES.includes(state));
  if (wrong !== undefined) {
    const problem = wrong === '' ? 'a state is missing' : `there is no state ${wrong}`;
    throw new UsageError(`--state=${given}: ${problem}; write some of ${STATES.join(', ')}`);
  }
  return states;
}

function periodOf(text: string): number {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  const period = days === undefined ? durationIn(text) : Number(days) * 86_400_000;
  if (!period) throw new UsageError(`--since=${text}: write a duration longer than 0, such as 30m, 2h or 1d`);
  return period;
}

/** Returns when an application last was created, submitted or ended, in milliseconds since 1970. */
function lastTime(application: WholeApplication): number {
  const { metadata, status } = application;
  const times = [metadata.creationTimestamp, status?.terminationTime].map((time) => Date.parse(time ?? ''));
  return Math.max(...[...times, submissionTime(application)].filter(Number.isFinite));
}
