import { webUIPort, hasWebUI } from '../../../plan/properties/web-ui';
import type { ConnectFacts } from '../../../model/spark-connect';

/** A reading of the sessions of a server. */
export type SessionReading =
  | {
    readonly kind: 'seen';
    /** Sessions that are open now. */
    readonly online: number;
    /**
     * Milliseconds for which this process has seen no session at any read. 0 if there is one, was
     * one since the previous read, or if this is the first read.
     */
    readonly idleFor: number;
    /** Monotonic time of the reading. */
    readonly at: number;
  }
  /** The sessions are unknown, with the reason. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Milliseconds for an answer. An older one no longer describes the server. */
export const LOOK_TIMEOUT = 3_000;

/** Numbers on the page of the web UI. */
export interface SessionNumbers {
  readonly online: number;
  /** Changes when a session or a request begins. */
  readonly trace: string;
}

const ONLINE = /<h4>\s*(\d{1,9})\s+session\(s\)\s+are\s+online,\s+running\s+(\d{1,9})\s+Request\(s\)/;
const COUNTS = /\b(Session|Request) Statistics \((\d{1,9})\)/g;

/**
 * Reads the numbers from the Spark Connect page of Spark's web UI (SparkConnectServerPage,
 * unchanged since 3.5). Spark has no metric or REST resource for sessions.
 *
 * @returns undefined if it is not that page
 */
export function sessionNumbersIn(page: string): SessionNumbers | undefined {
  const found = ONLINE.exec(page);
  if (!found) return undefined;
  // The page has one of each. More do not come from Spark, and are not stored.
  const counts = [...page.matchAll(COUNTS)].slice(0, 2).map(([, what, count]) => `${what}=${count}`);
  return { online: Number(found[1]), trace: [`running=${found[2]}`, ...counts].join() };
}

/** Path of the page on the server's pod. */
export const SESSIONS_PATH = '/connect/';

/** Returns the port of the web UI, or why the sessions cannot be read. */
export function sessionsPort({ sparkConf }: ConnectFacts): number | string {
  if (!hasWebUI(sparkConf)) return 'the sessions are seen in the web UI, and spec.sparkConf[spark.ui.enabled] is false';
  return webUIPort(sparkConf) || 'the sessions are seen in the web UI, and spec.sparkConf[spark.ui.port] = 0 '
    + 'lets Spark choose a port that the operator does not know; write a number, such as 4040';
}
