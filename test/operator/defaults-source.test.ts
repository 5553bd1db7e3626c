import { DefaultsSource, type DefaultsSourceOptions } from '../../src/operator/defaults-source';
import { systemClock, type Clock } from '../../src/kube/clock';
import { ApiError } from '../../src/kube/errors';
import { silentLogger } from '../../src/kube/logger';
import type { ListWatcher } from '../../src/kube/reflector';
import { readiness } from '../../src/operator/readiness';
import { configMap, type Files } from '../plan/defaults/layers';

const FORBIDDEN = new ApiError({ verb: 'list', resource: 'configmaps' }, 403, { reason: 'Forbidden', message: 'configmaps is forbidden' });

/** A namespace of applications that is watched. */
const WATCHED = { namespace: 'jobs', synced: true, silentFor: 0 };

/** A collection of ConfigMaps that answers on demand. */
class ConfigMaps {
  /** The fields of each list, such as `jobs metadata.name=a`. */
  public readonly lists: string[] = [];
  public refuse = false;
  private readonly watchers = new Map<string, (event: any) => void>();
  private readonly rejections: ((error: Error) => void)[] = [];
  private readonly watching: (() => void)[] = [];
  private version = 100;

  constructor(private readonly objects: ReturnType<typeof configMap>[]) {}

  public readonly client = {
    openPage: async (_: unknown, { namespace, fieldSelector }: any) => {
      this.lists.push(`${namespace ?? 'all'} ${fieldSelector}`);
      if (this.refuse) throw FORBIDDEN;
      return { items: this.objects.filter(({ metadata }) => !namespace || metadata.namespace === namespace), metadata: { resourceVersion: '100' } };
    },
    watch: (_: unknown, { namespace, signal }: any, onEvent: (event: any) => void) => new Promise<void>((_resolve, reject) => {
      this.watchers.set(namespace ?? '', onEvent);
      signal.addEventListener('abort', () => reject(signal.reason));
      this.rejections.push(reject);
      for (const resolve of this.watching.splice(0)) resolve();
    }),
  } as unknown as ListWatcher;

  /** Resolves when so many watches are open. */
  async watches(count: number): Promise<void> {
    while (this.watchers.size < count) await new Promise<void>((resolve) => this.watching.push(resolve));
  }

  /** From now on nothing can be read, and what is being watched is ended. */
  withdrawRights(): void {
    this.refuse = true;
    for (const reject of this.rejections.splice(0)) reject(FORBIDDEN);
  }

  send(type: string, namespace: string, files: Files, watch = namespace): void {
    this.watchers.get(watch)!({ type, object: configMap(namespace, files, String(++this.version)) });
  }
}

const sources: DefaultsSource[] = [];

afterEach(async () => {
  await Promise.all(sources.splice(0).map((source) => source.stop()));
});

function start(server: ConfigMaps, options: Partial<DefaultsSourceOptions> = {}) {
  const changes: (string | undefined)[] = [];
  const source = new DefaultsSource({
    client: server.client, name: 'spark-operator-defaults', operatorNamespace: 'spark-operator', namespaces: ['jobs'], onChange: (namespace) => changes.push(namespace), logger: silentLogger, ...options,
  });
  sources.push(source);
  source.start();
  return { source, changes };
}

/**
 * The defaults for the memory of drivers that count, by the ConfigMap, or why nothing may be
 * submitted.
 */
function memory(source: DefaultsSource, namespace: string) {
  const current = source.current(namespace);
  if (current.kind === 'unusable') return current.reason;
  return Object.fromEntries(Object.entries(current.layers).map(([layer, { defaults }]) => [layer, (defaults.driver as any)?.memory]));
}

test('only the ConfigMap of that name is watched, in the operator\'s namespace and in those of applications', async () => {
  const server = new ConfigMaps([configMap('spark-operator', { defaults: 'driver: {memory: 1g}' }), configMap('jobs', { defaults: 'driver: {memory: 2g}' })]);
  const { source } = start(server);
  await server.watches(2);
  expect(server.lists).toEqual(['jobs metadata.name=spark-operator-defaults', 'spark-operator metadata.name=spark-operator-defaults']);
  expect(memory(source, 'jobs')).toEqual({ cluster: '1g', namespace: '2g' });
  // There applications of the operator's own namespace have it once.
  expect(memory(source, 'spark-operator')).toEqual({ cluster: '1g' });
});

test('a change, a mistake, its repair and a deletion apply from then on, and are reported', async () => {
  const server = new ConfigMaps([]);
  const { source, changes } = start(server);
  await server.watches(2);
  expect(memory(source, 'jobs')).toEqual({});
  changes.length = 0;

  server.send('ADDED', 'jobs', { defaults: 'driver: {memory: 2g}' });
  expect(memory(source, 'jobs')).toEqual({ namespace: '2g' });
  server.send('MODIFIED', 'jobs', { defaults: 'driver: {memory: 2Gx}' });
  expect(memory(source, 'jobs')).toMatch(/^ConfigMap jobs\/spark-operator-defaults cannot be used: defaults.yaml: driver.memory/);
  server.send('MODIFIED', 'jobs', { defaults: 'driver: {memory: 3g}' });
  expect(memory(source, 'jobs')).toEqual({ namespace: '3g' });
  server.send('DELETED', 'jobs', { defaults: 'driver: {memory: 3g}' });
  expect(memory(source, 'jobs')).toEqual({});
  expect(changes).toEqual(['jobs', 'jobs', 'jobs', 'jobs']);
});

test('a mistake in a namespace affects only that; one in the operator\'s affects all', async () => {
  const server = new ConfigMaps([]);
  const { source, changes } = start(server, { namespaces: ['jobs', 'other'] });
  await server.watches(3);
  changes.length = 0;
  server.send('ADDED', 'jobs', { limits: 'nonsense: 1' });
  expect(memory(source, 'other')).toEqual({});
  server.send('ADDED', 'spark-operator', { limits: 'nonsense: 1' });
  expect(memory(source, 'other')).toMatch(/spark-operator\/spark-operator-defaults cannot be used/);
  expect(changes).toEqual(['jobs', undefined]);
});

test('a mistake in a namespace leaves the layer of the cluster', async () => {
  const server = new ConfigMaps([configMap('spark-operator', { limits: 'minScheduleInterval: 1h' })]);
  const { source } = start(server);
  await server.watches(2);
  server.send('ADDED', 'jobs', { limits: 'nonsense: 1' });
  expect(source.current('jobs')).toMatchObject({ kind: 'unusable', layers: { cluster: { limits: { minScheduleInterval: { milliseconds: 3_600_000 } } } } });
});

test('before it was looked for, nothing is known', async () => {
  const server = new ConfigMaps([]);
  const { source, changes } = start(server);
  expect(memory(source, 'jobs')).toBe('ConfigMap spark-operator/spark-operator-defaults, which can hold defaults and limits, has not been read yet');
  await server.watches(2);
  await Promise.resolve();
  expect(changes).toEqual(['jobs', undefined]);
  expect(source.health().map(({ namespace, synced, isRequired }) => [namespace, synced, isRequired])).toEqual([['jobs', true, undefined], ['spark-operator', true, true]]);
});

test('without rights the reason says what to grant, or how to do without', async () => {
  const server = new ConfigMaps([]);
  server.refuse = true;
  const { source } = start(server);
  while (source.health().some(({ problem }) => problem === undefined)) await new Promise(setImmediate);
  expect(readiness([WATCHED], undefined, source.health())).toMatchObject({ status: 503, body: expect.stringMatching(/^jobs: ok\ndefaults and limits of jobs: cannot be watched: .*forbidden/) });
  expect(memory(source, 'jobs')).toMatch(/cannot be read: .*forbidden; grant get, list and watch of it to the operator, or start the operator with --defaults-config-map=/);
});

test('rights that are withdrawn later are reported once, and make the operator not ready, though the last content still applies', async () => {
  const server = new ConfigMaps([configMap('jobs', { defaults: 'driver: {memory: 2g}' })]);
  const warnings: [string | undefined, string][] = [];
  // Each pause between tries takes no time.
  const clock: Clock = { ...systemClock, setTimeout: (callback) => systemClock.setTimeout(callback, 0) };
  const { source } = start(server, { clock, logger: { ...silentLogger, warn: (fields: any, message) => warnings.push([fields.namespace, message]) } });
  await server.watches(2);
  await Promise.resolve();
  expect(readiness([WATCHED], undefined, source.health()).status).toBe(200);

  server.withdrawRights();
  while (server.lists.length < 8) await new Promise(setImmediate);
  expect(memory(source, 'jobs')).toEqual({ namespace: '2g' });
  expect(warnings.filter(([, message]) => message.includes('ConfigMap'))).toEqual(['jobs', 'spark-operator'].map((namespace) => [
    namespace, 'the ConfigMap with defaults and limits cannot be read any more: its last content still applies, and changes of it do not',
  ]));
  expect(readiness([WATCHED], undefined, source.health()).status).toBe(503);
  // Of a namespace of applications it is only told.
  expect(readiness([WATCHED], undefined, source.health().filter(({ namespace }) => namespace === 'jobs')).status).toBe(200);
});

test('all namespaces by one watch', async () => {
  const server = new ConfigMaps([configMap('jobs', { defaults: 'driver: {memory: 2g}' })]);
  const { source, changes } = start(server, { namespaces: 'all' });
  await server.watches(1);
  expect(server.lists).toEqual(['all metadata.name=spark-operator-defaults']);
  expect(memory(source, 'jobs')).toEqual({ namespace: '2g' });
  server.send('ADDED', 'spark-operator', { defaults: 'driver: {memory: 1g}' }, '');
  expect(memory(source, 'anywhere')).toEqual({ cluster: '1g' });
  expect(changes.slice(-1)).toEqual([undefined]);
});

test('namespaces come and go', async () => {
  const server = new ConfigMaps([configMap('late', { defaults: 'driver: {memory: 2g}' })]);
  const { source } = start(server);
  await server.watches(2);
  expect(memory(source, 'late')).toMatch(/has not been read yet/);
  source.add('late');
  await server.watches(3);
  expect(memory(source, 'late')).toEqual({ namespace: '2g' });
  await source.remove('late');
  expect(memory(source, 'late')).toMatch(/has not been read yet/);
  await source.remove('spark-operator');
  expect(memory(source, 'jobs')).toEqual({});
});

test('no name, no defaults: nothing is watched', async () => {
  const server = new ConfigMaps([]);
  const { source } = start(server, { name: undefined });
  expect([memory(source, 'jobs'), server.lists, source.health()]).toEqual([{}, [], []]);
});
