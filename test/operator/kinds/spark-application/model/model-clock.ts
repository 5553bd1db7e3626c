import type { Clock, Timer } from '../../../../../src/kube/clock';

const START = Date.parse('2026-03-01T10:00:00Z');

/** Clock of the model. Tests advance it, and can set the operator's wall clock wrong. */
export class ModelClock implements Clock {
  private elapsed = 0;
  private error = 0;
  /** Whether the operator's wall clock has ever been wrong. */
  wasWrong = false;

  /** Returns the time of the operator's machine. */
  now(): number {
    return START + this.elapsed + this.error;
  }

  /** Returns the time of the API server and the nodes. */
  serverTime(): string {
    return new Date(START + this.elapsed).toISOString().replace(/\.\d{3}Z$/, 'Z');
  }

  monotonic(): number {
    return this.elapsed;
  }

  advance(ms: number): void {
    this.elapsed += ms;
  }

  /** Sets the operator's wall clock, as a correction of the machine's time does. */
  set(error: number): void {
    this.error = error;
    this.wasWrong ||= error !== 0;
  }

  setTimeout(): Timer {
    throw new Error('the reconciler sets no timers');
  }

  clearTimeout(): void {}
}
