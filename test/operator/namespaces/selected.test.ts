import type { WatchEvent } from '../../../src/kube/client';
import type { KubeObject } from '../../../src/kube/objects';
import type { ListWatcher } from '../../../src/kube/reflector';
import { SelectedNamespaces, watchedNamespaces } from '../../../src/operator/namespaces/selected';
import type { NamespaceSelection } from '../../../src/flags/configuration';
import { ManualClock, settle } from '../../kube/helpers/manual-clock';
import { MemoryLogger } from '../../kube/helpers/memory-logger';

const namespace = (name: string, resourceVersion: string): KubeObject => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion, labels: { team: 'data' } },
});

/** A server with the namespace `a`, which has the label. */
async function start(selection: NamespaceSelection) {
  const asked: { labelSelector?: string }[] = [];
  let send: (event: WatchEvent<KubeObject>) => void = () => {};
  const client = {
    openPage: async (_: unknown, options: { labelSelector?: string }) => {
      asked.push(options);
      return { items: [namespace('a', '5')], metadata: { resourceVersion: '10' } };
    },
    watch: (_: unknown, options: { signal: AbortSignal }, onEvent: typeof send) => new Promise((_resolve, reject) => {
      send = onEvent;
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
    }),
  };
  const reported: string[] = [];
  const selected = new SelectedNamespaces({
    selection, client: client as unknown as ListWatcher, logger: new MemoryLogger(), clock: new ManualClock(),
    onSelected: (name) => reported.push(name),
  });
  selected.start();
  await settle();
  return { selected, asked, reported, send: (event: WatchEvent<KubeObject>) => send(event) };
}

test('names need no call', async () => {
  const { selected, asked } = await start({ names: ['x'] });
  expect([selected.has('x'), selected.has('a')]).toEqual([true, false]);
  expect([asked, selected.health()]).toEqual([[], []]);
});

test('known failure 18: labels select namespaces in addition to names, and changes apply at run time', async () => {
  const { selected, asked, reported, send } = await start({ names: ['x'], selector: 'team=data' });
  expect(asked).toMatchObject([{ labelSelector: 'team=data' }]);
  expect(['x', 'a', 'b'].map((name) => selected.has(name))).toEqual([true, true, false]);

  send({ type: 'ADDED', object: namespace('b', '11') });
  expect(reported).toEqual(['a', 'b']);
  send({ type: 'DELETED', object: namespace('a', '12') });
  expect(['x', 'a', 'b'].map((name) => selected.has(name))).toEqual([true, false, true]);
  expect(selected.health()).toMatchObject([{ namespace: 'namespaces with team=data', synced: true, isRequired: true }]);
  await selected.stop();
});

test('with all namespaces, labels select nothing more', async () => {
  const { selected, asked } = await start({ names: 'all', selector: 'team=data' });
  expect([selected.has('any'), asked]).toEqual([true, []]);
});

test('with a selector, all namespaces are watched', () => {
  expect(watchedNamespaces({ names: ['x'] })).toEqual(['x']);
  expect(watchedNamespaces({ names: ['x'], selector: 'a' })).toBe('all');
  expect(watchedNamespaces({ names: 'all' })).toBe('all');
});
