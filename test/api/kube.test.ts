/* The controller toolkit against a real API server: what a fake server would accept proves nothing. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { KubeClient, type WatchEvent } from '../../src/kube/client';
import {
  type ApiError, isAlreadyExists, isConflict, isForbidden, isGone, isInvalid, isNotFound, toError,
} from '../../src/kube/errors';
import { EventRecorder, referenceTo } from '../../src/kube/events';
import { silentLogger } from '../../src/kube/logger';
import type { KubeObject } from '../../src/kube/objects';
import { Reflector } from '../../src/kube/reflector';
import { defineResource } from '../../src/kube/resource';
import { Store } from '../../src/kube/store';
import { testConnection } from '../helpers/test-connection';

interface ConfigMap extends KubeObject {
  readonly data?: Record<string, string>;
}
interface Gadget extends KubeObject {
  readonly spec?: { readonly size?: number };
  readonly status?: { readonly phase?: string };
}

const id = randomBytes(4).toString('hex');
const namespace = `kube-test-${id}`;
const group = `gadgets-${id}.test.dev`;

const NAMESPACES = defineResource({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false });
const CONFIG_MAPS = defineResource<ConfigMap>({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true });
const GADGETS = defineResource<Gadget>({ group, version: 'v1', kind: 'Gadget', plural: 'gadgets', namespaced: true });
const DEFINITIONS = defineResource<KubeObject & { spec: object; status?: { conditions?: { type: string; status: string }[] } }>({
  group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', plural: 'customresourcedefinitions', namespaced: false,
});

let client: KubeClient;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  client = new KubeClient(testConnection());
  await client.create(NAMESPACES, { metadata: { name: namespace } });
  await client.create(DEFINITIONS, gadgetDefinition());
  await gadgetsEstablished();
});

afterAll(async () => {
  await client.delete(NAMESPACES, { name: namespace });
  await client.delete(DEFINITIONS, { name: `gadgets.${group}` }).catch((error) => { if (!isNotFound(error)) throw error; });
  client.close();
});

afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

const configMap = (name: string, data?: Record<string, string>, labels?: Record<string, string>): ConfigMap => ({
  metadata: { namespace, name, labels }, data,
});

/** The error that a call rejects with. */
const failure = (call: Promise<unknown>): Promise<Error> => call.then(() => { throw new Error('it did not fail'); }, toError);

/** Follows the config maps with a label, and resolves `until` when the store is as expected. */
function follow(labelSelector: string) {
  const store = new Store<ConfigMap>();
  const events: string[] = [];
  let onEvent = () => {};
  store.subscribe(({ type, object }) => { events.push(`${type} ${object.metadata.name}`); onEvent(); });
  const reflector = new Reflector({
    client, resource: CONFIG_MAPS, store, namespace, labelSelector, pageSize: 10, logger: silentLogger,
  });
  stops.push(() => reflector.stop());
  reflector.start();
  const until = async (isExpected: () => boolean) => {
    while (!isExpected()) await new Promise<void>((resolve) => { onEvent = resolve; });
  };
  return { reflector, store, events, until };
}

describe('the client', () => {
  test('creates, reads, changes and deletes', async () => {
    const created = await client.create(CONFIG_MAPS, configMap('verbs', { a: '1', b: '2' }));
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: expect.any(String) } });
    const again = await failure(client.create(CONFIG_MAPS, configMap('verbs')));
    expect(isAlreadyExists(again)).toBe(true);
    expect(isConflict(again)).toBe(false);
    expect(again.message).toBe(`create configmaps ${namespace}/verbs: 409 AlreadyExists: configmaps "verbs" already exists`);
    expect(await client.get(CONFIG_MAPS, created.metadata)).toEqual(created);

    const merged = await client.patch(CONFIG_MAPS, created.metadata, { type: 'merge', body: { data: { a: null, c: '3' } } });
    expect(merged.data).toEqual({ b: '2', c: '3' });
    const patched = await client.patch(CONFIG_MAPS, created.metadata, {
      type: 'json', body: [{ op: 'test', path: '/data/b', value: '2' }, { op: 'remove', path: '/data/b' }],
    });
    expect(patched.data).toEqual({ c: '3' });
    const refused = await failure(client.patch(CONFIG_MAPS, created.metadata, { type: 'json', body: [{ op: 'test', path: '/data/c', value: 'x' }] }));
    expect(isInvalid(refused)).toBe(true);

    const updated = await client.update(CONFIG_MAPS, { ...patched, data: { d: '4' } });
    expect(updated.data).toEqual({ d: '4' });
    expect(isConflict(await failure(client.update(CONFIG_MAPS, { ...patched, data: { e: '5' } })))).toBe(true);

    expect(isConflict(await failure(client.delete(CONFIG_MAPS, created.metadata, { preconditions: { uid: 'other' } })))).toBe(true);
    await client.delete(CONFIG_MAPS, created.metadata, { propagationPolicy: 'Background', preconditions: { uid: created.metadata.uid } });
    expect(isNotFound(await failure(client.get(CONFIG_MAPS, created.metadata)))).toBe(true);
    expect(isNotFound(await failure(client.delete(CONFIG_MAPS, created.metadata)))).toBe(true);
  });

  test('applies on behalf of a manager', async () => {
    const ref = { namespace, name: 'applied' };
    await client.patch(CONFIG_MAPS, ref, { type: 'apply', fieldManager: 'one', body: { data: { a: '1' } } });
    const theirs = { type: 'apply', fieldManager: 'two', body: { data: { a: '2' } } } as const;
    const conflict = await failure(client.patch(CONFIG_MAPS, ref, theirs));
    expect(isConflict(conflict)).toBe(true);
    expect(conflict.message).toContain('conflict with "one": .data.a');
    expect((await client.patch(CONFIG_MAPS, ref, { ...theirs, force: true })).data).toEqual({ a: '2' });
  });

  test('keeps nothing of a dry run', async () => {
    await client.create(CONFIG_MAPS, configMap('dry'), { dryRun: true });
    expect(isNotFound(await failure(client.get(CONFIG_MAPS, { namespace, name: 'dry' })))).toBe(true);
  });

  test('tells why an object is refused', async () => {
    const invalid = await failure(client.create(CONFIG_MAPS, configMap('Not_A_Name')));
    expect(isInvalid(invalid)).toBe(true);
    expect(invalid).toMatchObject({ details: { causes: [{ field: 'metadata.name' }] } });
    const large = await failure(client.create(CONFIG_MAPS, configMap('large', { a: 'x'.repeat(2 * 1024 * 1024) })));
    expect(isInvalid(large)).toBe(true);
  });

  test('reports what is not allowed', async () => {
    const nobody = new KubeClient(testConnection({ 'impersonate-user': 'nobody' }));
    const forbidden = await failure(nobody.listPage(CONFIG_MAPS, { namespace }));
    nobody.close();
    expect(isForbidden(forbidden)).toBe(true);
    expect(forbidden.message).toMatch(/^list configmaps kube-test-\w+\/\*: 403 Forbidden: configmaps is forbidden: User "nobody" cannot list/);
  });

  test('uses a new certificate as soon as there is one', async () => {
    const { server, credentials } = testConnection();
    const { headers, tls } = await credentials();
    let current = { headers, tls: { ca: tls.ca } as typeof tls };
    const rotating = new KubeClient({ server, credentials: async () => current });
    const anonymous = await failure(rotating.listPage(CONFIG_MAPS, { namespace }));
    expect([401, 403]).toContain((anonymous as ApiError).status);
    current = { headers, tls };
    await rotating.listPage(CONFIG_MAPS, { namespace });
    rotating.close();
  });

  test('trusts no server that its authority does not vouch for', async () => {
    const { server } = testConnection();
    const careful = new KubeClient({ server, credentials: async () => ({ headers: {}, tls: {} }) });
    expect(await failure(careful.listPage(CONFIG_MAPS, { namespace }))).toMatchObject({ name: 'NetworkError', code: expect.stringMatching(/CERT|SIGNATURE/) });
    careful.close();
  });

  test('writes a status, unless the object has changed in between', async () => {
    const created = await client.create(GADGETS, { metadata: { namespace, name: 'g' }, spec: { size: 1 }, status: { phase: 'ignored' } });
    expect(created.status).toBeUndefined();
    const changed = await client.update(GADGETS, { ...created, spec: { size: 2 } });
    const late = await failure(client.updateStatus(GADGETS, { ...created, status: { phase: 'Late' } }));
    expect(isConflict(late)).toBe(true);
    const written = await client.updateStatus(GADGETS, { ...changed, spec: { size: 3 }, status: { phase: 'Done' } });
    expect([written.spec?.size, written.status?.phase]).toEqual([2, 'Done']);
    expect((await client.patch(GADGETS, created.metadata, { type: 'merge', body: { status: { phase: 'Patched' } } }, { subresource: 'status' })).status)
      .toEqual({ phase: 'Patched' });
  });
});

describe('lists and watches', () => {
  const labels = { pages: 'yes' };
  const name = (i: number) => `page-${String(i).padStart(2, '0')}`;

  beforeAll(async () => {
    await Promise.all([...Array(25).keys()].map((i) => client.create(CONFIG_MAPS, configMap(name(i), undefined, labels))));
  });

  test('come in pages that are one state', async () => {
    const options = { namespace, labelSelector: 'pages=yes', limit: 10 };
    const first = await client.listPage(CONFIG_MAPS, options);
    expect(first.items.length).toBe(10);
    expect(first.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    await client.create(CONFIG_MAPS, configMap('page-99', undefined, labels));
    await client.delete(CONFIG_MAPS, { namespace, name: 'page-99' });
    const second = await client.listPage(CONFIG_MAPS, { ...options, continue: first.metadata.continue });
    const third = await client.listPage(CONFIG_MAPS, { ...options, continue: second.metadata.continue });
    expect(third.metadata.continue).toBeFalsy();
    expect([second, third].map(({ metadata }) => metadata.resourceVersion)).toEqual([first, first].map(({ metadata }) => metadata.resourceVersion));
    expect([first, second, third].flatMap(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([...Array(25).keys()].map(name));
    const names: string[] = [];
    for await (const { metadata } of client.list(CONFIG_MAPS, options)) names.push(metadata.name);
    expect(names.length).toBe(25);
  });

  test('resume at a resource version, and end when the time is over', async () => {
    const one = await client.create(CONFIG_MAPS, configMap('resume-1', undefined, { resume: 'yes' }));
    const two = await client.create(CONFIG_MAPS, configMap('resume-2', undefined, { resume: 'yes' }));
    await client.delete(CONFIG_MAPS, two.metadata);
    const watch = async (resourceVersion: string) => {
      const events: WatchEvent<ConfigMap>[] = [];
      await client.watch(CONFIG_MAPS, { namespace, labelSelector: 'resume=yes', resourceVersion, timeoutSeconds: 1 }, (event) => events.push(event));
      return events.filter(({ type }) => type !== 'BOOKMARK').map(({ type, object }) => [type, (object as ConfigMap).metadata.name]);
    };
    expect(await watch(one.metadata.resourceVersion!)).toEqual([['ADDED', 'resume-2'], ['DELETED', 'resume-2']]);
    expect(await watch(two.metadata.resourceVersion!)).toEqual([['DELETED', 'resume-2']]);
  });

  test('tell when a resource version is too old', async () => {
    // The server knows of gadgets only what happened since their definition.
    expect(isGone(await failure(client.watch(GADGETS, { namespace, resourceVersion: '1', timeoutSeconds: 1 }, () => {})))).toBe(true);
  });

  test('end when they are aborted', async () => {
    const controller = new AbortController();
    const watching = failure(client.watch(CONFIG_MAPS, {
      namespace, resourceVersion: '', signal: controller.signal, onActivity: () => controller.abort(new Error('enough')),
    }, () => {}));
    expect((await watching).message).toBe('enough');
  });
});

describe('a reflector', () => {
  test('keeps a store equal to the server, and our own writes visible', async () => {
    const labels = { follow: 'yes' };
    for (let i = 0; i < 12; i++) await client.create(CONFIG_MAPS, configMap(`before-${i}`, undefined, labels));
    const { reflector, store, events, until } = follow('follow=yes');
    expect(await reflector.hasSynced).toBe(true);
    expect(store.size).toBe(12);
    events.length = 0;

    const mine = await client.create(CONFIG_MAPS, configMap('mine', { a: '1' }, labels));
    store.upsert(mine);
    expect(store.get(mine.metadata)?.data).toEqual({ a: '1' });
    const changed = await client.update(CONFIG_MAPS, { ...mine, data: { a: '2' } });
    store.upsert(changed);
    expect(store.get(mine.metadata)?.data).toEqual({ a: '2' });
    await client.delete(CONFIG_MAPS, mine.metadata);
    await until(() => store.get(mine.metadata) === undefined);
    expect(store.upsert(changed)).toBe(false);
    expect(events).toEqual(['added mine', 'updated mine', 'deleted mine']);

    // An object that loses its label is gone as far as this store is concerned.
    await client.patch(CONFIG_MAPS, { namespace, name: 'before-0' }, { type: 'merge', body: { metadata: { labels: { follow: null } } } });
    await until(() => store.size === 11);
    const listed = await client.listPage(CONFIG_MAPS, { namespace, labelSelector: 'follow=yes' });
    expect(Object.fromEntries(store.list().map((object) => [object.metadata.name, object])))
      .toEqual(Object.fromEntries(listed.items.map((object) => [object.metadata.name, object])));
    expect(reflector.health()).toMatchObject({ synced: true, failures: 0 });
  });
});

describe('events', () => {
  test('are shown by kubectl describe, with how often they happened', async () => {
    const object = await client.create(CONFIG_MAPS, configMap('eventful'));
    const recorder = new EventRecorder({ client, reportingController: 'toolkit-test', reportingInstance: 'test-0', logger: silentLogger });
    const regarding = referenceTo(CONFIG_MAPS, object);
    recorder.record(regarding, { type: 'Normal', reason: 'Begun', action: 'Begin', note: 'it has begun' });
    for (let i = 0; i < 3; i++) recorder.record(regarding, { type: 'Warning', reason: 'Slow', action: 'Wait', note: 'ü'.repeat(1_000) });
    expect(await recorder.flush()).toBe(true);
    expect(recorder.dropped).toBe(0);
    // The count of an event that was already written rises with the next flush.
    recorder.record(regarding, { type: 'Normal', reason: 'Begun', action: 'Begin', note: 'it has begun' });
    expect(await recorder.flush()).toBe(true);

    const described = execFileSync('kubectl', ['describe', 'configmap', 'eventful', '-n', namespace], { encoding: 'utf8' });
    expect(described).toMatch(/Normal +Begun .*\(x2 over .*\) +toolkit-test +it has begun/);
    expect(described).toMatch(/Warning +Slow .*\(x3 over .*\) +toolkit-test +ü+…/);
  });

  test('that cannot be written are counted, not thrown', async () => {
    const recorder = new EventRecorder({ client, reportingController: 'toolkit-test', reportingInstance: 'test-0', logger: silentLogger });
    recorder.record({ kind: 'ConfigMap', namespace: 'no-such-namespace', name: 'x' }, { type: 'Normal', reason: 'Begun', action: 'Begin', note: '' });
    expect(await recorder.flush()).toBe(true);
    expect(recorder.dropped).toBe(1);
  });
});

/** Waits until the server serves gadgets: a reflector of a cluster-scoped kind at work. */
async function gadgetsEstablished(): Promise<void> {
  const store = new Store<KubeObject & { status?: { conditions?: { type: string; status: string }[] } }>();
  const reflector = new Reflector({
    client, resource: DEFINITIONS, store, fieldSelector: `metadata.name=gadgets.${group}`, logger: silentLogger,
  });
  const established = new Promise<void>((resolve) => {
    store.subscribe(({ object }) => {
      if (object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) resolve();
    });
  });
  reflector.start();
  await established;
  await reflector.stop();
}

function gadgetDefinition() {
  const open = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
      versions: [{
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
      }],
    },
  };
}
