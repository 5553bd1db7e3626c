import type { Logger } from '../../../src/kube/logger';

/** A logger that stores its lines as `level message`. */
export class MemoryLogger implements Logger {
  readonly lines: string[] = [];

  debug(_: object, message: string): void {
    this.lines.push(`debug ${message}`);
  }

  info(_: object, message: string): void {
    this.lines.push(`info ${message}`);
  }

  warn(_: object, message: string): void {
    this.lines.push(`warn ${message}`);
  }

  error(_: object, message: string): void {
    this.lines.push(`error ${message}`);
  }

  child(): Logger {
    return this;
  }
}
