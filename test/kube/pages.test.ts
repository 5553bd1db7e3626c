/*
 * Lists of large objects: no page takes much memory, and lists of usual ones need no additional
 * calls.
 */
import type { KubeClient } from '../../src/kube/client';
import { type FakeApiServer, isList } from './helpers/fake-api-server';
import { ReflectorWorld } from './helpers/reflector-world';
import { thing, THINGS } from './helpers/things';

// Dozens of MiB pass through the client.
jest.setTimeout(60_000);

let world: ReflectorWorld;
let server: FakeApiServer;
let client: KubeClient;

beforeEach(async () => {
  world = await ReflectorWorld.start();
  ({ server } = world);
  client = server.client();
});

afterEach(() => world.stop());

const MIB = 1024 * 1024;

/** Stores an object with the given bytes of labels. */
function put(name: string, bytes: number): void {
  const object = thing(name);
  server.put({ ...object, metadata: { ...object.metadata, labels: { long: 'x'.repeat(bytes) } } });
}

const limits = () => server.requests.filter(isList).map(({ query }) => Number(query.get('limit')));
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

test('a page that is too large is aborted, and smaller ones are read', async () => {
  const all = numbered('a', 12);
  for (const name of all) put(name, MIB);
  const { reflector, names, errors } = world.newReflector({ pageSize: 100 });
  await world.follow(reflector);
  expect(names()).toEqual(all);
  expect(limits()).toEqual([100, 3, 3, 3, 3]);
  expect(errors).toEqual([]);
});

test('before and after large objects, small ones have full pages', async () => {
  for (const name of numbered('a', 100)) put(name, 10);
  for (const name of numbered('b', 6)) put(name, 1.9 * MIB);
  for (const name of numbered('c', 100)) put(name, 10);
  const { reflector, names } = world.newReflector({ pageSize: 100 });
  await world.follow(reflector);
  expect(names()).toEqual([...numbered('a', 100), ...numbered('b', 6), ...numbered('c', 100)]);
  expect(limits()).toEqual([100, 100, 3, 2, 2, 4, 100]);
});

test('objects of usual size need one call for 100 of them', async () => {
  for (const name of numbered('a', 250)) put(name, 10 * 1024);
  const { reflector } = world.newReflector({});
  await world.follow(reflector);
  expect(limits()).toEqual([100, 100, 100]);
});

test('lists without a reflector have the same limit; a single object can be as large as the client accepts', async () => {
  for (const name of numbered('a', 3)) put(name, 10 * MIB);
  const found: string[] = [];
  for await (const { metadata: { name } } of client.list(THINGS)) found.push(name);
  expect(found).toEqual(numbered('a', 3));
  expect(limits()).toEqual([500, 15, 1, 1, 1]);
});
