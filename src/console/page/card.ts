import type { Circumstances } from './attention';
import { reasonText } from './reason';
import { CHARACTER } from './text-width';
import type { ApplicationRow, ScheduleRow } from '../wire';

/** Left and right padding of a card, its vertical padding and border, and a line with its gap. */
const [SIDES, FRAME, LINE] = [24, 17, 20];

/** Minimum number of characters in a line. */
const MIN_COLUMNS = 20;

/** Maximum number of lines of a name or reason, as in narrow.css. */
const MAX_LINES = 2;

/**
 * Returns the height of an application's card on a phone, in pixels: that of its state, name,
 * namespace and reason.
 *
 * @param width of the card, in pixels
 */
export function cardHeight(row: ApplicationRow, circumstances: Circumstances, width: number): number {
  const columns = Math.max(MIN_COLUMNS, Math.floor((width - SIDES) / CHARACTER));
  const linesOf = (text: string) => Math.min(MAX_LINES, Math.ceil(text.length / columns));
  const { short, wait, rest } = reasonText(row, circumstances);
  return FRAME + LINE * (2 + linesOf(row.name) + linesOf([short, wait, rest].filter(Boolean).join(' · ')));
}

/** Width of a schedule's state and the gap before it, in pixels. */
const STATE = 150;

/**
 * Returns the height of a schedule's card on a phone, in pixels: that of its name, four lines and
 * the calendar line.
 *
 * @param width of the card, in pixels
 */
export function scheduleCardHeight({ name }: ScheduleRow, width: number): number {
  const columns = Math.max(MIN_COLUMNS, Math.floor((width - SIDES - STATE) / CHARACTER));
  return FRAME + LINE * (5 + Math.min(MAX_LINES, Math.ceil(name.length / columns)));
}
