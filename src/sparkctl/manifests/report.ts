import type { Io } from '../io';
import { printable } from '../../text/printable';

/** Where something stands; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** How much of a message matters. */
export type Severity = 'error' | 'warning' | 'note';

/** Told what is found, in place of the user. */
export type OnMessage = (place: Place, severity: Severity, message: string) => void;

/** Tells people about their manifests, one line each, in the form that editors and CI systems make links of. */
export class Report {
  private errorCount = 0;

  /** @param onMessage who is told instead. @default - people, on the standard error */
  public constructor(private readonly io: Pick<Io, 'stderr'>, private readonly onMessage?: OnMessage) {}

  /** How many errors there were. */
  public get errors(): number {
    return this.errorCount;
  }

  /** Something is not done, for this reason. */
  public error(place: Place, message: string): void {
    this.errorCount++;
    this.write(place, 'error', message);
  }

  /** Something is done, but probably not what was meant. */
  public warning(place: Place, message: string): void {
    this.write(place, 'warning', message);
  }

  /** Something to know. */
  public note(place: Place, message: string): void {
    this.write(place, 'note', message);
  }

  private write(place: Place, severity: Severity, message: string): void {
    if (this.onMessage) return this.onMessage(place, severity, message);
    const { file, line, column } = place;
    this.io.stderr(printable(`${[file, line, column].filter((part) => part !== undefined).join(':')}: ${severity}: ${message}\n`));
  }
}
