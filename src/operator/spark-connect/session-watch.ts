import { request } from 'node:http';
import type { Clock } from '../kube/clock';
import { Runs } from '../spark-application/runs';
import type { PodView } from '../spark-application/pod-view';
import type { SparkConnect } from './model';
import { sessionNumbersIn, SESSIONS_PATH, sessionsPort, type SessionLook, type SessionNumbers } from './sessions';

/** Reads the page of a server's web UI. Rejects if there is no answer. */
export type PageReader = (address: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<string>;

/** From one look to the next: a tenth of the time to live, but no less and no more than that; in milliseconds. */
const [SHORTEST, LONGEST] = [1_000, 30_000];
/** A server that does not answer is told of after so many looks in a row. */
const FAILURES_BEFORE_TELLING = 3;
/** Servers that are asked at the same time. */
const AT_ONCE = 16;
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
}

/** Looks at the sessions of servers that are deleted when nobody uses them: in the background, as a server that does not answer must not hold up anybody. */
export class SessionWatch {
  private readonly runs: Runs<SessionNumbers | string>;
  private readonly memories = new Map<string, Memory>();
  private underWay = 0;

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
    const due = memory.last + interval;
    if (!isUnderWay && due > now) return { dueIn: due - now };
    if (!pod.podIP || (!isUnderWay && this.underWay >= AT_ONCE)) return { dueIn: SHORTEST };
    const run = this.runs.startOrFetch(key, uid ?? '', (signal) => this.ask({ host: pod.podIP!, port }, signal));
    if (run === 'begun' || run === 'running') return {};
    return { ...this.seen(key, memory, run.result, now), dueIn: interval };
  }

  /** The SparkConnect is gone, or nobody wants to know. */
  forget(key: string): void {
    if (this.memories.delete(key)) this.runs.forget(key);
  }

  /** Ends all that is under way, and begins nothing more. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private seen(key: string, before: Memory, result: SessionNumbers | string, last: number): { sessions?: SessionLook } {
    if (typeof result === 'string') {
      const failures = before.failures + 1;
      this.memories.set(key, { ...before, failures, last });
      return failures < FAILURES_BEFORE_TELLING ? {} : { sessions: { kind: 'unknown', reason: result } };
    }
    this.memories.set(key, { ...before, failures: 0, trace: result.trace, last });
    return { sessions: { kind: 'seen', online: result.online, hasBeen: result.online > 0 || (before.trace !== undefined && before.trace !== result.trace) } };
  }

  private async ask(address: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<SessionNumbers | string> {
    this.underWay++;
    try {
      const page = await this.read(address, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]));
      return sessionNumbersIn(page) ?? `the page ${SESSIONS_PATH} of the web UI on port ${address.port} of the server does not tell of sessions`;
    } catch {
      return `the web UI on port ${address.port} of the server, in which the sessions are seen, does not answer the operator: it is protected, or a network policy is in the way`;
    } finally {
      this.underWay--;
    }
  }
}

/** What is answered is not trusted: no redirection is followed, and no more is read than is needed. */
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
  call.on('error', reject);
  call.end();
});
