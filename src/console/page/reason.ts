import { GAVE_UP } from '../../model/cause/obstacle-text';
import { timeUntil } from '../../text/duration';
import { reasonOf, type Circumstances } from './attention';
import type { ApplicationRow } from '../wire';

/** Reason of an application's state, in the parts that its row shows. */
export interface ReasonText {
  /** A few words, such as `OOMKilled`. @default - none */
  readonly short?: string;
  /** Time of the next attempt. @default - none is planned */
  readonly wait?: string;
  /** Rest of the message, without `short`. @default - nothing that `short` lacks */
  readonly rest?: string;
}

/** Words that add nothing to the reason in a few words. */
const FILLER = new Set(['the', 'its', 'was', 'is', 'driver', 'ended', 'with', 'not', 'found', 'failedmount', 'unschedulable']);

/** Returns the reason of an application's state; without any part if there is none. */
export function reasonText(row: ApplicationRow, circumstances: Circumstances): ReasonText {
  const short = reasonOf(row, circumstances);
  const rest = restOf(row.reason?.split('\n', 1)[0], short);
  const wait = row.retryAt === undefined ? undefined : waitText(row.retryAt - circumstances.now);
  return { ...(short !== undefined && { short }), ...(wait !== undefined && { wait }), ...(rest !== undefined && { rest }) };
}

function waitText(wait: number): string {
  return wait > 0 ? `(again in ${timeUntil(wait)})` : '(again soon)';
}

/** Returns the part of a message beyond its short form; undefined if that is nothing. */
function restOf(message: string | undefined, short = ''): string | undefined {
  if (message === undefined) return undefined;
  const isPrefix = short !== '' && message.startsWith(short) && !/^\w/.test(message.slice(short.length));
  const rest = isPrefix ? message.slice(short.length).replace(/^[:\s]+/, '') : message;
  const known = new Set(wordsIn(short));
  return wordsIn(rest.replace(GAVE_UP, '')).every((word) => known.has(word) || FILLER.has(word)) ? undefined : rest;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_.-]+[\p{L}\p{N}]+)*/gu) ?? [];
}
