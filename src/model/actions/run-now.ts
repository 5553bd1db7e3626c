import { LABEL_SCHEDULED_APP_NAME } from '../../api/labels';
import type { Clock } from '../../kube/clock';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../resources';
import { runNowName } from '../run-names';
import { runNow, type NamespacedRef, type ObjectRef } from './actions';
import { RunNotStartedError } from './errors';
import { followOne } from './follow';
import { retry, type Dependencies } from './retry';
import { runsOf } from '../schedule-runs';
import type { WholeSchedule } from '../scheduled-spark-application';
import type { WholeApplication } from '../spark-application';

/** Options of `runNow`. */
export interface RunNowSettings extends Dependencies {
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Called when the API server has the request. Must not throw. @default - no callback */
  readonly onRequested?: () => void;
}

/**
 * Requests a run of a schedule now, and waits until the operator has started it.
 *
 * @returns the run
 * @throws {RunNotStartedError} when the operator does not start it
 */
export async function startRunNow(
  client: KubeClient, ref: ObjectRef, { timeout, signal, onRequested, ...dependencies }: RunNowSettings,
): Promise<WholeApplication> {
  const time = deadline(dependencies.clock, timeout);
  const ended = signal ? AbortSignal.any([signal, time.signal]) : time.signal;
  let request: { readonly token: string; readonly run: string } | undefined;
  try {
    for await (const { object, isGone } of followOne(client, SCHEDULED_SPARK_APPLICATIONS, ref, { ...dependencies, signal: ended })) {
      if (isGone) break;
      // The operator ignores requests that are older than its first reconcile of the schedule: a
      // restored backup must not start runs.
      if (!request && object.status?.observedGeneration !== undefined) {
        const at = new Date(dependencies.clock.now());
        const token = at.toISOString();
        request = { token, run: runNowName(object, token) };
        await retry(() => runNow(client, ref, at, { signal: ended }), dependencies, ended);
        onRequested?.();
      } else if (request && object.status?.lastRunNow === request.token) {
        return await runOf(client, { namespace: ref.namespace, name: request.run }, object, dependencies, ended);
      }
    }
    throw new RunNotStartedError('skipped', `ScheduledSparkApplication ${ref.namespace}/${ref.name} was deleted before its run began`);
  } catch (error) {
    if (!time.signal.aborted || error !== time.signal.reason) throw error;
    const title = `ScheduledSparkApplication ${ref.namespace}/${ref.name}`;
    throw new RunNotStartedError('timed out', request
      ? `the operator has not started a run of ${title} within ${timeout / 1000} s. The request stays: the run `
        + `${ref.namespace}/${request.run} starts when an operator that supports run-now handles this namespace`
      : `no operator has reconciled ${title} within ${timeout / 1000} s, and no run is requested: check whether an operator handles `
        + 'this namespace');
  } finally {
    time.clear();
  }
}

async function runOf(
  client: KubeClient, run: NamespacedRef, schedule: WholeSchedule, dependencies: Dependencies, signal: AbortSignal,
): Promise<WholeApplication> {
  try {
    return await retry(() => client.get(SPARK_APPLICATIONS, run, { signal }), dependencies, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const active = await activeRun(client, schedule, signal);
    throw new RunNotStartedError('skipped', `the operator has not started the run SparkApplication ${run.namespace}/${run.name}: ${active === undefined
      ? "another run was active and the schedule's concurrencyPolicy forbids a second one, or the run has already been deleted"
      : `the run ${active} is active, and the schedule's concurrencyPolicy forbids a second one`}`);
  }
}

/** Returns the name of a schedule's active run; undefined if it has none, or cannot be read. */
async function activeRun(client: KubeClient, schedule: WholeSchedule, signal: AbortSignal): Promise<string | undefined> {
  const runs: WholeApplication[] = [];
  const { namespace, name } = schedule.metadata;
  try {
    const labelSelector = `${LABEL_SCHEDULED_APP_NAME}=${name}`;
    for await (const each of client.list(SPARK_APPLICATIONS, { namespace, labelSelector, signal })) runs.push(each);
  } catch {
    return undefined;
  }
  return runsOf(schedule, runs).find(({ result }) => result === 'active')?.name;
}

function deadline(clock: Clock, ms: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = clock.setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, clear: () => clock.clearTimeout(timer) };
}
