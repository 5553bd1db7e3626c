import type { KubeClient } from './client';
import type { Ref } from './objects';
import { defineResource } from './resource';

const PODS = defineResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });

/** Selects the part of a log to read, and its form. */
export interface LogOptions {
  /**
   * @default - the container of a pod with only one, or that of its annotation
   * `kubectl.kubernetes.io/default-container`
   */
  readonly container?: string;
  /** Whether to continue with new lines until the container has ended. @default false */
  readonly follow?: boolean;
  /** Whether to read the log of the container's instance before the last restart. @default false */
  readonly previous?: boolean;
  /** Number of lines at the end of the current log. @default - all */
  readonly tailLines?: number;
  /**
   * Reads only lines written since this time. Kubernetes uses full seconds, so older lines of that
   * second are included.
   * @default - all
   */
  readonly sinceTime?: Date;
  /**
   * Whether each line starts with its time (RFC 3339, with nanoseconds) and a space.
   * @default false
   */
  readonly timestamps?: boolean;
  /** Aborts the reading; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads the log of a container as it was written, in pieces of any size. A piece can end in the
 * middle of a line or of a character.
 *
 * Following has no time limit, as an application might log nothing for hours. The stream ends when
 * the container has ended, but also when the kubelet or the API server stops in order. Only the
 * pod's status shows which of these happened.
 *
 * @param ref the pod
 * @throws {ApiError} 400 if the container has not started yet, 404 if the pod does not exist
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
