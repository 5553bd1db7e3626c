import { ApplicationState } from '../api/states';
import { LABEL_SUBMISSION_ID } from '../api/labels';
import { backoff } from '../kube/backoff';
import { sleep } from '../kube/clock';
import { ApiError, isNotFound, isTransient } from '../kube/errors';
import { ResumedLog } from '../kube/resumed-log';
import { hasEnded, sparkContainerName, viewOf } from '../model/pod-view';
import type { Pod } from '../model/kubernetes-objects';
import type { NamespacedRef } from '../model/actions/actions';
import type { Observed } from '../model/actions/follow';
import { linesOf } from './lines';
import type { Dependencies } from '../model/actions/retry';
import { endOf } from './result';
import type { SparkApplicationObject } from './types';

/** Options of one connection to a log. */
export interface OpenLog {
  readonly container: string;
  readonly follow: boolean;
  /** The API server accepts whole seconds. */
  readonly sinceTime?: Date;
  readonly tailLines?: number;
}

/** Calls to the cluster. */
export interface LogSource {
  readonly application: () => Promise<SparkApplicationObject>;
  readonly pod: (ref: NamespacedRef) => Promise<Pod>;
  /** Opens the log of a container, with a timestamp before each line. */
  readonly open: (pod: NamespacedRef, options: OpenLog) => AsyncIterable<Uint8Array>;
}

/** Options for reading the log of a driver. */
export interface DriverLogOptions extends Dependencies {
  /** Applies to the first driver only. @default - all lines */
  readonly tailLines?: number;
  readonly signal?: AbortSignal;
}

/** States in which the driver has not started. */
const BEFORE_START: readonly string[] = [
  ApplicationState.NEW, ApplicationState.SUBMITTED, ApplicationState.SUBMISSION_FAILED, ApplicationState.SUSPENDING,
  ApplicationState.SUSPENDED, ApplicationState.RESUMING,
];

/** Driver of an attempt. */
interface Driver {
  readonly pod: NamespacedRef;
  readonly submission: string;
}

/** Returns the driver of the current attempt, if it has started. */
function driverOf({ metadata, status }: SparkApplicationObject): Driver | undefined {
  const { submissionID: submission, driverInfo, applicationState } = status ?? {};
  const name = driverInfo?.podName;
  if (!submission || !name || BEFORE_START.includes(applicationState?.state ?? ApplicationState.NEW)) return undefined;
  return { pod: { namespace: metadata.namespace, name }, submission };
}

/** Yields the current log of the driver; nothing if no driver has started. */
export async function* currentLog(source: LogSource, options: DriverLogOptions): AsyncGenerator<string> {
  const driver = driverOf(await source.application());
  if (!driver) return;
  const container = sparkContainerName(await source.pod(driver.pod));
  yield* linesOf(withoutRead(new ResumedLog(), source.open(driver.pod, { container, follow: false, tailLines: options.tailLines })));
}

/**
 * Yields the growing log of the driver, attempt after attempt, until the application has ended.
 *
 * @param sights follows the application; it can be read with pauses
 */
export async function* followedLog(
  source: LogSource, sights: AsyncIterable<Observed<SparkApplicationObject>>, options: DriverLogOptions,
): AsyncGenerator<string> {
  let read: string | undefined;
  for await (const { object, isGone } of sights) {
    const driver = driverOf(object);
    if (driver && driver.submission !== read) {
      yield* linesOf(attemptLog(source, driver, { ...options, tailLines: read === undefined ? options.tailLines : undefined }));
      read = driver.submission;
    }
    if (isGone || endOf(object)) return;
  }
}

/** Yields the log of one driver, each byte once, until the driver has ended or is deleted. */
async function* attemptLog(
  source: LogSource, driver: Driver, { tailLines, clock, random, signal }: DriverLogOptions,
): AsyncGenerator<Uint8Array> {
  const log = new ResumedLog();
  for (let failures = 0; ; failures++) {
    try {
      const pod = await source.pod(driver.pod);
      if (pod.metadata.labels?.[LABEL_SUBMISSION_ID] !== driver.submission) return;
      const isOver = hasEnded(viewOf(pod));
      const part = log.from === undefined ? { tailLines } : { sinceTime: log.from };
      for await (const bytes of withoutRead(
        log, source.open(driver.pod, { container: sparkContainerName(pod), follow: !isOver, ...part }),
      )) {
        failures = 0;
        yield bytes;
      }
      // The end of the driver was seen before the connection, so the log is complete.
      if (isOver) return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isTransient(error) && !isStarting(error)) throw error;
      // The node is unreachable, and the operator no longer waits for the driver.
      if (failures > 0 && await isAbandoned(source, driver.submission)) return;
    }
    await sleep(clock, backoff(failures, 400, 10_000, random), signal);
  }
}

/** Removes the timestamps, and lines that an earlier connection has read. */
async function* withoutRead(log: ResumedLog, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  log.begin();
  for await (const chunk of chunks) {
    const bytes = log.take(chunk);
    if (bytes.length > 0) yield bytes;
  }
}

/** Matches `container … is waiting to start`. */
function isStarting(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

async function isAbandoned(source: LogSource, submission: string): Promise<boolean> {
  try {
    const application = await source.application();
    return application.status?.submissionID !== submission || endOf(application) !== undefined;
  } catch (error) {
    if (isTransient(error)) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}
