import { request } from 'node:http';
import type { PodView } from '../driver/pod-view';
import { Runs } from '../driver/runs';
import type { Clock } from '../kube/clock';
import type { SparkConnect } from './model';
import { sessionNumbersIn, SESSIONS_PATH, sessionsPort, type SessionLook, type SessionNumbers } from './sessions';

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
/** Milliseconds for an answer. */
const TIMEOUT = 3_000;
/** The sentence stands at the begin of the page; tables of any length follow. */
const MAX_BYTES = 512 * 1024;

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

/**
 * Looks at the sessions of servers that are deleted when nobody uses them: in the background, as a server that does not answer must not hold up anybody.
 *
 * For how long there was none is measured here, by a clock that does not jump, and only by own looks at this one server: what happened before, or while nobody could look, nobody knows.
 */
export class SessionWatch {
  private readonly runs: Runs<SessionNumbers | string>;
  private readonly memories = new Map<string, Memory>();
  /** How many are asked now, by their namespaces. */
  private readonly underWay = new Map<string, number>();

  /** @param onLooked told of the key of each SparkConnect that was looked at */
  constructor(private readonly clock: Pick<Clock, 'monotonic'>, onLooked: (key: string) => void, private readonly read: PageReader = readPage) {
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
  look(key: string, { spec }: Pick<SparkConnect, 'spec'>, pod: PodView): { readonly sessions?: SessionLook; readonly dueIn?: number } {
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
    if (!pod.podIP || (!isUnderWay && !this.hasRoomFor(namespace))) return { dueIn: SHORTEST };
    const run = this.runs.startOrFetch(key, uid ?? '', (signal) => this.ask(namespace, { host: pod.podIP!, port }, signal));
    if (run === 'begun' || run === 'running') return {};
    const sessions = this.seen(key, memory, run.result, { now, interval });
    return { ...sessions, dueIn: pauseOf(this.memories.get(key)!, interval) };
  }

  /** The SparkConnect is gone, or nobody wants to know. */
  forget(key: string): void {
    if (this.memories.delete(key)) this.runs.forget(key);
  }

  /** Ends all that is under way, and begins nothing more. It does not wait for those who are asked. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private hasRoomFor(namespace: string): boolean {
    const all = [...this.underWay.values()].reduce((sum, count) => sum + count, 0);
    return all < AT_ONCE && (this.underWay.get(namespace) ?? 0) < OF_A_NAMESPACE;
  }

  private seen(key: string, before: Memory, result: SessionNumbers | string, { now, interval }: { readonly now: number; readonly interval: number }): { sessions?: SessionLook } {
    if (typeof result === 'string') {
      const failures = before.failures + 1;
      const isUnknown = failures >= FAILURES_BEFORE_TELLING;
      this.memories.set(key, { ...before, failures, last: now, ...(isUnknown && { idleSince: undefined }) });
      return isUnknown ? { sessions: { kind: 'unknown', reason: result } } : {};
    }
    const isGoingOn = before.answered !== undefined && before.trace === result.trace && now - before.answered <= 4 * (interval + TIMEOUT);
    const idleSince = result.online > 0 ? undefined : (isGoingOn ? before.idleSince : undefined) ?? now;
    this.memories.set(key, { ...before, failures: 0, trace: result.trace, last: now, answered: now, idleSince });
    return { sessions: { kind: 'seen', online: result.online, idleFor: now - (idleSince ?? now) } };
  }

  private async ask(namespace: string, address: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<SessionNumbers | string> {
    this.underWay.set(namespace, (this.underWay.get(namespace) ?? 0) + 1);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
    try {
      const page = await beforeAbort(this.read(address, limit), limit);
      return sessionNumbersIn(page) ?? `the page ${SESSIONS_PATH} of the web UI on port ${address.port} of the server does not tell of sessions`;
    } catch {
      return `the web UI on port ${address.port} of the server, in which the sessions are seen, does not answer the operator: it is protected, or a network policy is in the way`;
    } finally {
      const left = this.underWay.get(namespace)! - 1;
      if (left > 0) this.underWay.set(namespace, left);
      else this.underWay.delete(namespace);
    }
  }
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

/** What is answered is not trusted: no redirection and no other protocol is followed, and no more is read than is needed. */
export const readPage: PageReader = ({ host, port }, signal) => new Promise((resolve, reject) => {
  const call = request({ host, port, path: SESSIONS_PATH, method: 'GET', headers: { accept: 'text/html' }, agent: false, maxHeaderSize: 16_384, signal }, (answer) => {
    if (answer.statusCode !== 200) {
      call.destroy(new Error(`status ${answer.statusCode}`));
      return;
    }
    let [text, bytes] = ['', 0];
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => {
      bytes += part.length;
      text += part;
      if (bytes < MAX_BYTES) return;
      resolve(text);
      call.destroy();
    });
    answer.on('end', () => resolve(text));
    answer.on('error', reject);
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
