import { LABEL_SCHEDULED_APP_NAME, LABEL_SPARK_ROLE } from '../../../api/labels';
import { webhookFailure } from '../../admission/webhook-failure';
import { remove as removeObject, removeUnchanged } from '../../driver/objects';
import { viewOf } from '../../../model/pod-view';
import type { KubeClient } from '../../../kube/client';
import type { Clock } from '../../../kube/clock';
import { ApiError, ignoring, isAlreadyExists, isConflict, isNotFound } from '../../../kube/errors';
import { withoutSecrets } from '../../../text/redaction';
import { PODS, SPARK_APPLICATIONS } from '../../../model/resources';
import type { SparkApplication, WholeApplication } from '../../../model/spark-application';
import { transform } from '../spark-application/transform';
import type { LiveDriver, PlannedRun } from './decision';
import { liveDriver } from './drivers';
import { isActive, isRunOf, type ScheduledSparkApplication } from '../../../model/scheduled-spark-application';
import type { Refusal } from './memory';
import { runOf } from './run';
import { wholeOf } from './transform';

/** Dependencies of the functions that perform actions. */
export interface Performer {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'create' | 'delete' | 'updateStatus'>;
  /** Aborts the calls in progress when the operator stops. */
  readonly signal?: AbortSignal;
}

/** A run that was created, or found. */
interface StartedRun {
  readonly run: WholeApplication;
  /** The start, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether an earlier try has created it. */
  readonly wasThere: boolean;
}

/**
 * Creates a run, or finds the one that an earlier try has created.
 *
 * @returns the run and its start, in milliseconds since the epoch, or the reason why there is none
 * @throws errors of the network and of an overloaded API server, so that the caller retries
 */
export async function start(
  { client, signal }: Performer, schedule: ScheduledSparkApplication, planned: PlannedRun, clock: Clock,
): Promise<StartedRun | Refusal> {
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
  if (metadata.deletionTimestamp) return `the previous SparkApplication ${metadata.name} is still being deleted`;
  return `a SparkApplication ${metadata.name} exists that does not belong to this schedule; delete it`;
}

/**
 * Returns the reason to report for an answer that does not change within moments; undefined for
 * other answers.
 */
function refusal(error: ApiError, name: string): string | undefined {
  if (![400, 403, 404, 413, 422, 500].includes(error.status)) return undefined;
  return `the API server does not create SparkApplication ${name}: ${webhookFailure(error) ?? withoutSecrets(error.serverMessage)}`;
}

/** The most reads of one run whose status changes before its deletion. */
const MOST_READS = 5;

/**
 * Requests the deletion of an active run. A run that has ended meanwhile stays.
 *
 * @returns the current run, if its deletion was not requested
 */
export async function stop(performer: Performer, run: SparkApplication): Promise<SparkApplication | undefined> {
  const { client, signal } = performer;
  let current = run;
  for (let reads = 0; reads < MOST_READS && isActive(current); reads++) {
    if (await remove(performer, current)) return undefined;
    const read = await client.get(SPARK_APPLICATIONS, run.metadata, { signal }).catch(ignoring(isNotFound));
    if (!read || read.metadata.uid !== run.metadata.uid) return undefined;
    current = transform(read);
  }
  return current;
}

/**
 * Deletes a run, unless it has changed. An active run might have ended, and an edit starts a
 * finished run again.
 *
 * @returns whether it is gone; otherwise it has changed and must be reconciled again
 */
export async function remove(performer: Performer, run: SparkApplication): Promise<boolean> {
  try {
    await removeUnchanged(performer, SPARK_APPLICATIONS, run);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** Requests the deletion of a driver. */
export async function endDriver(
  performer: Performer, { metadata: { namespace } }: ScheduledSparkApplication, { name, uid }: LiveDriver,
): Promise<void> {
  await removeObject(performer, PODS, { metadata: { namespace, name, uid } });
}

/**
 * Reads from the API server the drivers of all runs of a schedule that have not ended, including
 * those whose application is gone.
 */
export async function findDrivers(
  { client, signal }: Performer, { metadata: { name, namespace } }: ScheduledSparkApplication,
): Promise<LiveDriver[]> {
  const drivers: LiveDriver[] = [];
  for await (const pod of client.list(
    PODS, { namespace, labelSelector: `${LABEL_SCHEDULED_APP_NAME}=${name},${LABEL_SPARK_ROLE}=driver`, signal },
  )) {
    drivers.push(...liveDriver(viewOf(pod)));
  }
  return drivers;
}
