import type { NamespacedRef } from '../../model/actions/actions';
import { isCurrent } from '../../model/actions/current';
import { endOfDriverLog } from '../../model/actions/driver-log-end';
import { explain, type ObservedApplication } from '../../explain/explain';
import { shortDuration } from '../../text/duration';
import type { KubeClient } from '../../kube/client';
import { type Clock, systemClock } from '../../kube/clock';
import { SPARK_APPLICATION } from '../../api/spark-application';
import type { ApplicationState } from '../../api/states';
import { readPresences, type OperatorPresences } from '../../model/operator-presence';
import { stateOf, type WholeApplication } from '../../model/spark-application';
import { painter } from '../../text/colours';
import type { Context } from '../command';
import { Interrupted } from '../errors';
import { titleOf } from '../output/title';
import { printable } from '../../text/printable';
import { exitCodeOf, follow, type Outcome } from './follow';
import { displayOf } from './live';
import { elapsedOf, type Followed } from './progress';

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
  try {
    await Promise.all(awaited.map(async ({ namespace, name, uid, generation }, index) => {
      let followed: Followed = { namespace, name };
      const update = (change: Partial<Followed>) => {
        followed = { ...followed, ...change };
        display?.update(followed);
      };
      outcomes[index] = await follow(client, { namespace, name }, {
        until, timeout, uid, generation, clock, signal: AbortSignal.any([signal, together.signal]),
        onChange: (application) => update({ application }),
        onTrouble: (error) => update({ trouble: error?.message }),
      });
    }));
  } catch (error) {
    throw signal.aborted ? new Interrupted(continuing(awaited.filter((_, index) => outcomes[index] === undefined))) : error;
  } finally {
    together.abort();
    display?.end();
  }
  const [logs, operators] = await Promise.all([
    Promise.all(outcomes.map((outcome) => logOf(client, outcome, signal))), presencesOf(client, outcomes, clock.now(), signal),
  ]);
  const paint = painter(terminal);
  for (const [index, { namespace, name }] of awaited.entries()) {
    const outcome = outcomes[index]!;
    const code = exitCodeOf(outcome);
    const mark = code === 0 ? paint('✓', 'green') : paint('✗', 'red');
    const operator = outcome.application && operators?.of(outcome.application);
    const text = outcomeText({ namespace, name }, outcome, { now: clock.now(), driverLog: logs[index], ...(operator && { operator }) });
    io.stderr(`${mark} ${printable(text)}\n`);
  }
  const codes = outcomes.map(exitCodeOf);
  return codes.includes(1) ? 1 : Math.max(0, ...codes);
}

/** Describes what continues after Ctrl-C. */
function continuing(applications: readonly Awaited[]): string {
  const [first, ...others] = applications.map(({ namespace, name }) => titleOf({ kind: KIND, metadata: { namespace, name } }));
  return others.length === 0 ? `${first} continues in the cluster` : `${applications.length} SparkApplications continue in the cluster`;
}

async function logOf(client: Pick<KubeClient, 'get' | 'bytes'>, outcome: Outcome, signal: AbortSignal): Promise<string | undefined> {
  return outcome.kind === 'state' && !outcome.isWanted ? endOfDriverLog(client, outcome.application, signal) : undefined;
}

/** Reads whether operators handle the applications that have not ended; undefined if it cannot. */
async function presencesOf(
  client: Pick<KubeClient, 'get' | 'list'>, outcomes: readonly Outcome[], now: number, signal: AbortSignal,
): Promise<OperatorPresences | undefined> {
  const waiting = outcomes.flatMap(({ kind, application }) => (kind === 'timed-out' && application ? [application] : []));
  // The outcomes matter more.
  return readPresences(client, waiting, now, signal).catch(() => undefined);
}

/** Facts that explain an outcome. */
type Explaining = Pick<ObservedApplication, 'now' | 'driverLog' | 'operator'>;

/**
 * Describes the outcome of an application. The text can hold texts of the cluster; it is not
 * `printable` yet.
 */
export function outcomeText(metadata: NamespacedRef, outcome: Outcome, facts: Explaining): string {
  const title = titleOf({ kind: KIND, metadata });
  const { application } = outcome;
  const state = application === undefined ? 'NEW' : stateOf(application) || 'NEW';
  switch (outcome.kind) {
    case 'deleted': return `${title} was deleted when it was ${state}`;
    case 'timed-out': {
      if (application && !isCurrent(application)) {
        return `${title} is still ${state} after the timeout, and no operator has observed its last change: `
          + 'check whether one runs for its namespace';
      }
      return `${title} is still ${state} after the timeout, `
        + `and continues${application ? `: ${whyOf(application, facts)}` : ''}`;
    }
    case 'state': {
      if (outcome.isWanted) return `${title} is ${state} after ${shortDuration(elapsedOf(outcome.application, facts.now))}`;
      return `${title} is ${state}: ${whyOf(outcome.application, facts)}`;
    }
  }
}

function whyOf(application: WholeApplication, facts: Explaining): string {
  const { sentence, remedy } = explain({ application, ...facts });
  return remedy === undefined ? sentence : `${sentence}; ${remedy}`;
}
