/*
 * Edits, crashes, faults, lost and late creations and stale caches in any order. In the end there
 * is one server with the current specification, or none if there has to be none.
 */
import fc from 'fast-check';
import { ApiError, NetworkError } from '../../../../src/kube/errors';
import { CONFIG_MAPS, PODS } from '../../../../src/model/resources';
import { kindsIn, World } from './operator';

const POD = { namespace: 'jobs', name: 'nb-server' };

/** A world with late creations and stale caches. */
class Disturbed extends World {
  edits = 0;
  /** Content of the caches for one pass. */
  private seen?: Map<string, any>;
  private earlier = new Map(this.api.objects);
  private isLate = false;
  private late: (() => Promise<unknown>)[] = [];

  constructor() {
    super({ sparkConf: { 'spark.x': '0' } });
    const { create } = this.api;
    this.api.create = async (kind, object) => {
      if (!this.isLate || kind.plural !== PODS.plural) return create.call(this.api, kind, object);
      this.isLate = false;
      this.late.push(() => create.call(this.api, kind, object));
      throw this.api.lost();
    };
  }

  override see(): void {
    const { objects } = this.api;
    const now = new Map(objects);
    const become = (others: Map<string, any>) => {
      objects.clear();
      for (const [key, object] of others) objects.set(key, object);
    };
    if (this.seen) become(this.seen);
    super.see();
    become(now);
    this.seen = undefined;
  }

  rewrite(): void {
    this.edit({ sparkConf: { 'spark.x': String(++this.edits) } });
  }

  /** Keeps the current objects as the caches of the next operator with stale caches. */
  remember(): void {
    this.earlier = new Map(this.api.objects);
  }

  async takeOverBehind(): Promise<void> {
    this.newOperator();
    this.seen = this.earlier;
    await this.trying(() => this.pass());
  }

  delayCreation(): void {
    this.isLate = true;
  }

  async lateComes(): Promise<void> {
    this.isLate = false;
    for (const create of this.late.splice(0)) await this.trying(create);
  }

  /** Runs a function at a later call. */
  atCall(number: number, isBefore: boolean, happens: () => void): void {
    const at = this.api.made.length + number;
    this.api[isBefore ? 'refuse' : 'lose'] = (_, made) => {
      if (made === at) happens();
    };
  }

  undisturbed(): void {
    Object.assign(this.api, { refuse: () => undefined, lose: () => undefined });
  }

  /** A failure is left to the next pass, as with the work queue. */
  async trying(what: () => Promise<unknown>): Promise<void> {
    await what().catch((error: unknown) => {
      if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
    });
  }

  get isLive(): boolean {
    return this.pod !== undefined && !this.pod.metadata.deletionTimestamp && this.pod.status.phase !== 'Failed';
  }

  /** Lets time pass, until all pending work is done. */
  async comesToRest(each: () => void = () => undefined): Promise<void> {
    for (let step = 0; step < 12; step++) {
      if (this.pod?.metadata.deletionTimestamp) this.api.remove(PODS, POD);
      await this.trying(() => this.settle());
      each();
      await this.trying(() => this.settle());
      this.clock.advance(11_000);
    }
  }
}

const HAPPENINGS: { readonly [what: string]: (world: Disturbed, number: number) => unknown } = {
  'an edit': (world) => world.rewrite(),
  'an edit that is refused': (world) => world.edit({ server: { cores: -1 } }),
  'one that is not': (world) => world.edit({ server: {} }),
  'suspended': (world) => world.edit({ suspend: true }),
  'resumed': (world) => world.edit({ suspend: false }),
  'ready': (world) => world.pod && world.takesConnections(),
  'a crash of the server': (world) => world.pod && (world.runs(), world.ends(1)),
  'a pod that is gone': (world) => world.api.remove(PODS, POD),
  'time': (world, number) => world.clock.advance(number * 9_000),
  'another operator': (world) => world.newOperator(),
  'a cache that will be behind': (world) => world.remember(),
  'another operator whose cache is behind': (world) => world.takeOverBehind(),
  'a call that fails': (world, number) => world.atCall(number, true, () => { throw world.api.lost(); }),
  'an answer that is lost': (world, number) => world.atCall(number, false, () => { throw world.api.lost(); }),
  'an edit between two calls': (world, number) => world.atCall(number, true, () => world.rewrite()),
  'a creation that is late': (world) => world.delayCreation(),
  'its coming': (world) => world.lateComes(),
};

const happening = fc.record({
  what: fc.constantFrom(...Object.keys(HAPPENINGS)), number: fc.integer({ min: 1, max: 10 }), settles: fc.boolean(),
});

test('in the end there is one server with the current specification, or none if there has to be none, and nothing more is '
  + 'written', async () => {
  const stories = fc.array(happening, { minLength: 1, maxLength: 25 });
  const ends = fc.constantFrom({ server: { cores: -1 } }, { suspend: true });
  await fc.assert(fc.asyncProperty(stories, fc.boolean(), ends, async (happenings, graceful, end) => {
    const world = new Disturbed();
    world.api.graceful = graceful;
    for (const { what, number, settles } of happenings) {
      await HAPPENINGS[what]!(world, number);
      if (settles) await world.trying(() => world.settle());
    }
    world.undisturbed();

    world.edit(end);
    await world.trying(() => world.settle());
    await world.lateComes();
    await world.comesToRest();
    // An invalid specification replaces nothing: a previous server can continue if the operator
    // follows it.
    const { state, server } = world.status;
    expect(world.isLive).toBe(!['Failed', 'Suspended'].includes(state) && server?.podName !== undefined);
    if ('suspend' in end) expect(state).toBe('Suspended');

    world.edit({ sparkConf: { 'spark.x': 'last' }, server: {}, suspend: false });
    await world.comesToRest(() => world.isLive && world.takesConnections());
    expect(kindsIn(world.api)).toEqual(['configmaps', 'pods', 'services', 'services', 'sparkconnects']);
    expect(world.api.all(CONFIG_MAPS).flatMap(
      ({ data }) => data['spark.properties']?.split('\n') ?? [],
    ).filter((line) => line.startsWith('spark.x='))).toEqual(['spark.x=last']);
    expect(world.status.state).toBe('Ready');
    const calls = world.api.made.length;
    await world.pass();
    expect(world.api.made.slice(calls).filter((call) => !/^(get|list)/.test(call))).toEqual([]);
  }), { numRuns: 60 });
}, 240_000);
