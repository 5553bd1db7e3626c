import type { KubeClient } from './client';
import type { Ref } from './objects';
import { defineResource } from './resource';

const PODS = defineResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/** Which part of a log is read, and how. */
export interface LogOptions {
  /** @default - the container of a pod that has only one, or that its annotation `kubectl.kubernetes.io/default-container` names */
  readonly container?: string;
  /** Whether to go on with what is written from now on, until the container has ended. @default false */
  readonly follow?: boolean;
  /** Whether to read the log of the container's instance before the last restart. @default false */
  readonly previous?: boolean;
  /** Only so many lines at the end of what is there. @default - all */
  readonly tailLines?: number;
  /** Only lines that were written since then. Kubernetes counts in full seconds: what is older within that second comes, too. @default - all */
  readonly sinceTime?: Date;
  /** Whether each line begins with its time (RFC 3339, with nanoseconds) and a blank. @default false */
  readonly timestamps?: boolean;
  /** Ends the reading when aborted; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads the log of a container, byte by byte as it was written, in pieces of any size: a piece may end in the middle of a line or of a letter.
 *
 * While it follows there is no limit for the time: an application may have nothing to say for hours. The stream ends when the container has ended, but also when the
 * kubelet or the API server is stopped in order: only the pod tells which it was.
 *
 * @param ref the pod
 * @throws {ApiError} 400 if the container has not started yet, 404 if there is no such pod
 * @throws {NetworkError} `CUT_OFF` if the connection breaks in the middle
 */
export function followLog(client: Pick<KubeClient, 'bytes'>, ref: Ref, options: LogOptions = {}): AsyncIterable<Buffer> {
  const { container, follow = false, previous, tailLines, sinceTime, timestamps, signal } = options;
  return client.bytes(PODS, ref, 'log', {
    query: { container, follow, previous, tailLines, sinceTime: sinceTime && fullSecond(sinceTime), timestamps },
    // The answer begins with the first line.
    ...(follow && { timeout: Infinity }),
    signal,
  });
}

function fullSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
