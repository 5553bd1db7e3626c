import { useEffect, useRef, useState } from 'preact/hooks';
import { beginsEarlier } from './find';
import { LogLines, type LogLine } from './log-lines';
import { readWhole } from './whole-log';
import { pathTo, readBytes, type RequestError } from '../api';

/** Milliseconds until a retry, for a log that has not started or was interrupted. */
const AGAIN = 3_000;

/** Number of lines from the end of the log that are read first. */
const TAIL = 5_000;

/** Container whose log is shown. */
export interface LogSource {
  readonly namespace: string;
  readonly application: string;
  readonly pod: string;
  /** Uid of the pod: the driver of the next attempt has the same name and its own log. */
  readonly uid: string;
  readonly container?: string;
  /** Whether the container might write more. */
  readonly isAlive: boolean;
}

/** Log as it is read so far. */
export interface Log {
  readonly lines: readonly LogLine[];
  readonly error?: RequestError;
  /** Whether the log is complete. */
  readonly isOver: boolean;
  /** Whether it begins earlier than the lines. */
  readonly isPart: boolean;
}

const NOTHING: Log = { lines: [], isOver: false, isPart: false };

/** Returns the path of a log in the API. @param part parameters that select a part of it */
export function logPath({ namespace, application, pod, uid, container }: LogSource, part: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ pod, uid, ...(container !== undefined && { container }), ...part });
  return `${pathTo('applications', namespace, application, 'log')}?${query}`;
}

/** Reads the end of a log, and what is added to it. */
export function useLog(source: LogSource): Log {
  const { namespace, application, pod, uid, container, isAlive } = source;
  const [state, setState] = useState<Log>(NOTHING);
  const alive = useRef(isAlive);
  alive.current = isAlive;
  useEffect(() => {
    setState(NOTHING);
    const openedAt = Date.now();
    const left = new AbortController();
    const lines = new LogLines();
    let error: RequestError | undefined;
    let frame = 0;
    const draw = (isOver: boolean) => {
      const read = lines.lines();
      setState({ lines: read, isOver, isPart: beginsEarlier(read, TAIL, openedAt), ...(error && { error }) });
    };
    // Not for each chunk: a fast log would render more often than the screen updates.
    const drawSoon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw(false);
      });
    };
    let timer = 0;
    void readWhole({
      read: ({ since, follow }, take) => readBytes(logPath(source, {
        timestamps: 'true', follow: String(follow), ...(since ? { since: since.toISOString() } : { tail: String(TAIL) }),
      }), left.signal, take),
      isAlive: () => alive.current,
      pause: () => new Promise((resolve) => { timer = window.setTimeout(resolve, AGAIN); }),
      isLeft: () => left.signal.aborted,
    }, {
      onText(text) {
        lines.push(text);
        drawSoon();
      },
      onTrouble(trouble) {
        if (trouble === error) return;
        error = trouble;
        drawSoon();
      },
    }).then((reason) => {
      if (left.signal.aborted) return;
      cancelAnimationFrame(frame);
      error = reason;
      draw(true);
    });
    return () => {
      left.abort();
      window.clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [namespace, application, pod, uid, container]);
  return state;
}
