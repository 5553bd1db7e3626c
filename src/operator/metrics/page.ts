import type { Clock } from '../../kube/clock';
import type { Answer } from '../http-server';

/** Milliseconds for which a page is used. Prometheus reads one every 15 s or more. */
const MAX_AGE = 1_000;

/** Families of metrics that can be rendered. */
export interface Rendered {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Renders metrics at most once a second, and shares the bytes among all requests. */
export class MetricsPage {
  private page?: Promise<Answer>;
  /** When the page was rendered; infinite until it is. */
  private renderedAt = Infinity;

  constructor(private readonly registry: Rendered, private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * Returns the page.
   *
   * @throws {Error} if it cannot be rendered; the next request tries it again
   */
  read(): Promise<Answer> {
    if (!this.page || this.clock.monotonic() - this.renderedAt >= MAX_AGE) {
      this.renderedAt = Infinity;
      this.page = this.render().finally(() => { this.renderedAt = this.clock.monotonic(); });
      this.page.catch(() => { this.page = undefined; });
    }
    return this.page;
  }

  private async render(): Promise<Answer> {
    return { status: 200, type: this.registry.contentType, body: Buffer.from(await this.registry.metrics()) };
  }
}
