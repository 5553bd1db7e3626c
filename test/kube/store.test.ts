import * as fc from 'fast-check';
import { keyOf } from '../../src/kube/objects';
import { Store, type StoreEvent, type StoreOptions } from '../../src/kube/store';
import { type Thing, thing } from './helpers/things';

/** Returns a store, and a record of its events as `type name:size`. */
function newStore(options: StoreOptions<Thing> = {}) {
  const store = new Store<Thing>(options);
  const events: string[] = [];
  store.subscribe(({ type, object }) => events.push(`${type} ${object.metadata.name}:${object.spec?.size}`));
  const names = () => store.list().map(({ metadata }) => metadata.name).sort();
  return { store, events, names };
}

const list = (resourceVersion: number, ...objects: Thing[]) => ({ resourceVersion: String(resourceVersion), objects });

describe('a store', () => {
  test('follows a list and a watch, and reports the changes', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('a', 3), thing('b', 4)));
    store.apply('ADDED', thing('c', 6));
    store.apply('MODIFIED', thing('a', 7, { size: 1 }));
    store.apply('DELETED', thing('b', 8));
    expect(events).toEqual(['added a:0', 'added b:0', 'added c:0', 'updated a:1', 'deleted b:0']);
    expect(store.get('default/a')).toEqual(thing('a', 7, { size: 1 }));
    expect(store.get({ namespace: 'default', name: 'b' })).toBeUndefined();
    expect(store.size).toBe(2);
  });

  test('reports the previous state of an object with an update', () => {
    const { store } = newStore();
    let seen: StoreEvent<Thing> | undefined;
    store.replace(list(5, thing('a', 3)));
    store.subscribe((event) => { seen = event; });
    store.apply('MODIFIED', thing('a', 7, { size: 1 }));
    expect(seen).toEqual({ type: 'updated', object: thing('a', 7, { size: 1 }), old: thing('a', 3) });
  });

  test('does not report a change of only the resource version', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('a', 3)));
    store.apply('MODIFIED', thing('a', 7));
    expect(events).toEqual(['added a:0']);
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('7');
  });

  test('reports a deletion and an addition when another object has the same name', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('a', 3, { uid: '1' })));
    store.apply('MODIFIED', thing('a', 9, { uid: '2', size: 2 }));
    expect(events).toEqual(['added a:0', 'deleted a:0', 'added a:2']);
  });

  test('becomes equal to a new list, and reports the differences', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('same', 3), thing('changed', 4), thing('gone', 5)));
    events.length = 0;
    store.replace(list(9, thing('same', 3), thing('changed', 8, { size: 1 }), thing('new', 9)));
    expect(events.sort()).toEqual(['added new:0', 'deleted gone:0', 'updated changed:1']);
  });

  test('stores objects nested too deeply to compare', () => {
    const { store } = newStore();
    const deep = () => ({ ...thing('a'), spec: JSON.parse(`${'{"a":'.repeat(9_000)}"x"${'}'.repeat(9_000)}`) });
    store.replace(list(5, deep(), thing('b', 4)));
    store.apply('MODIFIED', { ...deep(), metadata: { ...thing('a').metadata, resourceVersion: '7' } });
    expect(store.get('default/a')!.metadata.resourceVersion).toBe('7');
    expect(store.size).toBe(2);
  });

  test('continues after a listener throws, and reports it', () => {
    const errors: Error[] = [];
    const store = new Store<Thing>({ onListenerError: (error) => errors.push(error) });
    const seen: string[] = [];
    store.subscribe(() => { throw new Error('oops'); });
    const unsubscribe = store.subscribe(({ object }) => seen.push(object.metadata.name));
    store.replace(list(5, thing('a', 3)));
    unsubscribe();
    store.apply('ADDED', thing('b', 6));
    expect(seen).toEqual(['a']);
    expect(errors.map(({ message }) => message)).toEqual(['oops', 'oops']);
    expect(store.size).toBe(2);
  });
});

describe('our own write', () => {
  test('is visible at once, and its watch event is no news', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('a', 3)));
    expect(store.upsert(thing('a', 8, { size: 1 }))).toBe(true);
    expect(store.get('default/a')?.spec?.size).toBe(1);
    store.apply('MODIFIED', thing('a', 8, { size: 1 }));
    expect(events).toEqual(['added a:0', 'updated a:1']);
  });

  test('is not undone by an earlier watch event or list', () => {
    const { store } = newStore();
    store.replace(list(5, thing('a', 3)));
    store.upsert(thing('a', 8, { size: 1 }));
    store.upsert(thing('b', 9));
    store.apply('MODIFIED', thing('a', 6));
    store.replace(list(7, thing('a', 6)));
    expect(store.get('default/a')?.spec?.size).toBe(1);
    expect(store.get('default/b')).toBeDefined();
  });

  test('is not undone by the late deletion of an object of the same name', () => {
    const { store } = newStore();
    store.replace(list(5, thing('a', 3, { uid: 'old' })));
    store.upsert(thing('a', 9, { uid: 'new' }));
    store.apply('DELETED', thing('a', 8, { uid: 'old' }));
    expect(store.get('default/a')?.metadata.uid).toBe('new');
    store.apply('DELETED', thing('a', 12, { uid: 'new' }));
    expect(store.get('default/a')).toBeUndefined();
  });

  test('does not restore a deleted object when its answer is late', () => {
    const { store, events } = newStore();
    store.replace(list(5, thing('a', 3)));
    store.apply('DELETED', thing('a', 8));
    expect(store.upsert(thing('a', 7, { size: 1 }))).toBe(false);
    expect(events).toEqual(['added a:0', 'deleted a:0']);
  });

  test('does not restore an object that was deleted while the store was disconnected', () => {
    const { store } = newStore();
    store.replace(list(5, thing('a', 3)));
    store.replace(list(9));
    expect(store.upsert(thing('a', 7, { size: 1 }))).toBe(false);
    expect(store.size).toBe(0);
  });

  test('is ignored when versions are not comparable', () => {
    const { store } = newStore();
    const odd = { ...thing('a'), metadata: { ...thing('a').metadata, resourceVersion: 'opaque' } };
    expect(store.upsert(odd)).toBe(false);
    store.apply('ADDED', odd);
    expect(store.size).toBe(1);
  });
});

describe('several namespaces', () => {
  const one = (name: string, rv: number) => thing(name, rv, { namespace: 'one' });
  const two = (name: string, rv: number) => thing(name, rv, { namespace: 'two' });

  test('are listed and watched independently', () => {
    const { store, names } = newStore();
    store.replace({ ...list(5, one('a', 3)), namespace: 'one' });
    store.replace({ ...list(20, two('b', 4)), namespace: 'two' });
    store.apply('ADDED', one('c', 9), 'one');
    expect(store.upsert(one('d', 15))).toBe(true);
    expect(store.upsert(two('e', 15))).toBe(false);
    store.replace({ ...list(30), namespace: 'two' });
    expect(names()).toEqual(['a', 'c', 'd']);
  });
});

describe('a server that was restored from a backup', () => {
  test('is accepted, although all its resource versions are older', () => {
    const { store, events, names } = newStore();
    store.replace(list(50, thing('a', 40, { size: 4 }), thing('b', 50)));
    events.length = 0;
    store.replace({ ...list(20, thing('a', 10)), reset: true });
    expect(names()).toEqual(['a']);
    expect(store.get('default/a')).toEqual(thing('a', 10));
    store.apply('MODIFIED', thing('a', 21, { size: 2 }));
    expect(store.upsert(thing('a', 22, { size: 3 }))).toBe(true);
    expect(events).toEqual(['deleted b:0', 'updated a:0', 'updated a:2', 'updated a:3']);
  });
});

describe('an index', () => {
  const indexes = { bySize: ({ spec }: Thing) => spec?.size ? [String(spec.size), 'any'] : undefined };
  const namesIn = (store: Store<Thing>, value: string) => store.byIndex('bySize', value).map(({ metadata }) => metadata.name).sort();

  test('finds objects by value and follows their changes', () => {
    const { store } = newStore({ indexes });
    store.replace(list(5, thing('a', 1, { size: 1 }), thing('b', 2, { size: 1 }), thing('c', 3)));
    expect(namesIn(store, '1')).toEqual(['a', 'b']);
    expect(namesIn(store, 'any')).toEqual(['a', 'b']);
    store.apply('MODIFIED', thing('a', 6, { size: 2 }));
    expect(namesIn(store, '1')).toEqual(['b']);
    expect(store.byIndex('bySize', '2')).toEqual([thing('a', 6, { size: 2 })]);
    store.apply('DELETED', thing('b', 7, { size: 1 }));
    expect(namesIn(store, '1')).toEqual([]);
    expect(namesIn(store, 'any')).toEqual(['a']);
  });

  test('keeps the order of insertion, and has an object once for a repeated value', () => {
    const store = new Store<Thing>({ indexes: { bySize: (object) => Array(2).fill(String(object.spec?.size)) } });
    const found = () => store.byIndex('bySize', '0').map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`);
    store.replace(list(5, thing('a', 3), thing('b', 4), thing('c', 5)));
    store.apply('MODIFIED', thing('a', 6));
    expect(found()).toEqual(['a 6', 'b 4', 'c 5']);
    store.apply('DELETED', thing('b', 7));
    store.apply('MODIFIED', thing('a', 8, { size: 1 }));
    expect(found()).toEqual(['c 5']);
    store.apply('DELETED', thing('c', 9));
    expect(found()).toEqual([]);
  });

  test('that does not exist is an error', () => {
    const { store } = newStore({ indexes });
    expect(() => store.byIndex('bySise', '1')).toThrow('no index "bySise"');
  });
});

/**
 * The server's history is a sequence of revisions. The watch reports each in order. Answers to our
 * writes also report some of them, at any later moment.
 */
describe('a store, in whatever order answers and events arrive', () => {
  const change = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    delete: fc.boolean(),
    size: fc.nat(3),
    /**
     * Number of further revisions of the watch before the answer arrives, if the write was ours;
     * negative: before its own event.
     */
    answerAfter: fc.option(fc.integer({ min: -4, max: 4 })),
  });

  test('ends in the server\'s state, and its events lead there', () => {
    fc.assert(fc.property(fc.array(change, { maxLength: 30 }), fc.nat(30), (changes, relistAt) => {
      const problems: Error[] = [];
      const { store } = newStore({
        indexes: { bySize: ({ spec }) => String(spec!.size) },
        onListenerError: (error) => problems.push(error),
      });
      const replayed = new Map<string, Thing>();
      store.subscribe((event) => {
        const key = keyOf(event.object.metadata);
        expect(replayed.has(key)).toBe(event.type !== 'added');
        if (event.type === 'deleted') replayed.delete(key);
        else replayed.set(key, event.object);
      });

      // Changes on the server.
      const server = new Map<string, Thing>();
      const history: { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Thing; state: Thing[] }[] = [];
      const answers = new Map<number, Thing[]>();
      changes.forEach((step, index) => {
        const rv = index + 1;
        const old = server.get(step.name);
        if (step.delete && !old) {
          history.push({ type: 'ADDED', object: thing(`other-${rv}`, rv), state: [] });
          server.set(`other-${rv}`, thing(`other-${rv}`, rv));
        } else if (step.delete) {
          server.delete(step.name);
          history.push({ type: 'DELETED', object: thing(step.name, rv, { uid: old!.metadata.uid, size: old!.spec!.size }), state: [] });
        } else {
          const object = thing(step.name, rv, { uid: old?.metadata.uid ?? `${step.name}-${rv}`, size: step.size });
          server.set(step.name, object);
          history.push({ type: old ? 'MODIFIED' : 'ADDED', object, state: [] });
          if (step.answerAfter !== null) {
            const when = Math.max(0, index + step.answerAfter);
            answers.set(when, [...answers.get(when) ?? [], object]);
          }
        }
        history[index]!.state.push(...server.values());
      });

      // Inputs of the store.
      store.replace({ objects: [], resourceVersion: '0' });
      history.forEach(({ type, object, state }, index) => {
        answers.get(index)?.forEach((answer) => store.upsert(answer));
        if (index === relistAt) store.replace({ objects: state, resourceVersion: object.metadata.resourceVersion! });
        else store.apply(type, object);
      });
      [...answers].filter(([when]) => when >= history.length).forEach(([, late]) => late.forEach((answer) => store.upsert(answer)));

      expect(problems).toEqual([]);
      const sorted = (objects: Iterable<Thing>) => [...objects].sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
      expect(sorted(store.list())).toEqual(sorted(server.values()));
      const content = (object: Thing) => ({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
      expect(sorted(replayed.values()).map(content)).toEqual(sorted(server.values()).map(content));
      for (let size = 0; size <= 3; size++) {
        expect(sorted(store.byIndex('bySize', String(size)))).toEqual(sorted(server.values()).filter(({ spec }) => spec!.size === size));
      }
    }), { numRuns: 500 });
  });
});
