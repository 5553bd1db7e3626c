import type { ApiClient } from '../api-client.ts';
import { application, APPLICATIONS_PATH } from '../application.ts';
import { spreadOf } from '../population/timeline.ts';
import type { QuietFigures } from './measurements.ts';

/** Times of one application, by `performance.now()`. */
interface Times {
  readonly due: number;
  answered?: number;
  driver?: number;
}

/** A namespace that creates applications, and the times at which their drivers are seen. */
export class Tenant {
  readonly namespace: string;
  private readonly client: ApiClient;
  private readonly times = new Map<string, Times>();
  private drivers = 0;

  constructor(client: ApiClient, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  /** Number of applications that have a driver. */
  get withDriver(): number {
    return this.drivers;
  }

  /** Number of applications that are created, or about to be. */
  get created(): number {
    return this.times.size;
  }

  /**
   * Creates an application.
   *
   * @param due when it was to be created
   */
  async create(name: string, due = performance.now(), body: object = application(this.namespace, name)): Promise<void> {
    const times: Times = { due };
    this.times.set(name, times);
    await this.client.json('POST', `${APPLICATIONS_PATH}/${this.namespace}/sparkapplications`, body);
    times.answered = performance.now();
  }

  /** Notes that a driver Pod was seen. */
  seeDriver(name: string, at: number): void {
    const times = this.times.get(name);
    if (!times || times.driver !== undefined) return;
    times.driver = at;
    this.drivers++;
  }

  /**
   * Returns the figures of the applications that were due in a span of time. A driver that is seen
   * before the answer took no time.
   */
  between(from: number, to: number): QuietFigures {
    const all = [...this.times.values()].filter(({ due }) => due >= from && due < to);
    return {
      created: all.length,
      toDriver: spreadOf(all.flatMap(({ answered, driver }) => took(answered, driver))),
      toAnswer: spreadOf(all.flatMap(({ due, answered }) => took(due, answered))),
    };
  }
}

function took(begin: number | undefined, end: number | undefined): number[] {
  return begin === undefined || end === undefined ? [] : [Math.max(0, end - begin)];
}
