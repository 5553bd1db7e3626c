import type { Io } from '../io';
import { printable } from '../../text/printable';
import type { Terminal } from '../terminal';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Minimum milliseconds between two redraws. */
const FRAME = 100;

/** Formats a number of bytes, such as `12.3 MiB`. */
export function bytesText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Returns the progress line of an upload, no wider than the terminal. */
export function uploadLine(path: string, sent: number, size: number, columns = Infinity): string {
  const percent = size === 0 ? 100 : Math.floor(Math.min(1, sent / size) * 100);
  const details = ` ${percent}% (${bytesText(Math.min(sent, size))} of ${bytesText(size)})`;
  const room = columns - 1 - 'uploading '.length - details.length;
  const name = printable(path);
  return `uploading ${name.length > room ? `…${name.slice(name.length - Math.max(0, room - 1))}` : name}${details}`;
}

/** Display of an upload: on a terminal its progress, elsewhere only its outcome. */
export interface UploadDisplay {
  sent(bytes: number): void;
  /** Erases the progress line. @param outcome message to print. @default - none */
  end(outcome?: string): void;
}

/** Creates the display of an upload. @param now returns milliseconds since 1970 */
export function uploadDisplay(
  path: string, size: number, io: Pick<Io, 'stdout' | 'stderr'>, { isTerminal, columns }: Terminal, now: () => number,
): UploadDisplay {
  let drawnAt = -Infinity;
  return {
    sent(bytes) {
      if (!isTerminal || now() - drawnAt < FRAME) return;
      drawnAt = now();
      io.stdout(`\r${uploadLine(path, bytes, size, columns)}\x1b[K`);
    },
    end(outcome) {
      if (drawnAt > -Infinity) io.stdout('\r\x1b[K');
      if (outcome !== undefined) io.stderr(`${printable(outcome)}\n`);
    },
  };
}
