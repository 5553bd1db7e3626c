import { webUIPort, hasWebUI } from '../../plan/properties/web-ui';
import type { ConnectFacts } from '../../model/spark-connect';

/** What is known of the sessions of a server. */
export type SessionReading =
  | {
    readonly kind: 'seen';
    /** Sessions that are open now. */
    readonly online: number;
    /** Milliseconds for which this process has seen no session, at each look; 0 if there is one, was one since the look before, or if it has just begun to look. */
    readonly idleFor: number;
    /** When that was, by the monotonic clock. */
    readonly at: number;
  }
  /** It cannot be told, and why. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Milliseconds for an answer. One that is older than that does not tell any more how it is. */
export const LOOK_TIMEOUT = 3_000;

/** What the page of the web UI tells. */
export interface SessionNumbers {
  readonly online: number;
  /** What changes when a session or a request begins. */
  readonly trace: string;
}

const ONLINE = /<h4>\s*(\d{1,9})\s+session\(s\)\s+are\s+online,\s+running\s+(\d{1,9})\s+Request\(s\)/;
const COUNTS = /\b(Session|Request) Statistics \((\d{1,9})\)/g;

/**
 * Reads the numbers of the page that Spark's web UI has for Spark Connect (SparkConnectServerPage, the same since 3.5). There is no metric and no REST resource that tells of sessions.
 *
 * @returns undefined if it is not that page
 */
export function sessionNumbersIn(page: string): SessionNumbers | undefined {
  const found = ONLINE.exec(page);
  if (!found) return undefined;
  // The page has one of each; more are not Spark's, and are not remembered.
  const counts = [...page.matchAll(COUNTS)].slice(0, 2).map(([, what, count]) => `${what}=${count}`);
  return { online: Number(found[1]), trace: [`running=${found[2]}`, ...counts].join() };
}

/** Where the page is, on the address of the server's pod. */
export const SESSIONS_PATH = '/connect/';

/** The port of the web UI; or why sessions cannot be seen. */
export function sessionsPort({ sparkConf }: ConnectFacts): number | string {
  if (!hasWebUI(sparkConf)) return 'the sessions are seen in the web UI, and spec.sparkConf[spark.ui.enabled] is false';
  return webUIPort(sparkConf) || 'the sessions are seen in the web UI, and spec.sparkConf[spark.ui.port] = 0 lets Spark choose a port that nobody knows; write a number, such as 4040';
}
