import { readLines, RequestError } from './api';
import type { Rows } from './rows';
import type { Update } from '../wire';

/** State of the connection to the server. */
export type Health = 'connecting' | 'live' | 'lost' | 'refused';

/**
 * Milliseconds without a message after which the connection counts as lost; the server sends a
 * heartbeat every 15 s.
 */
const SILENCE = 40_000;

/** First and maximum backoff, in milliseconds. */
const PAUSE = { first: 500, most: 10_000 };

/**
 * Milliseconds after which a hidden page closes its connection: a browser allows six for all tabs
 * of a console together.
 */
const UNSEEN = 60_000;

/**
 * Keeps the rows equal to the server's. After a lost connection it receives all rows again.
 *
 * @param onHealth receives the state of the connection, with the server's message if it rejects the
 * user, and the time of the loss
 * @returns a function that stops it
 */
export function followRows(rows: Rows, onHealth: (health: Health, error?: RequestError, lostAt?: number) => void): () => void {
  const ended = new AbortController();
  let failures = 0;
  let activeAt = Date.now();
  let lostAt: number | undefined;

  async function attempt(): Promise<void> {
    const lost = new AbortController();
    const silence = new Timeout(SILENCE, () => lost.abort());
    const unseen = new Timeout(UNSEEN, () => lost.abort());
    const onVisibility = () => (document.hidden ? unseen.start() : unseen.stop());
    document.addEventListener('visibilitychange', onVisibility);
    silence.start();
    try {
      await readLines('rows', {
        signal: AbortSignal.any([lost.signal, ended.signal]),
        onOpen: () => {
          failures = 0;
          lostAt = undefined;
          onHealth('live');
        },
        onActivity: () => {
          activeAt = Date.now();
          silence.start();
        },
        onLine: (line) => rows.apply(JSON.parse(line) as Update),
      });
    } finally {
      document.removeEventListener('visibilitychange', onVisibility);
      silence.stop();
      unseen.stop();
    }
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const error = await attempt().then(() => undefined, (thrown: unknown) => thrown);
      if (ended.signal.aborted) return;
      if (error instanceof RequestError && error.status === 401) return onHealth('refused', error);
      if (document.hidden) await event(document, 'visibilitychange', ended.signal);
      else onHealth('lost', undefined, lostAt ??= activeAt);
      const pause = Math.min(PAUSE.most, PAUSE.first * 2 ** failures++) * (0.5 + Math.random() / 2);
      // Browsers report when the network is back.
      await Promise.race([new Promise((resolve) => window.setTimeout(resolve, pause)), event(window, 'online', ended.signal)]);
    }
  }

  onHealth('connecting');
  void run();
  return () => ended.abort();
}

/** Timer that calls a function some time after its last start, unless it is stopped. */
class Timeout {
  private timer?: number;

  constructor(private readonly time: number, private readonly callback: () => void) {}

  start(): void {
    this.stop();
    this.timer = window.setTimeout(this.callback, this.time);
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }
}

/** Resolves with the next event, or when the signal is aborted. */
function event(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    target.addEventListener(name, () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
