import { LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { webhookFailure } from '../admission/webhook-failure';
import { viewOf } from '../../model/pod-view';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { ApiError, isAlreadyExists, isConflict, isNotFound } from '../../kube/errors';
import { withoutSecrets } from '../../text/redaction';
import { PODS, SPARK_APPLICATIONS } from '../../model/resources';
import type { SparkApplication, WholeApplication } from '../../model/spark-application';
import { transform } from '../spark-application/transform';
import type { LiveDriver, PlannedRun } from './decision';
import { liveDriver } from './drivers';
import { isActive, isRunOf, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { Refusal } from './memory';
import { runOf } from './run';
import { wholeOf } from './transform';

/** What performing needs from outside. */
export interface Performer {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'create' | 'delete' | 'updateStatus'>;
  /** Ends the calls under way when the operator stops. */
  readonly signal?: AbortSignal;
}

/**
 * Creates a run, or finds the one that an earlier try has created.
 *
 * @returns the run and when it has begun, in milliseconds since the epoch, or why there is none
 * @throws errors of the network and of an API server that is overloaded, so that it is tried again
 */
export async function start(
  { client, signal }: Performer, schedule: ScheduledSparkApplication, planned: PlannedRun, clock: Clock,
): Promise<{ readonly run: WholeApplication; readonly at: number; /** An earlier try has created it. */ readonly wasThere: boolean } | Refusal> {
  const run = runOf(await wholeOf(schedule, { client, signal }), planned);
  try {
    return { run: await client.create(SPARK_APPLICATIONS, run, { signal }), at: clock.now(), wasThere: false };
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await client.get(SPARK_APPLICATIONS, run.metadata, { signal });
      if (!isRunOf(existing, schedule)) return { reason: inTheWay(existing), isNameTaken: true };
      return { run: existing, at: Date.parse(existing.metadata.creationTimestamp!), wasThere: true };
    }
    const reason = error instanceof ApiError ? refusal(error, planned.name) : undefined;
    if (reason === undefined) throw error;
    return { reason, isNameTaken: false };
  }
}

function inTheWay({ metadata }: SparkApplication): string {
  if (metadata.deletionTimestamp) return `a SparkApplication ${metadata.name} of before is still being deleted`;
  return `a SparkApplication ${metadata.name} exists that does not belong to this schedule; delete it`;
}

/** What users have to know of an answer that will not change by itself within moments; undefined for others. */
function refusal(error: ApiError, name: string): string | undefined {
  if (![400, 403, 404, 413, 422, 500].includes(error.status)) return undefined;
  return `the API server does not create SparkApplication ${name}: ${webhookFailure(error) ?? withoutSecrets(error.serverMessage)}`;
}

/** So often one run is read anew whose status changes while it is to be deleted. */
const MOST_READS = 5;

/**
 * Asks for the deletion of a run that goes on. One that has come to its end meanwhile stays.
 *
 * @returns the run as it is now, if its deletion was not asked for
 */
export async function stop(performer: Performer, run: SparkApplication): Promise<SparkApplication | undefined> {
  const { client, signal } = performer;
  let current = run;
  for (let reads = 0; reads < MOST_READS && isActive(current); reads++) {
    if (await remove(performer, current)) return undefined;
    const read = await client.get(SPARK_APPLICATIONS, run.metadata, { signal }).catch(nothingIfGone);
    if (!read || read.metadata.uid !== run.metadata.uid) return undefined;
    current = transform(read);
  }
  return current;
}

/**
 * Deletes a run, unless anything has changed about it: one that goes on may have ended, and an edit lets one that has ended run again.
 *
 * @returns whether it is gone; otherwise it has changed and is to be looked at again
 */
export async function remove({ client, signal }: Performer, { metadata }: SparkApplication): Promise<boolean> {
  const { uid, resourceVersion } = metadata;
  try {
    await client.delete(SPARK_APPLICATIONS, metadata, { signal, propagationPolicy: 'Background', preconditions: { uid, resourceVersion } });
  } catch (error) {
    if (isConflict(error)) return false;
    if (!isNotFound(error)) throw error;
  }
  return true;
}

/** Asks for the deletion of a driver. */
export async function endDriver({ client, signal }: Performer, { metadata: { namespace } }: ScheduledSparkApplication, { name, uid }: LiveDriver): Promise<void> {
  await client.delete(PODS, { namespace, name }, { signal, preconditions: { uid } }).catch(nothingIfGone);
}

/** The drivers of all runs of a schedule, those as well whose application is gone, that have not ended; from the API server. */
export async function findDrivers({ client, signal }: Performer, { metadata: { name, namespace } }: ScheduledSparkApplication): Promise<LiveDriver[]> {
  const drivers: LiveDriver[] = [];
  for await (const pod of client.list(PODS, { namespace, labelSelector: `${LABEL_SCHEDULED_APP_NAME}=${name},${LABEL_SPARK_ROLE}=driver`, signal })) {
    drivers.push(...liveDriver(viewOf(pod)));
  }
  return drivers;
}

/** Somebody was quicker, or there is another one of that name. */
export function nothingIfGone(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
