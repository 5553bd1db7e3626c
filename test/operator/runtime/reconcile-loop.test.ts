import { ApiError } from '../../../src/kube/errors';
import { silentLogger } from '../../../src/kube/logger';
import { defineResource } from '../../../src/kube/resource';
import { Store } from '../../../src/kube/store';
import { normal } from '../../../src/operator/user-event';
import { ReconcileLoop, type KindHandler, type RoundDecision, type StatusOwner } from '../../../src/operator/runtime/reconcile-loop';
import { ManualClock } from '../../kube/helpers/manual-clock';

interface Status { readonly phase?: string; readonly count?: number; readonly note?: string }
interface Thing extends StatusOwner<Status> { readonly status?: Status }
type Decision = RoundDecision<Status, string>;
type Handler = KindHandler<Thing, Status, string | undefined, Decision, string, string>;

const THINGS = defineResource<Thing>({ group: 'example.org', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true });
const EVENT = normal('Done', 'Do', 'done');
const notFound = () => new ApiError({ verb: 'update', resource: 'things' }, 404, { reason: 'NotFound', message: 'gone' });

/** A loop over one object, and what it does. */
class World {
  readonly did: string[] = [];
  readonly store = new Store<Thing>();
  readonly clock = new ManualClock(1_000);
  /** Throws instead of an answer. */
  fail: (status: Status) => void = () => undefined;
  /** Fields that the API server drops. */
  dropped: readonly string[] = [];
  private version = 1;
  private readonly loop: ReconcileLoop<Thing, Status, string | undefined, Decision, string, string>;

  constructor(decide: Handler['decide'], handler: Partial<Handler> = {}) {
    this.put({});
    this.loop = new ReconcileLoop<Thing, Status, string | undefined, Decision, string, string>({
      resource: THINGS,
      store: this.store,
      transform: (answer) => answer,
      withoutFields: 'nothing works',
      observe: (_, result) => result,
      decide,
      perform: async (_, action) => {
        this.did.push(`perform ${action}`);
        return { result: action };
      },
      onDecided: (before, after, { status }) => status && this.did.push(`decided ${before.status?.phase} to ${after.status?.phase}`),
      forget: () => this.did.push('forget'),
      ...handler,
    }, {
      clock: this.clock,
      writer: 'this-operator',
      events: { record: (_, { reason }) => void this.did.push(`event ${reason}`) },
      client: {
        updateStatus: async (_: unknown, { status }: any) => {
          this.did.push(`write ${JSON.stringify(status)}`);
          const kept = Object.fromEntries(Object.entries(status).filter(([name]) => !this.dropped.includes(name)));
          const answer = this.object(kept);
          this.fail(status);
          return answer;
        },
      } as never,
    });
  }

  put(status: Status): void {
    this.store.upsert(this.object(status));
  }

  remove(): void {
    this.store.apply('DELETED', this.object({}));
  }

  reconcile() {
    return this.loop.reconcile('jobs/a', { logger: silentLogger });
  }

  private object(status: Status): Thing {
    return { metadata: { name: 'a', namespace: 'jobs', uid: 'u', resourceVersion: String(++this.version) }, status };
  }
}

test('a round writes the status, records events and acts, and the next one sees the result', async () => {
  const world = new World((result) => (result === undefined
    ? { status: { phase: 'Begun' }, events: [EVENT], action: 'make' }
    : { status: { phase: `Has ${result}` }, events: [], requeueAfter: 60_000 }));
  expect(await world.reconcile()).toEqual({ requeueAfter: 60_000 });
  expect(world.did).toEqual([
    'write {"phase":"Begun"}', 'decided undefined to Begun', 'event Done', 'perform make', 'write {"phase":"Has make"}', 'decided Begun to Has make',
  ]);
});

test('an object that is not found at the write is forgotten once the watch reports its deletion', async () => {
  const world = new World(() => ({ status: { phase: 'Begun' }, events: [EVENT], action: 'make' }));
  world.fail = () => { throw notFound(); };
  expect(await world.reconcile()).toEqual({ requeueAfter: 1_000 });
  world.remove();
  expect(await world.reconcile()).toBeUndefined();
  expect(world.did).toEqual(['write {"phase":"Begun"}', 'forget']);
});

test('so is the status of its owned objects', async () => {
  const world = new World(() => ({ events: [] }), { rest: async () => ({ status: { note: 'address' } }) });
  world.fail = () => { throw notFound(); };
  expect(await world.reconcile()).toEqual({ requeueAfter: 1_000 });
});

test('an object whose kind is not served for a moment is written later', async () => {
  const world = new World(() => ({ status: { phase: 'Begun' }, events: [EVENT] }));
  world.fail = () => {
    world.fail = () => undefined;
    throw notFound();
  };
  expect(await world.reconcile()).toEqual({ requeueAfter: 1_000 });
  await world.reconcile();
  expect(world.did).toEqual(['write {"phase":"Begun"}', 'write {"phase":"Begun"}', 'decided undefined to Begun', 'event Done']);
});

test('a write whose answer is lost is reported once, when the object is seen with it', async () => {
  const world = new World((_, { now }) => (now === 1_000 ? { status: { phase: 'Begun' }, events: [EVENT] } : { events: [] }));
  world.fail = () => { throw new ApiError({ verb: 'update', resource: 'things' }, 504, { reason: 'Timeout', message: 'no answer' }); };
  await expect(world.reconcile()).rejects.toThrow('no answer');
  expect(world.did).toEqual(['write {"phase":"Begun"}']);
  world.put({ phase: 'Begun' });
  world.clock.advance(1);
  for (let pass = 0; pass < 2; pass++) await world.reconcile();
  expect(world.did.slice(1)).toEqual(['decided undefined to Begun', 'event Done']);
});

test('changes that can wait are written after their time; an action never waits', async () => {
  let action: string | undefined;
  const world = new World((result) => ({ status: { phase: 'A', count: 2 }, events: [], action: result ? undefined : action }), {
    coalesced: { fields: ['count'], time: () => 500 },
  });
  world.put({ phase: 'A', count: 1 });
  expect(await world.reconcile()).toEqual({ requeueAfter: 500 });
  expect(world.did).toEqual([]);
  action = 'make';
  await world.reconcile();
  expect(world.did[0]).toBe('write {"phase":"A","count":2}');
});

test('after an answer without a field it decides again before it acts, and does not write that field again', async () => {
  const world = new World((result, { dropped, isDropNew }) => (
    { status: { phase: 'A', note: 'n' }, events: isDropNew && dropped.has('note') ? [EVENT] : [], action: result ? undefined : 'make' }
  ), { onDecided: undefined });
  world.dropped = ['note'];
  await world.reconcile();
  await world.reconcile();
  expect(world.did).toEqual(['write {"phase":"A","note":"n"}', 'event Done', 'perform make', 'perform make']);
  // A later write shows whether the CRD is another one now.
  world.clock.advance(300_000);
  await world.reconcile();
  expect(world.did.filter((call) => call.startsWith('write'))).toHaveLength(2);
});

test('decisions without an end are an error', async () => {
  const world = new World(() => ({ events: [], action: 'again' }));
  await expect(world.reconcile()).rejects.toThrow('jobs/a did not settle in 20 rounds');
});
