import { printable } from './printable';

/**
 * Converts a line of a JSON log to the format of zap's console encoder: time, level, message, and
 * the other fields as JSON, separated by tabs. Each entry stays one line.
 */
export function consoleLine(json: string): string {
  const { time, level, msg = '', ...fields } = JSON.parse(json) as { readonly [field: string]: unknown };
  const parts = [time, String(level).toUpperCase(), printable(String(msg)).replaceAll('\n', '\\n')];
  if (Object.keys(fields).length > 0) parts.push(printable(JSON.stringify(fields)));
  return `${parts.join('\t')}\n`;
}
