import type { Io } from '../io';
import { printable } from '../../text/printable';
import type { Terminal } from '../terminal';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Milliseconds between two pictures. */
const FRAME = 100;

/** Bytes for people, such as `12.3 MiB`. */
export function bytesText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** The line of an upload that is under way, no wider than the terminal. */
export function uploadLine(path: string, sent: number, size: number, columns = Infinity): string {
  const percent = size === 0 ? 100 : Math.floor(Math.min(1, sent / size) * 100);
  const details = ` ${percent}% (${bytesText(Math.min(sent, size))} of ${bytesText(size)})`;
  const room = columns - 1 - 'uploading '.length - details.length;
  const name = printable(path);
  return `uploading ${name.length > room ? `…${name.slice(name.length - Math.max(0, room - 1))}` : name}${details}`;
}

/** Shows an upload; on a terminal while it goes on, elsewhere when it is done. */
export interface UploadDisplay {
  sent(bytes: number): void;
  /** @param outcome a sentence; @default - what was drawn is taken away */
  end(outcome?: string): void;
}

/** @param now milliseconds since 1970 */
export function uploadDisplay(path: string, size: number, io: Pick<Io, 'stdout' | 'stderr'>, { isTerminal, columns }: Terminal, now: () => number): UploadDisplay {
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
