import type { Io } from '../io';
import { printable } from '../../text/printable';

/** Position in a file; lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Returns a position in the format that editors and CI systems turn into links. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Compares positions in a file, for sorting. */
export function comparePlaces(a: Place, b: Place): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** Severity of a message. */
export type Severity = 'error' | 'warning' | 'note';

/** Callback for messages, instead of printing them. */
export type OnMessage = (place: Place, severity: Severity, message: string) => void;

/**
 * Report on manifests. It prints one line per message, in the format that editors and CI systems
 * turn into links.
 */
export class Report {
  private errorCount = 0;

  /** @param onMessage receives the messages. @default - they are printed on standard error */
  public constructor(private readonly io: Pick<Io, 'stderr'>, private readonly onMessage?: OnMessage) {}

  /** Number of errors so far. */
  public get errors(): number {
    return this.errorCount;
  }

  /** Reports why an object is not processed. */
  public error(place: Place, message: string): void {
    this.errorCount++;
    this.write(place, 'error', message);
  }

  /** Reports a probably unintended effect. */
  public warning(place: Place, message: string): void {
    this.write(place, 'warning', message);
  }

  /** Reports information. */
  public note(place: Place, message: string): void {
    this.write(place, 'note', message);
  }

  private write(place: Place, severity: Severity, message: string): void {
    if (this.onMessage) return this.onMessage(place, severity, message);
    this.io.stderr(printable(`${placeText(place)}: ${severity}: ${message}\n`));
  }
}
