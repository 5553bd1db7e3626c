import type { Clock } from '../../kube/clock';
import type { KubeClient } from '../../kube/client';
import { isNotFound } from '../../kube/errors';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../resources';
import { runNowName } from '../run-names';
import { runNow, type NamespacedRef, type ObjectRef } from './actions';
import { RunNotStartedError } from './errors';
import { followOne } from './follow';
import { persist, type Dependencies } from './persist';
import type { WholeApplication } from '../spark-application';

/** How a run is asked for. */
export interface RunNowSettings extends Dependencies {
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/**
 * Asks for a run of a schedule now, and waits until the operator has begun it.
 *
 * @returns the run
 * @throws {RunNotStartedError} when the operator does not begin it
 */
export async function startRunNow(client: KubeClient, ref: ObjectRef, { timeout, signal, ...dependencies }: RunNowSettings): Promise<WholeApplication> {
  const time = deadline(dependencies.clock, timeout);
  const ended = signal ? AbortSignal.any([signal, time.signal]) : time.signal;
  let asked: { readonly token: string; readonly run: string } | undefined;
  try {
    for await (const { object, isGone } of followOne(client, SCHEDULED_SPARK_APPLICATIONS, ref, { ...dependencies, signal: ended })) {
      if (isGone) break;
      // What is asked for before the operator has seen the schedule counts as old: a restored backup must not run everything.
      if (!asked && object.status?.observedGeneration !== undefined) {
        const at = new Date(dependencies.clock.now());
        const token = at.toISOString();
        asked = { token, run: runNowName(object, token) };
        await persist(() => runNow(client, ref, at, { signal: ended }), dependencies, ended);
      } else if (asked && object.status?.lastRunNow === asked.token) {
        return await runOf(client, { namespace: ref.namespace, name: asked.run }, dependencies, ended);
      }
    }
    throw new RunNotStartedError('skipped', `the schedule ${ref.namespace}/${ref.name} was deleted before its run began`);
  } catch (error) {
    if (!time.signal.aborted || error !== time.signal.reason) throw error;
    throw new RunNotStartedError('timed out', asked
      ? `the operator has not begun a run of ${ref.namespace}/${ref.name} within ${timeout / 1000} s: see the events of the schedule, and whether an operator with the annotation run-now runs for this namespace`
      : `no operator has looked at the schedule ${ref.namespace}/${ref.name} within ${timeout / 1000} s: see whether one runs for this namespace`);
  } finally {
    time.clear();
  }
}

async function runOf(client: KubeClient, run: NamespacedRef, dependencies: Dependencies, signal: AbortSignal): Promise<WholeApplication> {
  try {
    return await persist(() => client.get(SPARK_APPLICATIONS, run, { signal }), dependencies, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new RunNotStartedError('skipped', `the operator has not begun the run ${run.namespace}/${run.name}, as another one goes on and the schedule's concurrencyPolicy forbids it; or it is deleted already`);
  }
}

function deadline(clock: Clock, ms: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = clock.setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, clear: () => clock.clearTimeout(timer) };
}
