import { RequestError } from './api';
import { ResumedLog } from '../../kube/resumed-log';

/** Which part of a log is asked for. */
export interface LogPart {
  /** From when on; absent the first time, when the end of what is there is wanted. */
  readonly since?: Date;
  /** Whether to wait for more. */
  readonly follow: boolean;
}

/** How a log is reached. */
export interface LogWay {
  /**
   * Hands on a part of it, each line with its time, until the server ends it.
   *
   * @throws {RequestError}
   */
  readonly read: (part: LogPart, take: (bytes: Uint8Array) => void) => Promise<void>;
  /** Whether more may be written, as far as is known by now. */
  readonly isAlive: () => boolean;
  /** Waits until it is time to try again. */
  readonly pause: () => Promise<void>;
  /** Whether nobody reads it any more. */
  readonly isLeft: () => boolean;
}

/** Who is told. */
export interface LogListener {
  readonly onText: (text: string) => void;
  /** What keeps it from going on for now; undefined when it goes on again. */
  readonly onTrouble: (error: RequestError | undefined) => void;
}

/**
 * Reads a log to the end of its container, over lost connections and streams that end too early: no byte is missing, and none comes twice.
 *
 * @returns why not all of it can be read; undefined if it was, or nobody wants it any more
 */
export async function readWhole(way: LogWay, { onText, onTrouble }: LogListener): Promise<RequestError | undefined> {
  const log = new ResumedLog();
  const decoder = new TextDecoder();
  for (;;) {
    const isAlive = way.isAlive();
    const since = log.from;
    log.begin();
    const error = await way.read({ follow: isAlive, ...(since && { since }) }, (bytes) => {
      onTrouble(undefined);
      const text = decoder.decode(log.take(bytes), { stream: true });
      if (text !== '') onText(text);
    }).then(() => undefined, (thrown: unknown) => (thrown instanceof RequestError ? thrown : new RequestError(0, 'the connection was lost')));
    if (way.isLeft()) return undefined;
    // The stream of a container that runs may have ended with the kubelet, or with a server in between.
    if (!error && !isAlive) return undefined;
    // Its pod is gone; what there was has been read.
    if (error?.status === 404 && since) return undefined;
    if (error && !isPassing(error, isAlive)) return error;
    onTrouble(error);
    await way.pause();
    if (way.isLeft()) return undefined;
  }
}

/** Whether it may be otherwise in a moment. Kubernetes refuses the log of a container that has not started yet. */
function isPassing({ status }: RequestError, isAlive: boolean): boolean {
  return status === 0 || status === 429 || status >= 500 || (status === 400 && isAlive);
}
