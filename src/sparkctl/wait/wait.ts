import type { NamespacedRef } from '../../model/actions/actions';
import { isCurrent } from '../../model/actions/current';
import { explain, type ObservedApplication } from '../../explain/explain';
import type { Explanation } from '../../explain/explanation';
import { shortDuration } from '../../text/duration';
import type { KubeClient } from '../../kube/client';
import { type Clock, systemClock } from '../../kube/clock';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { ApplicationState, isTerminal } from '../../api/states';
import { runningSince } from '../../model/requested-executors';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import { painter } from '../../text/colours';
import type { Context } from '../command';
import { Interrupted } from '../errors';
import { titleOf } from '../output/title';
import { printable } from '../../text/printable';
import { attemptDuration } from '../view/rows';
import { knownOf, type KnownClient } from '../view/known';
import { exitCodeOf, follow, type Outcome } from './follow';
import { displayOf } from './live';
import { checkOperators } from './operators';
import { outcomeMark, type Followed } from './progress';

/** Application to wait for. */
export interface Awaited {
  readonly namespace: string;
  readonly name: string;
  /** See the property of `FollowOptions`. */
  readonly uid?: string;
  /** See the property of `FollowOptions`. */
  readonly generation?: number;
}

/** Options of waiting. */
export interface WaitOptions {
  /** States to wait for. @default - COMPLETED or FAILED */
  readonly until?: readonly ApplicationState[];
  /** Milliseconds for all applications together. @default - unlimited */
  readonly timeout?: number;
  /** Whether progress is hidden. @default false */
  readonly quiet?: boolean;
  /** @default systemClock */
  readonly clock?: Clock;
}

const KIND = SPARK_APPLICATION.kind;

/** Blanks below the mark of an outcome. */
const INDENT = '  ';

/**
 * Waits for applications and shows their progress. In the end it prints the outcome of each on
 * standard error, as it is not part of the command's result.
 *
 * @returns the worst exit code of all; a failure is worse than a timeout
 * @throws {ApiError | NetworkError} if one of them cannot be read
 * @throws {Interrupted} after Ctrl-C
 */
export async function waitFor(
  client: Pick<KubeClient, 'openPage' | 'watch' | 'get' | 'list' | 'bytes'>,
  awaited: readonly Awaited[],
  context: Pick<Context, 'io' | 'terminal' | 'signal'>,
  options: WaitOptions = {},
): Promise<number> {
  const { clock = systemClock, until, timeout, quiet = false } = options;
  const { io, terminal, signal } = context;
  const display = quiet ? undefined : displayOf(awaited, io, terminal, clock);
  const together = new AbortController();
  const outcomes: Outcome[] = [];
  const followed: Followed[] = awaited.map(({ namespace, name }) => ({ namespace, name }));
  const update = (index: number, change: Partial<Followed>) => {
    followed[index] = { ...followed[index]!, ...change };
    display?.update(followed[index]);
  };
  if (display) {
    const open = () => followed.flatMap(({ application, isReached }) => (application && isReached === undefined ? [application] : []));
    void checkOperators(client, open, (application, operator) => {
      const { namespace, name } = application.metadata;
      const index = awaited.findIndex((each) => each.namespace === namespace && each.name === name);
      update(index, { operator });
    }, clock, AbortSignal.any([signal, together.signal]));
  }
  try {
    await Promise.all(awaited.map(async ({ namespace, name, uid, generation }, index) => {
      outcomes[index] = await follow(client, { namespace, name }, {
        until, timeout, uid, generation, clock, signal: AbortSignal.any([signal, together.signal]),
        onChange: (application) => update(index, { application }),
        onTrouble: (error) => update(index, { trouble: error?.message }),
      });
      const isReached = exitCodeOf(outcomes[index]) === 0;
      update(index, { isReached, ...(isReached && { operator: undefined }) });
    }));
  } catch (error) {
    throw signal.aborted ? new Interrupted(continuing(followed.filter((_, index) => outcomes[index] === undefined))) : error;
  } finally {
    together.abort();
    display?.end();
  }
  const facts = await Promise.all(outcomes.map((outcome) => factsOf(client, outcome, clock.now(), signal)));
  const paint = painter(terminal);
  for (const [index, { namespace, name }] of awaited.entries()) {
    const outcome = outcomes[index]!;
    const mark = outcomeMark(exitCodeOf(outcome) === 0, paint);
    const { sentence, remedy } = outcomeOf({ namespace, name }, outcome, facts[index]!);
    const lines = [sentence, ...(remedy === undefined ? [] : [`To do: ${remedy}`])].map(printable);
    io.stderr(`${mark} ${lines.join(`\n${INDENT}`)}\n`);
  }
  const codes = outcomes.map(exitCodeOf);
  return codes.includes(1) ? 1 : Math.max(0, ...codes);
}

/** Describes what continues after Ctrl-C. */
function continuing(applications: readonly Followed[]): string {
  const [first, ...others] = applications.map(({ namespace, name }) => titleOf({ kind: KIND, metadata: { namespace, name } }));
  const [only] = applications;
  if (others.length === 0 && only?.application && stateOf(only.application) === ApplicationState.SUSPENDED) return `${first} is still SUSPENDED`;
  return others.length === 0 ? `${first} continues in the cluster` : `${applications.length} SparkApplications continue in the cluster`;
}

/** Reads the facts that explain an outcome; without them, the status has to do. */
async function factsOf(client: KnownClient, outcome: Outcome, now: number, signal: AbortSignal): Promise<Explaining> {
  const { application } = outcome;
  const isClear = outcome.kind === 'deleted' || (outcome.kind === 'state' && outcome.isWanted);
  // The outcomes matter more.
  return application && !isClear ? knownOf(client, application, now, signal).catch(() => ({ now })) : { now };
}

/** Facts that explain an outcome. */
type Explaining = Omit<ObservedApplication, 'application'>;

/** Description of an outcome. */
type Description = Pick<Explanation, 'sentence' | 'remedy'>;

/**
 * Describes the outcome of an application. The texts can hold texts of the cluster; they are not
 * `printable` yet.
 */
function outcomeOf(metadata: NamespacedRef, outcome: Outcome, facts: Explaining): Description {
  const title = titleOf({ kind: KIND, metadata });
  const { application } = outcome;
  const state = application && (stateOf(application) || 'NEW');
  switch (outcome.kind) {
    case 'deleted': return { sentence: `${title} was deleted${state === undefined ? '' : ` when it was ${state}`}` };
    case 'timed-out': {
      if (!application) return { sentence: `${title} was not read before the timeout` };
      const still = `${title} is still ${state} after the timeout`;
      const isUnattended = facts.operator?.isActive === false;
      if (application.metadata.deletionTimestamp) return explained(still, application, facts);
      if (!isCurrent(application) && !isUnattended) {
        return { sentence: `${still}, and no operator has observed its last change`, remedy: `sparkctl doctor -n ${metadata.namespace}` };
      }
      const continues = !isUnattended && state !== 'NEW' && state !== ApplicationState.SUSPENDED;
      return explained(continues ? `${still}, and continues` : still, application, facts);
    }
    case 'state': {
      if (!outcome.isWanted) return explained(`${title} is ${state}`, outcome.application, facts);
      const duration = durationUntil(outcome.application, facts.now);
      return { sentence: `${title} is ${state}${duration === undefined ? '' : ` after ${shortDuration(duration)}`}` };
    }
  }
}

/** Returns how long the current attempt took to reach its state; undefined if that is unknown. */
function durationUntil(application: WholeApplication, now: number): number | undefined {
  const state = stateOf(application);
  const since = state === ApplicationState.RUNNING ? runningSince(application.status) : isTerminal(state) ? now : NaN;
  return Number.isFinite(since) ? attemptDuration(application, since) : undefined;
}

function explained(what: string, application: WholeApplication, facts: Explaining): Description {
  const { sentence, remedy } = explain({ ...facts, application });
  return { sentence: `${what}. ${sentence}`, ...(remedy !== undefined && { remedy }) };
}
