import * as fc from 'fast-check';
import { silentLogger } from '../../src/kube/logger';
import { keyOf } from '../../src/kube/objects';
import { Reflector } from '../../src/kube/reflector';
import { Store } from '../../src/kube/store';
import { FakeApiServer, isList, isWatch, reset, status, text } from './helpers/fake-api-server';
import { type Thing, thing, THINGS } from './helpers/things';

describe('a reflector, whatever happens to it', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name, size: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
    fc.record({ do: fc.constant('replace' as const), name, size: fc.nat(3) }),
    fc.record({ do: fc.constant('disconnect' as const), text: fc.constantFrom(undefined, '', '{"type":"ADD', 'garbage\n') }),
    fc.record({ do: fc.constant('end' as const) }),
    fc.record({ do: fc.constant('compact' as const) }),
    fc.record({ do: fc.constant('bookmark' as const) }),
    fc.record({ do: fc.constant('gone' as const) }),
    fc.record({ do: fc.constant('failList' as const), fault: fc.constantFrom(reset, status(500, 'InternalError'), status(410, 'Expired')) }),
    fc.record({ do: fc.constant('failWatch' as const), fault: fc.constantFrom(reset, status(500, 'InternalError'), status(410, 'Expired'), text('')) }),
    fc.record({ do: fc.constant('ownWrite' as const), name, size: fc.nat(3) }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  );

  test('ends in the server\'s state, and its events lead there', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), async (steps, pageSize) => {
      const faulty = await FakeApiServer.start();
      const store = new Store<Thing>();
      const replayed = new Map<string, Thing>();
      const problems: string[] = [];
      store.subscribe((event) => {
        const key = keyOf(event.object.metadata);
        if (replayed.has(key) === (event.type === 'added')) problems.push(`${event.type} ${key}`);
        if (event.type === 'deleted') replayed.delete(key);
        else replayed.set(key, event.object);
      });
      // With the real clock, yet hardly any waits.
      const reflector = new Reflector<Thing>({
        client: faulty.client(), resource: THINGS, store, pageSize, logger: silentLogger, minBackoff: 1, maxBackoff: 4,
      });
      reflector.start();
      try {
        for (const current of steps) {
          switch (current.do) {
            case 'put':
              faulty.put(thing(current.name, undefined, { size: current.size, uid: faulty.state()[`default/${current.name}`]?.metadata.uid }));
              break;
            case 'ownWrite':
              store.upsert(faulty.put(thing(current.name, undefined, {
                size: current.size, uid: faulty.state()[`default/${current.name}`]?.metadata.uid,
              })));
              break;
            case 'remove':
              faulty.remove(current.name);
              break;
            case 'replace':
              faulty.remove(current.name);
              faulty.put(thing(current.name, undefined, { size: current.size, uid: `uid-${faulty.resourceVersion}` }));
              break;
            case 'disconnect': faulty.disconnect(current.text); break;
            case 'end': faulty.endWatches(); break;
            case 'compact': faulty.compact(); break;
            case 'bookmark': faulty.sendBookmark(); break;
            case 'gone': faulty.sendEvent('ERROR', { kind: 'Status', code: 410 }); break;
            case 'failList': faulty.fail(isList, current.fault); break;
            case 'failWatch': faulty.fail(isWatch, current.fault); break;
            case 'pause': await new Promise((resolve) => setImmediate(resolve)); break;
          }
        }
        // Faults that were not met are met now; the last thing is then seen by whatever watch there is.
        await reflector.hasSynced;
        const last = keyOf(faulty.put(thing('last')).metadata);
        while (!store.get(last)) await new Promise((resolve) => setTimeout(resolve, 1));

        const sorted = (objects: Iterable<Thing>) => Object.fromEntries([...objects].map((o) => [keyOf(o.metadata), o]));
        expect(sorted(store.list())).toEqual(faulty.state());
        const content = (objects: Record<string, Thing>) => Object.entries(objects).map(([key, { metadata, spec }]) => [key, metadata.uid, spec]).sort();
        expect(content(Object.fromEntries(replayed))).toEqual(content(faulty.state()));
        expect(problems).toEqual([]);
      } finally {
        await reflector.stop();
        await faulty.stop();
      }
    }), { numRuns: 100 });
  }, 240_000);
});
