import type { ServerResponse } from 'node:http';
import { readApplication, type ApplicationRef } from './detail';
import { HttpError, SECURITY_HEADERS, write } from './http';
import { READ_LOG, type Viewer } from './viewer';
import { whileAllowed } from './while-allowed';
import { LABEL_APP_NAME } from '../../api/labels';
import { ExecutorState } from '../../api/states';
import { podReason } from '../../explain/pod-reason';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { ApiError, isNotFound } from '../../kube/errors';
import { followLog, type LogOptions } from '../../kube/logs';
import { podState, viewOf } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import type { KubeObject } from '../../kube/objects';
import { NOT_STARTED } from '../wire';

/** Lines from the end of the log that are sent first by default. */
const TAIL = 1_000;

/** Maximum number of lines from the end of the log. */
const MAX_TAIL = 50_000;

/** Status codes for a container that has not started, and for a pod without a node. */
const NO_LOG_YET: readonly number[] = [400, 204];

/**
 * Streams the log of a pod of an application, as text.
 *
 * @param query `pod`, and optionally its `uid`, `container`, `tail` (lines), `since` (a time),
 * `follow=true`, `previous=true`, `timestamps=true`
 * @param signal ends the stream
 * @throws {HttpError} 400, 403 or 404; 409 if the container has not started
 */
export async function streamLog(
  client: KubeClient, viewer: Viewer, ref: ApplicationRef, query: URLSearchParams, response: ServerResponse, clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const name = query.get('pod');
  if (!name) throw new HttpError(400, 'the parameter pod is missing: …/log?pod=NAME');
  const part = partOf(query);
  const right = { ...READ_LOG, namespace: ref.namespace, name };
  await viewer.require(right);
  await readApplication(client, viewer, ref, signal);
  const pod = await readOwn(client, ref, name, query.get('uid') ?? undefined, signal);

  // A log can be silent for hours.
  response.setTimeout(0);
  void whileAllowed(viewer, right, clock, signal, () => response.destroy());
  const log = followLog(client, { namespace: ref.namespace, name }, { ...part, signal });
  try {
    for await (const chunk of log) {
      begin(response);
      if (!await write(response, chunk)) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (isNotFound(error)) throw new HttpError(404, `pod ${name} has no log`);
    if (!(error instanceof ApiError && NO_LOG_YET.includes(error.status))) throw error;
    throw new HttpError(NOT_STARTED, notStarted(pod, part.container, error));
  }
  begin(response);
  response.end();
}

/** @throws {HttpError} 400 */
function partOf(query: URLSearchParams): LogOptions {
  const [tail, since] = [query.get('tail'), query.get('since')];
  // A client that resumes needs all lines since then.
  const tailLines = tail === null && since !== null ? undefined : Number(tail ?? TAIL);
  if (tailLines !== undefined && (!Number.isInteger(tailLines) || tailLines < 0 || tailLines > MAX_TAIL)) {
    throw new HttpError(400, `tail must be a number of lines up to ${MAX_TAIL}`);
  }
  const sinceTime = since === null ? undefined : new Date(since);
  if (sinceTime && Number.isNaN(sinceTime.getTime())) throw new HttpError(400, 'since must be a time, such as 2026-03-01T10:00:00Z');
  const isWanted = (name: string) => query.get(name) === 'true' || undefined;
  const container = query.get('container') || undefined;
  return { follow: isWanted('follow'), previous: isWanted('previous'), timestamps: isWanted('timestamps'), tailLines, sinceTime, container };
}

function begin(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no',
  });
}

/**
 * Explains why Kubernetes has no log: the container waits for a node, its image or another
 * container, or does not exist.
 */
function notStarted(pod: KubeObject, container: string | undefined, { serverMessage }: ApiError): string {
  const view = viewOf(pod);
  const what = container === undefined ? `Pod ${pod.metadata.name}` : `Container ${container} of pod ${pod.metadata.name}`;
  const isKnown = view.obstacle !== undefined || view.reason !== undefined || view.terminated !== undefined;
  const reason = isKnown ? podReason(view) : /is waiting to start: (.*)$/.exec(serverMessage)?.[1];
  if (podState(view) === ExecutorState.PENDING) {
    return `${what} has not started yet: ${reason ?? (view.nodeName ? `node ${view.nodeName} prepares it` : 'it waits for a node')}`;
  }
  return `${what} has no log: ${reason ?? serverMessage}`;
}

/** Reads a pod, and rejects those of other applications, even if the user can read their logs. */
async function readOwn(
  client: KubeClient, { namespace, name }: ApplicationRef, pod: string, uid: string | undefined, signal: AbortSignal,
): Promise<KubeObject> {
  try {
    const found = await client.get(PODS, { namespace, name: pod }, { signal });
    const { metadata } = found;
    if (metadata.labels?.[LABEL_APP_NAME] === name && (uid ?? metadata.uid) === metadata.uid) return found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new HttpError(404, `${name} has no pod ${pod} (any more)`);
}
