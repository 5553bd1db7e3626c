import { silentLogger } from '../../../src/kube/logger';
import type { KubeObject } from '../../../src/kube/objects';
import { Reflector, type ReflectorOptions } from '../../../src/kube/reflector';
import { Store } from '../../../src/kube/store';
import { FakeApiServer, isWatch } from './fake-api-server';
import { ManualClock } from './manual-clock';
import { type Thing, THINGS } from './things';

/** A server, a clock, and the reflectors of a test, which are stopped at its end. */
export class ReflectorWorld {
  static async start(): Promise<ReflectorWorld> {
    return new ReflectorWorld(await FakeApiServer.start());
  }

  public readonly clock = new ManualClock();
  private readonly reflectors: { stop(): Promise<void> }[] = [];

  private constructor(public readonly server: FakeApiServer) {}

  async stop(): Promise<void> {
    await Promise.all(this.reflectors.splice(0).map((reflector) => reflector.stop()));
    await this.server.stop();
  }

  /** Returns a reflector of the server's things, its store, and its reports. */
  newReflector<P extends KubeObject = Thing>(options: Partial<ReflectorOptions<Thing, P>> = {}) {
    const store = new Store<P>();
    const errors: string[] = [];
    const events: string[] = [];
    let onEvent = () => {};
    store.subscribe(({ type, object }) => { events.push(`${type} ${object.metadata.name}`); onEvent(); });
    const reflector = new Reflector<Thing, P>({
      client: this.server.client({ clock: this.clock, random: () => 0, timeout: 60_000 }),
      resource: THINGS,
      store,
      logger: silentLogger,
      onError: (error) => errors.push(error.message),
      clock: this.clock,
      random: () => 0,
      ...options,
    });
    this.reflectors.push(reflector);
    /** Resolves when the store has this object in a matching state. */
    const has = async (name: string, fits: (object: P | undefined) => boolean = (object) => object !== undefined) => {
      while (!fits(store.get(`default/${name}`))) await new Promise<void>((resolve) => { onEvent = resolve; });
    };
    const names = () => store.list().map(({ metadata }) => metadata.name).sort();
    return { reflector, store, errors, events, has, names };
  }

  /** Starts a reflector and waits until it watches. */
  async follow<P extends KubeObject>(reflector: Reflector<Thing, P>): Promise<void> {
    const watching = this.server.request(isWatch);
    reflector.start();
    await watching;
  }

  /** Lets the next backoff pass, and returns its length. */
  async passBackoff(): Promise<number> {
    // Deadlines of calls and watches are longer than any backoff.
    await this.clock.timer((ms) => ms <= 30_000);
    const wait = this.clock.untilNext!;
    this.clock.advance(wait);
    return wait;
  }

  /** Lets all backoffs pass until a promise resolves. */
  async passBackoffsUntil(happened: Promise<void>): Promise<void> {
    let done = false;
    void happened.then(() => { done = true; });
    while (!done) await Promise.race([happened, this.passBackoff()]);
  }

  /** Returns the requests: `list`, or `watch` with its resource version. */
  kinds(): string[] {
    return this.server.requests.map((request) => isWatch(request) ? `watch ${request.query.get('resourceVersion')}` : 'list');
  }
}
