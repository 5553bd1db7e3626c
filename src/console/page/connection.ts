import { readEvents, RequestError } from './api';
import type { Rows } from './rows';
import type { Update } from '../wire';

/** How the connection to the server is. */
export type Health = 'connecting' | 'live' | 'lost' | 'refused';

/** The server gives a sign of life every 15 s; without one for so long, in milliseconds, the connection counts as lost. */
const SILENCE = 40_000;

/** Milliseconds before the next attempt: after the first failure, and at most. */
const PAUSE = { first: 500, most: 10_000 };

/** A page that nobody has looked at for so long, in milliseconds, gives its connection back: browsers have six for all tabs of a console together. */
const UNSEEN = 60_000;

/**
 * Keeps the rows equal to the server's, whatever happens to the connection: it goes on where it was.
 *
 * @param onHealth told how it is, with what the server has said if it does not let us in
 * @returns ends it
 */
export function followRows(rows: Rows, onHealth: (health: Health, error?: RequestError) => void): () => void {
  const ended = new AbortController();
  let lastId: string | undefined;
  let failures = 0;

  async function attempt(): Promise<void> {
    const lost = new AbortController();
    const silence = new Timeout(SILENCE, () => lost.abort());
    const unseen = new Timeout(UNSEEN, () => lost.abort());
    const onVisibility = () => (document.hidden ? unseen.start() : unseen.stop());
    document.addEventListener('visibilitychange', onVisibility);
    silence.start();
    try {
      await readEvents('rows', {
        ...(lastId !== undefined && { lastId }),
        signal: AbortSignal.any([lost.signal, ended.signal]),
        onOpen: () => {
          failures = 0;
          onHealth('live');
        },
        onActivity: () => silence.start(),
        onMessage: ({ id, data }) => {
          rows.apply(JSON.parse(data) as Update);
          if (id !== undefined) lastId = id;
        },
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
      else onHealth('lost');
      const pause = Math.min(PAUSE.most, PAUSE.first * 2 ** failures++) * (0.5 + Math.random() / 2);
      // Browsers tell when there is a network again.
      await Promise.race([new Promise((resolve) => window.setTimeout(resolve, pause)), event(window, 'online', ended.signal)]);
    }
  }

  onHealth('connecting');
  void run();
  return () => ended.abort();
}

/** Calls a function some time after it was started last, unless it is stopped. */
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
