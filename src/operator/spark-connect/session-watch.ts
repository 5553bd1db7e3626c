import { request } from 'node:http';
import type { PodView } from '../../model/pod-view';
import { Runs } from '../driver/runs';
import type { Clock } from '../../kube/clock';
import { FairSemaphore } from '../../kube/fair-semaphore';
import type { SparkConnect } from '../../model/spark-connect';
import { LOOK_TIMEOUT, sessionNumbersIn, SESSIONS_PATH, sessionsPort, type SessionReading, type SessionNumbers } from './sessions';

/** Reads the page of a server's web UI. Rejects if there is no answer. */
export type PageReader = (address: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<string>;

/** From one look to the next: a tenth of the time to live, but no less and no more than that; in milliseconds. */
const [SHORTEST, LONGEST] = [1_000, 30_000];
/** A server that does not answer is told of after so many looks in a row. */
const FAILURES_BEFORE_TELLING = 3;
/** From one look to the next at a server of which that was told, in milliseconds: it is to take no time from others. */
const AFTER_FAILURES = 60_000;
/** Servers that are asked at the same time: in all, and of one namespace, so that servers of one that do not answer hold up no others. */
const [AT_ONCE, OF_A_NAMESPACE] = [16, 2];
/** The sentence stands at the begin of the page; tables of any length follow. */
const MAX_BYTES = 512 * 1024;
/** The most raw bytes of an answer: status lines, headers and framing included. */
const MAX_RAW_BYTES = 1024 * 1024;
/** The most reads from the socket, and the most parts of a body: each costs CPU. */
const MAX_PARTS = 4_096;

/** What is remembered of a server. */
interface Memory {
  readonly pod: string | undefined;
  readonly trace?: string;
  readonly failures: number;
  /** When the last look ended, by the monotonic clock. */
  readonly last: number;
  /** When the last look ended that was answered. */
  readonly answered?: number;
  /** Since when there is no session, by the same clock. */
  readonly idleSince?: number;
}

/** What a look has come to: numbers, or why there are none. */
interface Answer {
  readonly result: SessionNumbers | string;
  /** When it came, by the monotonic clock: whoever wants to know may come by later. */
  readonly at: number;
}

/**
 * Looks at the sessions of servers that are deleted when nobody uses them: in the background, as a server that does not answer must not hold up anybody.
 *
 * For how long there was none is measured here, by a clock that does not jump, and only by own looks at this one server: what happened before, or while nobody could look, nobody knows.
 */
export class SessionWatch {
  private readonly runs: Runs<Answer>;
  private readonly memories = new Map<string, Memory>();

  /**
   * @param onLooked told of the key of each SparkConnect that was looked at
   * @param turns shared by all session watches of this process
   */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>, onLooked: (key: string) => void, private readonly read: PageReader = readPage, private readonly turns = newReadings(),
  ) {
    this.runs = new Runs(onLooked);
  }

  /** How many servers are remembered. */
  get size(): number {
    return this.memories.size;
  }

  /**
   * Looks at a server that takes connections, if that is due.
   *
   * @returns what was seen, once for each look, and in how many milliseconds the next look is due
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
    const run = this.runs.startOrFetch(key, uid ?? '', async (signal) => ({ result: await this.ask(namespace, { host: pod.podIP!, port }, signal), at: this.clock.monotonic() }));
    if (run === 'begun' || run === 'running') return {};
    const next = remembering(memory, run.result, interval);
    // What was seen then may not be so any more: it is asked again, but not without a pause, as others may be late, too.
    const isOld = typeof run.result.result !== 'string' && now - run.result.at > LOOK_TIMEOUT;
    this.memories.set(key, isOld ? { ...next, last: -Infinity } : next);
    return isOld ? { dueIn: SHORTEST } : { ...readingOf(next, run.result), dueIn: Math.max(next.last + pauseOf(next, interval) - now, SHORTEST) };
  }

  /** The SparkConnect is gone, or nobody wants to know. */
  forget(key: string): void {
    if (this.memories.delete(key)) this.runs.forget(key);
  }

  /** Ends all that is under way, and begins nothing more. It does not wait for those who are asked. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private async ask(namespace: string, address: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<SessionNumbers | string> {
    try {
      const page = await this.turns.during(namespace, signal, () => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT)]);
        return beforeAbort(this.read(address, limit), limit);
      });
      return sessionNumbersIn(page) ?? `the page ${SESSIONS_PATH} of the web UI on port ${address.port} of the server does not tell of sessions`;
    } catch {
      return `the web UI on port ${address.port} of the server, in which the sessions are seen, does not answer the operator: it is protected, or a network policy is in the way`;
    }
  }
}

/** Returns a semaphore for readings of sessions, fair by namespace. */
export function newReadings(): FairSemaphore {
  return new FairSemaphore({ limit: AT_ONCE, limitPerKey: OF_A_NAMESPACE });
}

/** What is remembered after a look. */
function remembering(before: Memory, { result, at }: Answer, interval: number): Memory {
  if (typeof result === 'string') {
    const failures = before.failures + 1;
    return { ...before, failures, last: at, ...(failures >= FAILURES_BEFORE_TELLING && { idleSince: undefined }) };
  }
  const isGoingOn = before.answered !== undefined && before.trace === result.trace && at - before.answered <= 4 * (interval + LOOK_TIMEOUT);
  const idleSince = result.online > 0 ? undefined : (isGoingOn ? before.idleSince : undefined) ?? at;
  return { ...before, failures: 0, trace: result.trace, last: at, answered: at, idleSince };
}

/** What is told of a look. */
function readingOf({ failures, idleSince }: Memory, { result, at }: Answer): { sessions?: SessionReading } {
  if (typeof result !== 'string') return { sessions: { kind: 'seen', online: result.online, idleFor: at - (idleSince ?? at), at } };
  return failures >= FAILURES_BEFORE_TELLING ? { sessions: { kind: 'unknown', reason: result } } : {};
}

/** Milliseconds from one look to the next. */
function pauseOf({ failures }: Memory, interval: number): number {
  return failures < FAILURES_BEFORE_TELLING ? interval : AFTER_FAILURES;
}

/** What a reader comes to, but no later than the signal: whatever it is that answers, nobody waits for it for ever. */
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
  const call = request({ host, port, path: SESSIONS_PATH, method: 'GET', headers: { accept: 'text/html' }, agent: false, maxHeaderSize: 16_384, signal }, (answer) => {
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
      if (++reads > MAX_PARTS || socket.bytesRead > MAX_RAW_BYTES) call.destroy(new Error(`the answer has more than ${MAX_RAW_BYTES} bytes or ${MAX_PARTS} reads`));
    });
  });
  // Node.js hands the connection over, and says nothing more of it.
  call.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('another protocol is answered'));
  });
  call.on('error', reject);
  // After all that could tell more.
  call.on('close', () => reject(new Error('the connection was closed')));
  call.end();
});
