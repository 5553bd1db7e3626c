import { ApplicationState } from '../api/states';
import { LABEL_SUBMISSION_ID } from '../api/labels';
import { backoff } from '../kube/backoff';
import { sleep } from '../kube/clock';
import { ApiError, isNotFound, isTransient } from '../kube/errors';
import { ResumedLog } from '../kube/resumed-log';
import { hasEnded, sparkContainerName, viewOf } from '../model/pod-view';
import type { Pod } from '../model/kubernetes-objects';
import type { NamespacedRef } from '../model/actions/actions';
import type { Sight } from '../model/actions/follow';
import { linesOf } from './lines';
import type { Dependencies } from '../model/actions/persist';
import { endOf } from './result';
import type { SparkApplicationObject } from './types';

/** How a log is opened. */
export interface OpenLog {
  readonly container: string;
  readonly follow: boolean;
  /** The API server takes whole seconds. */
  readonly sinceTime?: Date;
  readonly tailLines?: number;
}

/** What is needed of the cluster. */
export interface LogSource {
  readonly application: () => Promise<SparkApplicationObject>;
  readonly pod: (ref: NamespacedRef) => Promise<Pod>;
  /** The log of a container, with the time of each line before it. */
  readonly open: (pod: NamespacedRef, options: OpenLog) => AsyncIterable<Uint8Array>;
}

/** How the log of a driver is read. */
export interface DriverLogOptions extends Dependencies {
  /** Of the first driver only. @default - all of it */
  readonly tailLines?: number;
  readonly signal?: AbortSignal;
}

/** States in which the driver has not started. */
const BEFORE_START: readonly string[] = [
  ApplicationState.NEW, ApplicationState.SUBMITTED, ApplicationState.SUBMISSION_FAILED, ApplicationState.SUSPENDING, ApplicationState.SUSPENDED, ApplicationState.RESUMING,
];

/** The driver of an attempt. */
interface Driver {
  readonly pod: NamespacedRef;
  readonly submission: string;
}

/** The driver of the current attempt, if it has started. */
function driverOf({ metadata, status }: SparkApplicationObject): Driver | undefined {
  const { submissionID: submission, driverInfo, applicationState } = status ?? {};
  const name = driverInfo?.podName;
  if (!submission || !name || BEFORE_START.includes(applicationState?.state ?? ApplicationState.NEW)) return undefined;
  return { pod: { namespace: metadata.namespace, name }, submission };
}

/** The log of the driver as it is now; nothing, if no driver has started. */
export async function* currentLog(source: LogSource, options: DriverLogOptions): AsyncGenerator<string> {
  const driver = driverOf(await source.application());
  if (!driver) return;
  const container = sparkContainerName(await source.pod(driver.pod));
  yield* linesOf(fresh(new ResumedLog(), source.open(driver.pod, { container, follow: false, tailLines: options.tailLines })));
}

/**
 * The log of the driver, as it is written, until the application has ended: of one attempt after the other.
 *
 * @param sights the application as it is seen; it need not be looked at all the time
 */
export async function* followedLog(source: LogSource, sights: AsyncIterable<Sight<SparkApplicationObject>>, options: DriverLogOptions): AsyncGenerator<string> {
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

/** The log of one driver until it has ended and all is read, or it is gone: each byte once. */
async function* attemptLog(source: LogSource, driver: Driver, { tailLines, clock, random, signal }: DriverLogOptions): AsyncGenerator<Uint8Array> {
  const log = new ResumedLog();
  for (let failures = 0; ; failures++) {
    try {
      const pod = await source.pod(driver.pod);
      if (pod.metadata.labels?.[LABEL_SUBMISSION_ID] !== driver.submission) return;
      const isOver = hasEnded(viewOf(pod));
      const part = log.from === undefined ? { tailLines } : { sinceTime: log.from };
      for await (const bytes of fresh(log, source.open(driver.pod, { container: sparkContainerName(pod), follow: !isOver, ...part }))) {
        failures = 0;
        yield bytes;
      }
      // What it wrote before it ended is there.
      if (isOver) return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isTransient(error) && !isStarting(error)) throw error;
      // A node that does not answer any more: the operator has given the driver up.
      if (failures > 0 && await isGivenUp(source, driver.submission)) return;
    }
    await sleep(clock, backoff(failures, 400, 10_000, random), signal);
  }
}

/** What of a log has not been read with an earlier connection, without the times. */
async function* fresh(log: ResumedLog, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  log.begin();
  for await (const chunk of chunks) {
    const bytes = log.take(chunk);
    if (bytes.length > 0) yield bytes;
  }
}

/** `container … is waiting to start`. */
function isStarting(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

async function isGivenUp(source: LogSource, submission: string): Promise<boolean> {
  try {
    const application = await source.application();
    return application.status?.submissionID !== submission || endOf(application) !== undefined;
  } catch (error) {
    if (isTransient(error)) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}
