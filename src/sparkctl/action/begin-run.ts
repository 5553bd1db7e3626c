import { CommandError } from '../errors';
import { problemText } from '../problem';
import { runNow, type NamespacedRef } from '../../model/actions/actions';
import { RunNotStartedError } from '../../model/actions/errors';
import { startRunNow } from '../../model/actions/run-now';
import { retry, type Dependencies } from '../../model/actions/retry';
import { readPresences } from '../../model/operator-presence';
import { SCHEDULED_SPARK_APPLICATIONS } from '../../model/resources';
import { runNowName } from '../../model/run-names';
import type { KubeClient } from '../../kube/client';
import type { WholeApplication } from '../../model/spark-application';

/** Milliseconds in which the operator must start a run. */
const BEGIN_TIMEOUT = 60_000;

/** Milliseconds after which a wait is reported. */
const REPORT_AFTER = 5_000;

/** Run that has begun, or the reason why there is none. */
export interface BegunRun {
  readonly run?: WholeApplication;
  readonly problem?: string;
}

/** Options of `beginRun`. */
export interface BeginOptions extends Dependencies {
  readonly signal: AbortSignal;
  /** Called with a note if the operator takes long. */
  readonly onNote: (note: string) => void;
}

/**
 * Requests a run of a schedule, and waits until the operator has started it. Without an operator it
 * does not wait: the request stays, and the next operator starts or skips the run.
 */
export async function beginRun(
  client: KubeClient, ref: NamespacedRef, { signal, onNote, ...dependencies }: BeginOptions,
): Promise<BegunRun> {
  const { clock } = dependencies;
  let note = `no operator has reconciled it yet; waiting for one that handles the namespace ${ref.namespace}`;
  const timer = clock.setTimeout(() => onNote(note), REPORT_AFTER);
  try {
    const later = await requestedForLater(client, ref, dependencies, signal);
    if (later !== undefined) return { problem: later };
    const onRequested = () => { note = 'the run is requested; waiting for the operator to start it'; };
    return { run: await startRunNow(client, ref, { ...dependencies, timeout: BEGIN_TIMEOUT, signal, onRequested }) };
  } catch (error) {
    const problem = problemText(error instanceof RunNotStartedError ? new CommandError(error.message) : error);
    if (problem === undefined) throw error;
    return { problem };
  } finally {
    clock.clearTimeout(timer);
  }
}

/**
 * Requests a run if no operator is active, by the Lease of the one that wrote the schedule's
 * status.
 *
 * @returns what happens later; undefined if an operator is active, or that is unknown
 */
async function requestedForLater(
  client: KubeClient, ref: NamespacedRef, dependencies: Dependencies, signal: AbortSignal,
): Promise<string | undefined> {
  const schedule = await client.get(SCHEDULED_SPARK_APPLICATIONS, ref, { signal });
  if (schedule.status?.observedGeneration === undefined) return undefined;
  const { clock } = dependencies;
  const presence = (await readPresences(client, [schedule], clock.now(), signal)).of(schedule);
  if (!presence || presence.isActive) return undefined;
  const at = new Date(clock.now());
  await retry(() => runNow(client, ref, at, { signal }), dependencies, signal);
  return `no operator handles the namespace ${ref.namespace}: ${presence.evidence}. The run is requested, and starts as `
    + `SparkApplication ${ref.namespace}/${runNowName(schedule, at.toISOString())} when one does`;
}
