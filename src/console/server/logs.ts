import type { ServerResponse } from 'node:http';
import { readApplication, type ApplicationRef } from './detail';
import { HttpError, SECURITY_HEADERS, write } from './http';
import { READ_LOG, type Viewer } from './viewer';
import { whileAllowed } from './while-allowed';
import { LABEL_APP_NAME } from '../../api/labels';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import { isNotFound } from '../../kube/errors';
import { followLog, type LogOptions } from '../../kube/logs';
import { PODS } from '../../model/resources';

/** Lines from the end of the log that are sent first by default. */
const TAIL = 1_000;

/** Maximum number of lines from the end of the log. */
const MAX_TAIL = 50_000;

/**
 * Streams the log of a pod of an application, as text.
 *
 * @param query `pod`, and optionally its `uid`, `container`, `tail` (lines), `since` (a time),
 * `follow=true`, `previous=true`, `timestamps=true`
 * @param signal ends the stream
 * @throws {HttpError} 400, 403 or 404
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
  await requireOwn(client, ref, name, query.get('uid') ?? undefined, signal);

  // A log can be silent for hours.
  response.setTimeout(0);
  void whileAllowed(viewer, right, clock, signal, () => response.destroy());
  const log = followLog(client, { namespace: ref.namespace, name }, {
    ...part,
    signal,
    ...query.get('container') && { container: query.get('container')! },
  });
  try {
    for await (const chunk of log) {
      begin(response);
      if (!await write(response, chunk)) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw isNotFound(error) ? new HttpError(404, `pod ${name} has no log`) : error;
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
  return { follow: isWanted('follow'), previous: isWanted('previous'), timestamps: isWanted('timestamps'), tailLines, sinceTime };
}

function begin(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no',
  });
}

/** Rejects pods of other applications, even if the user is allowed to read their logs. */
async function requireOwn(
  client: KubeClient, { namespace, name }: ApplicationRef, pod: string, uid: string | undefined, signal: AbortSignal,
): Promise<void> {
  try {
    const { metadata } = await client.get(PODS, { namespace, name: pod }, { signal });
    if (metadata.labels?.[LABEL_APP_NAME] === name && (uid ?? metadata.uid) === metadata.uid) return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new HttpError(404, `${name} has no pod ${pod} (any more)`);
}
