import { printable } from '../../text/printable';

/** Joins the lines of a text for a table cell. */
export function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/g, ' '));
}
