import { setTimeout as sleep } from 'node:timers/promises';
import type { Setting } from './passes.ts';
import { spreadOf, type Spread } from './population/timeline.ts';
import { Watch } from './population/watch.ts';
import type { StockApplication } from './stock.ts';

/** What was seen by then counts, in seconds: a watch can be late. */
const PATIENCE = 10;

/** Somebody who sees when the drivers of a namespace appear. It takes next to nothing of the API server: it is told of each once or twice. */
export class Onlooker {
  private readonly watch: Watch;
  private readonly seen: Map<string, number>;
  private readonly problem: () => Error | undefined;
  private waiting: StockApplication[] = [];

  private constructor(watch: Watch, seen: Map<string, number>, problem: () => Error | undefined) {
    this.watch = watch;
    this.seen = seen;
    this.problem = problem;
  }

  static async open({ admin, installation }: Pick<Setting, 'admin' | 'installation'>, namespace: string): Promise<Onlooker> {
    const seen = new Map<string, number>();
    let problem: Error | undefined;
    const watch = await Watch.open({
      admin, access: installation.admin, path: `/api/v1/namespaces/${namespace}/pods`, labelSelector: 'spark-role=driver',
      onChange({ object: { metadata }, at }) {
        const name = metadata.labels['sparkoperator.k8s.io/app-name'];
        if (!seen.has(name)) seen.set(name, at);
      },
      onEnd: (error) => problem ??= error,
    });
    return new Onlooker(watch, seen, () => problem);
  }

  /** Applications whose drivers count. */
  created(applications: readonly StockApplication[]): void {
    this.waiting.push(...applications);
  }

  /**
   * From the answer to a creation to the driver, of all that were created since the last time. A driver that is seen before the answer took no time.
   *
   * @throws Error when drivers were not seen
   */
  async toDriver(): Promise<Spread> {
    const missing = () => this.waiting.filter(({ name }) => !this.seen.has(name)).length;
    for (const end = performance.now() + PATIENCE * 1000; missing() > 0; await sleep(50)) {
      if (this.problem()) throw this.problem()!;
      if (performance.now() > end) throw new Error(`of ${this.waiting.length} drivers ${missing()} were not seen by the watch`);
    }
    const times = this.waiting.splice(0).map(({ name, at }) => Math.max(0, this.seen.get(name)! - at));
    return spreadOf(times);
  }

  close(): void {
    this.watch.close();
  }
}
