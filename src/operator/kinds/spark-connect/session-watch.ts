import { request } from 'node:http';
import type { PodView } from '../../../model/pod-view';
import { Runs } from '../../driver/runs';
import type { Clock } from '../../../kube/clock';
import { FairSemaphore } from '../../../kube/fair-semaphore';
import type { SparkConnect } from '../../../model/spark-connect';
import { LOOK_TIMEOUT, sessionNumbersIn, SESSIONS_PATH, sessionsPort, type SessionReading, type SessionNumbers } from './sessions';

/** Reads the page of a server's web UI. Rejects if there is no answer. */
export type PageReader = (address: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<string>;

/**
 * Minimum and maximum milliseconds between two reads. The interval is a tenth of the time to live.
 */
const [SHORTEST, LONGEST] = [1_000, 30_000];
/** Consecutive failed reads until a server is reported. */
const FAILURES_BEFORE_REPORT = 3;
/** Milliseconds between two reads of a reported server, so that it takes no time from others. */
const AFTER_FAILURES = 60_000;
/**
 * Maximum concurrent reads, in total and for one namespace. Unresponsive servers of one namespace
 * then do not delay others.
 */
const [AT_ONCE, OF_A_NAMESPACE] = [16, 2];
/**
 * Maximum length of the text. The sentence is at the beginning of the page, and tables of any
 * length follow.
 */
const MAX_BYTES = 512 * 1024;
/** Maximum raw bytes of an answer, including status lines, headers and framing. */
const MAX_RAW_BYTES = 1024 * 1024;
/** Maximum reads from the socket, and parts of a body. Each costs CPU. */
const MAX_PARTS = 4_096;

/** State of a server. */
interface Memory {
  readonly pod: string | undefined;
  readonly trace?: string;
  readonly failures: number;
  /** Monotonic time at which the last read ended. */
  readonly last: number;
  /** Monotonic time at which the last successful read ended. */
  readonly answered?: number;
  /** Monotonic time since which there is no session. */
  readonly idleSince?: number;
}

/** Result of a read: the numbers, or why there are none. */
interface Answer {
  readonly result: SessionNumbers | string;
  /** Monotonic time of the result. The reconciler can fetch it later. */
  readonly at: number;
}

/**
 * Reads the sessions of servers that are deleted when idle. It reads in the background, so that an
 * unresponsive server does not delay other work.
 *
 * It measures the idle time by a monotonic clock, and only from its own reads of this one server.
 * It makes no assumption about the time before, or about times without an answer.
 */
export class SessionWatch {
  private readonly runs: Runs<Answer>;
  private readonly memories = new Map<string, Memory>();

  /**
   * @param onLooked called with the key of each SparkConnect that was read
   * @param turns shared by all session watches of this process
   */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>, onLooked: (key: string) => void, private readonly read: PageReader = readPage,
    private readonly semaphore = newReadings(),
  ) {
    this.runs = new Runs(onLooked);
  }

  /** Number of servers in memory. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Starts a read of a server that accepts connections, if it is due.
   *
   * @returns the result, once for each read, and the milliseconds until the next read is due
   */
  look(key: string, { spec }: Pick<SparkConnect, 'spec'>, pod: PodView): { readonly sessions?: SessionReading; readonly dueIn?: number } {
    const port = sessionsPort(spec);
    if (typeof port === 'string') return { sessions: { kind: 'unknown', reason: port } };
    const uid = pod.metadata.uid;
    const before = this.memories.get(key);
    const memory: Memory = before && before.pod === uid ? before : { pod: uid, failures: 0, last: -Infinity };
    const now = this.clock.monotonic();
    const interval = Math.min(Math.max((spec.idleTimeToLiveSeconds ?? 0) * 100, SHORTEST), LONGEST);
    this.memories.set(key, memory);
    const isUnderWay = this.runs.has(key, uid ?? '');
    const due = memory.last + pauseOf(memory, interval);
    if (!isUnderWay && due > now) return { dueIn: due - now };
    const namespace = key.slice(0, key.indexOf('/'));
    if (!pod.podIP) return { dueIn: SHORTEST };
    const run = this.runs.startOrFetch(key, uid ?? '', async (signal) => ({
      result: await this.ask(namespace, { host: pod.podIP!, port }, signal), at: this.clock.monotonic(),
    }));
    if (run === 'begun' || run === 'running') return {};
    const next = remembering(memory, run.result, interval);
    // An old result might be wrong by now. The next read waits for a pause, because others might be
    // late, too.
    const isOld = typeof run.result.result !== 'string' && now - run.result.at > LOOK_TIMEOUT;
    this.memories.set(key, isOld ? { ...next, last: -Infinity } : next);
    return isOld ? { dueIn: SHORTEST } : {
      ...readingOf(next, run.result), dueIn: Math.max(next.last + pauseOf(next, interval) - now, SHORTEST),
    };
  }

  /** Forgets a SparkConnect that is deleted, or whose sessions do not matter. */
  forget(key: string): void {
    if (this.memories.delete(key)) this.runs.forget(key);
  }

  /** Aborts all pending reads, and starts no more. It does not wait for the servers. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private async ask(
    namespace: string, address: { readonly host: string; readonly port: number }, signal: AbortSignal,
  ): Promise<SessionNumbers | string> {
    try {
      const page = await this.semaphore.during(namespace, signal, () => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT)]);
        return beforeAbort(this.read(address, limit), limit);
      });
      return sessionNumbersIn(page)
        ?? `the page ${SESSIONS_PATH} of the web UI on port ${address.port} of the server does not report sessions`;
    } catch {
      return `the web UI on port ${address.port} of the server, in which the sessions are seen, does not answer the operator: `
        + 'it is protected, or a network policy is in the way';
    }
  }
}

/** Returns a semaphore for readings of sessions, fair by namespace. */
export function newReadings(): FairSemaphore {
  return new FairSemaphore({ limit: AT_ONCE, limitPerKey: OF_A_NAMESPACE });
}

/** Returns the state of a server after a read. */
function remembering(before: Memory, { result, at }: Answer, interval: number): Memory {
  if (typeof result === 'string') {
    const failures = before.failures + 1;
    return { ...before, failures, last: at, ...(failures >= FAILURES_BEFORE_REPORT && { idleSince: undefined }) };
  }
  const isGoingOn = before.answered !== undefined && before.trace === result.trace && at - before.answered <= 4 * (interval + LOOK_TIMEOUT);
  const idleSince = result.online > 0 ? undefined : (isGoingOn ? before.idleSince : undefined) ?? at;
  return { ...before, failures: 0, trace: result.trace, last: at, answered: at, idleSince };
}

/** Returns the reading for the reconciler. */
function readingOf({ failures, idleSince }: Memory, { result, at }: Answer): { sessions?: SessionReading } {
  if (typeof result !== 'string') return { sessions: { kind: 'seen', online: result.online, idleFor: at - (idleSince ?? at), at } };
  return failures >= FAILURES_BEFORE_REPORT ? { sessions: { kind: 'unknown', reason: result } } : {};
}

/** Returns the milliseconds between two reads. */
function pauseOf({ failures }: Memory, interval: number): number {
  return failures < FAILURES_BEFORE_REPORT ? interval : AFTER_FAILURES;
}

/**
 * Returns the result of a reader, but rejects when the signal is aborted. No server can then block
 * the caller forever.
 */
async function beforeAbort<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([reading, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Reads the page from a server that is not trusted. It follows no redirection and no other
 * protocol, and reads no more than it needs. It rejects an answer with informational responses or
 * with too much framing: parsing those takes CPU.
 */
export const readPage: PageReader = ({ host, port }, signal) => new Promise((resolve, reject) => {
  const call = request({
    host, port, path: SESSIONS_PATH, method: 'GET', headers: { accept: 'text/html' }, agent: false, maxHeaderSize: 16_384, signal,
  }, (answer) => {
    if (answer.statusCode !== 200) {
      call.destroy(new Error(`status ${answer.statusCode}`));
      return;
    }
    let [text, parts] = ['', 0];
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => {
      text += part;
      if (++parts > MAX_PARTS) {
        call.destroy(new Error(`the page comes in more than ${MAX_PARTS} parts`));
      } else if (text.length >= MAX_BYTES) {
        resolve(text);
        call.destroy();
      }
    });
    answer.on('end', () => resolve(text));
    answer.on('error', reject);
  });
  call.on('information', ({ statusCode }) => call.destroy(new Error(`informational response ${statusCode}`)));
  call.on('socket', (socket) => {
    let reads = 0;
    socket.on('data', () => {
      if (++reads > MAX_PARTS || socket.bytesRead > MAX_RAW_BYTES) {
        call.destroy(new Error(`the answer has more than ${MAX_RAW_BYTES} bytes or ${MAX_PARTS} reads`));
      }
    });
  });
  // Node.js hands over the connection without further events.
  call.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('another protocol is answered'));
  });
  call.on('error', reject);
  // After all events with a better reason.
  call.on('close', () => reject(new Error('the connection was closed')));
  call.end();
});
