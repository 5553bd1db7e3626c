import type { Clock, Timer } from '../../../../src/kube/clock';

const START = Date.parse('2026-03-01T10:00:00Z');

/** Time of the model: it goes on when it is told to, and the operator's wall clock can be set wrong. */
export class ModelClock implements Clock {
  private elapsed = 0;
  private error = 0;
  /** Whether the operator's wall clock has ever been wrong. */
  wasWrong = false;

  /** What the operator's machine takes for the time. */
  now(): number {
    return START + this.elapsed + this.error;
  }

  /** What the API server and the nodes take for the time. */
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
