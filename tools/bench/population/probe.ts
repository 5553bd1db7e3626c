import type { ApiClient } from '../api-client.ts';
import { NAMESPACES } from '../application.ts';
import type { Lasted } from './timeline.ts';

/** As often something is written, in milliseconds. */
const INTERVAL = 100;
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACES.operator}/configmaps`;
const NAME = 'bench-probe';

/**
 * Writes a small object of the benchmark's own, ten times a second, whether or not the one before is answered. When that takes long, the calls of an operator can hardly be faster. Writes that are under way at the same time
 * wait for each other, and more than the client has connections for one: a stall counts for each write in it, as it does for an operator.
 */
export class Probe {
  private readonly client: Pick<ApiClient, 'json'>;
  private readonly onProblem: (error: Error) => void;
  private readonly lasted: Lasted[] = [];
  private readonly under = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private count = 0;

  private constructor(client: Pick<ApiClient, 'json'>, onProblem: (error: Error) => void) {
    this.client = client;
    this.onProblem = onProblem;
    this.timer = setInterval(() => this.write(), INTERVAL);
  }

  /** Begins to write. @param onProblem told of a write that was refused */
  static async begin(client: Pick<ApiClient, 'json'>, onProblem: (error: Error) => void): Promise<Probe> {
    await client.json('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: NAME } });
    return new Probe(client, onProblem);
  }

  /** Ends it. @returns how long each write took, and when it was answered by `performance.now()` */
  async end(): Promise<readonly Lasted[]> {
    clearInterval(this.timer);
    await Promise.all(this.under);
    await this.client.json('DELETE', `${CONFIG_MAPS}/${NAME}`);
    return this.lasted;
  }

  private write(): void {
    const began = performance.now();
    const call = this.client.json('PATCH', `${CONFIG_MAPS}/${NAME}`, { data: { count: String(++this.count) } }, 'application/merge-patch+json').then(() => {
      const ended = performance.now();
      this.lasted.push({ ended, duration: ended - began });
    }).catch(this.onProblem).finally(() => this.under.delete(call));
    this.under.add(call);
  }
}
