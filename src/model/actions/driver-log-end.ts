import { LABEL_SUBMISSION_ID } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { followLog } from '../../kube/logs';
import type { KubeObject, Ref } from '../../kube/objects';
import { isDriverEnd } from '../cause/status-cause';
import { lacksExecutors } from '../requested-executors';
import type { WholeApplication } from '../spark-application';
import { sparkContainerName } from '../pod-view';
import { PODS } from '../resources';

/** Lines at the end of the log that are read, and the bytes of them that are kept. */
const LINES = 2_000;
const MAX_BYTES = 1024 * 1024;

/** Default limit, in milliseconds, after which the caller does without the log. */
const TIMEOUT = 5_000;

/**
 * Whether the end of the driver's log explains the state of an application: the driver has failed,
 * or lacks executors, perhaps because the API server refuses them.
 *
 * @param now in milliseconds
 */
export function needsDriverLog(application: WholeApplication, now: number): boolean {
  return isDriverEnd(application.status?.applicationState?.errorMessage) || lacksExecutors(application, now);
}

/** The end of a log, as far as it could be read. */
export interface LogEnd {
  /** @default - not wanted, or it could not be read */
  readonly text?: string;
  /** Whether the user lacks a permission to read it. @default false */
  readonly isForbidden?: boolean;
}

/** Returns the text of `readDriverLogEnd`; undefined if there is none. */
export async function endOfDriverLog(...args: Parameters<typeof readDriverLogEnd>): Promise<string | undefined> {
  return (await readDriverLogEnd(...args)).text;
}

/**
 * Reads the end of the log of a driver that has failed, to find its cause: the status only has what
 * the kubelet kept. Also that of a driver that lacks executors. It is read with the permissions of
 * the user.
 *
 * @param now in milliseconds since 1970
 * @param limit milliseconds after which the caller does without the log, at most 5 seconds
 * @returns no text if the log explains nothing, or cannot be read: the cause in the status then has
 * to do
 */
export async function readDriverLogEnd(
  client: Pick<KubeClient, 'get' | 'bytes'>, application: WholeApplication, now: number, signal?: AbortSignal, limit = TIMEOUT,
): Promise<LogEnd> {
  const { metadata: { namespace }, status } = application;
  const name = status?.driverInfo?.podName;
  if (!name || limit <= 0 || !needsDriverLog(application, now)) return {};
  // The next attempt has a pod of the same name.
  const isOwn = ({ metadata: { labels } }: KubeObject) => labels?.[LABEL_SUBMISSION_ID] === status?.submissionID;
  return readPodLogEnd(client, { namespace, name }, isOwn, signal, limit);
}

/** Returns the text of `readPodLogEnd`; undefined if it cannot be read. */
export async function endOfPodLog(...args: Parameters<typeof readPodLogEnd>): Promise<string | undefined> {
  return (await readPodLogEnd(...args)).text;
}

/**
 * Reads the end of the log of Spark's container in a pod.
 *
 * @param isOwn whether a pod of this name is the one whose log is wanted
 * @param limit milliseconds after which the caller does without the log, at most 5 seconds
 */
async function readPodLogEnd(
  client: Pick<KubeClient, 'get' | 'bytes'>, ref: Ref & { readonly namespace: string }, isOwn: (pod: KubeObject) => boolean,
  signal?: AbortSignal, limit = TIMEOUT,
): Promise<LogEnd> {
  const timeout = AbortSignal.timeout(Math.ceil(Math.min(limit, TIMEOUT)));
  const limited = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const pod = await client.get(PODS, ref, { signal: limited });
    if (!isOwn(pod)) return {};
    return { text: await textOf(followLog(client, ref, { container: sparkContainerName(pod), tailLines: LINES, signal: limited })) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return isForbidden(error) ? { isForbidden: true } : {};
  }
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of chunks) {
    end = Buffer.concat([end, chunk]);
    if (end.length > 2 * MAX_BYTES) end = Buffer.from(end.subarray(-MAX_BYTES));
  }
  return end.toString();
}
