import { RequestError } from '../api';
import { ResumedLog } from '../../../kube/resumed-log';
import { NOT_STARTED } from '../../wire';

/** Requested part of a log. */
export interface LogPart {
  /** Start time; absent for the first request, which reads the end of the existing log. */
  readonly since?: Date;
  /** Whether to wait for further lines. */
  readonly follow: boolean;
}

/** Access to a log. */
export interface LogWay {
  /**
   * Passes on a part of the log, each line with its time, until the server ends the stream.
   *
   * @throws {RequestError}
   */
  readonly read: (part: LogPart, take: (bytes: Uint8Array) => void) => Promise<void>;
  /** Whether the container might write more, as far as known. */
  readonly isAlive: () => boolean;
  /** Waits until the next attempt. */
  readonly pause: () => Promise<void>;
  /** Whether the reader has left. */
  readonly isLeft: () => boolean;
}

/** Receiver of the log. */
export interface LogListener {
  /** Receives text whose lines begin with their time, as far as it is known, and a space. */
  readonly onText: (text: string) => void;
  /** Reports why reading is interrupted; undefined when it continues. */
  readonly onTrouble: (error: RequestError | undefined) => void;
}

/**
 * Reads a log to the end of its container, across lost connections and streams that end early. No
 * byte is missing or repeated.
 *
 * @returns why the log is incomplete; undefined if it is complete, or the reader has left
 */
export async function readWhole(way: LogWay, { onText, onTrouble }: LogListener): Promise<RequestError | undefined> {
  const log = new ResumedLog(true);
  const decoder = new TextDecoder();
  for (;;) {
    const isAlive = way.isAlive();
    const since = log.from;
    log.begin();
    const error = await way.read({ follow: isAlive, ...(since && { since }) }, (bytes) => {
      onTrouble(undefined);
      const text = decoder.decode(log.take(bytes), { stream: true });
      if (text !== '') onText(text);
    }).then(() => undefined, (thrown: unknown) => (thrown instanceof RequestError
      ? thrown
      : new RequestError(0, 'the connection was lost')));
    if (way.isLeft()) return undefined;
    // The stream of a running container might have ended with the kubelet, or with a proxy.
    if (!error && !isAlive) return undefined;
    // The pod is deleted; all available lines have been read.
    if (error?.status === 404 && since) return undefined;
    if (error && !isPassing(error, isAlive)) return error;
    onTrouble(error);
    await way.pause();
    if (way.isLeft()) return undefined;
  }
}

/** Whether a retry might succeed. */
function isPassing({ status }: RequestError, isAlive: boolean): boolean {
  return status === 0 || status === 429 || status >= 500 || (status === NOT_STARTED && isAlive);
}
