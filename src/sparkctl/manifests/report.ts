import type { Io } from '../io';
import { printable } from '../printable';

/** Where something stands; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Tells people about their manifests, one line each, in the form that editors and CI systems make links of. */
export class Report {
  private errorCount = 0;

  public constructor(private readonly io: Io) {}

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

  private write({ file, line, column }: Place, severity: string, message: string): void {
    this.io.stderr(printable(`${[file, line, column].filter((part) => part !== undefined).join(':')}: ${severity}: ${message}\n`));
  }
}
