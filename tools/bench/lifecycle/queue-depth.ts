import type { Operator } from '../operator.ts';

/** Looks at the operator's queue every second. Asking takes the operator a few milliseconds. */
const INTERVAL = 1000;

/** The depth of the operator's queue over a time. */
export class QueueDepth {
  private readonly depths: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(operator: Pick<Operator, 'metrics'>) {
    this.timer = setInterval(() => {
      operator.metrics().then((text) => this.depths.push(...depthIn(text)), () => undefined); // that it is gone is noticed elsewhere
    }, INTERVAL);
  }

  /** Ends the looking. */
  stop(): { readonly mean: number; readonly max: number } | undefined {
    clearInterval(this.timer);
    const { depths } = this;
    if (depths.length === 0) return undefined;
    return { mean: depths.reduce((sum, depth) => sum + depth, 0) / depths.length, max: Math.max(...depths) };
  }
}

/** Reads what the operator tells Prometheus: nothing, or the sum over its queues. */
export function depthIn(metrics: string): number[] {
  const depths = [...metrics.matchAll(/^(?:spark_operator_queue_depth|workqueue_depth)(?:\{[^}]*\})? (\d+)/gm)].map(([, depth]) => Number(depth));
  return depths.length === 0 ? [] : [depths.reduce((sum, depth) => sum + depth, 0)];
}
