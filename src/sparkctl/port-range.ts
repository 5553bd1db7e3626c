import { UsageError } from '../text/usage-error';

/** Ports from the first to the last one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads an option that names a port, or a range of them: `8081` or `8081-8084`.
 *
 * @throws {UsageError}
 */
export function portRangeOf(option: string, text: string): PortRange {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (first !== undefined && range.first >= 1 && range.first <= range.last && range.last <= 65_535) return range;
  throw new UsageError(`--${option}=${text}: write a port from 1 to 65535, or two with a dash between them, such as 8081-8084`);
}
