/*
 * Lists and watches in protobuf. test/api/protobuf.test.ts shows that the client reads answers of
 * real API servers.
 */
import { encode, enveloped, framed } from '../../helpers/protobuf';
import { isGone } from '../../../src/kube/errors';
import { OBJECT_META } from '../../../src/kube/protobuf/meta';
import { one, text } from '../../../src/kube/protobuf/message';
import { failure } from '../helpers/client-calls';
import { FakeApiServer, isAny, isWatch, type Fault } from '../helpers/fake-api-server';
import { type Thing, thing, THINGS } from '../helpers/things';

const READ = { ...THINGS, protobuf: { 1: one('metadata', OBJECT_META), 2: one('spec', { 1: text('colour') }) } };
const TYPE = 'application/vnd.kubernetes.protobuf';
const OBJECT = encode({ 1: { 1: 'a', 3: 'default', 6: '11' }, 2: { 1: 'red' } });
const EXPIRED = enveloped('Status', encode({ 2: 'Failure', 3: 'too old', 4: 'Expired', 6: 410 }));

let server: FakeApiServer;
beforeEach(async () => { server = await FakeApiServer.start(); });
afterEach(() => server.stop());

const answer = (body: Buffer, status = 200, type = TYPE): Fault => (_, response) => { response.writeHead(status, { 'content-type': type }).end(body); };
const event = (type: string, content: Buffer) => framed(encode({ 1: type, 2: { 1: content } }));

async function watched(...frames: Buffer[]) {
  server.fail(isWatch, answer(Buffer.concat(frames), 200, `${TYPE};stream=watch`));
  const events: unknown[] = [];
  const ended = server.client().watch(READ, { resourceVersion: '10' }, (seen) => events.push(seen));
  return { events, ended };
}

test('a page of a list', async () => {
  server.fail(isAny, answer(enveloped('ThingList', encode({ 1: { 2: '20', 3: 'next', 4: 7 }, 2: [OBJECT] }))));
  expect(await server.client().listPage(READ)).toEqual({
    metadata: { resourceVersion: '20', continue: 'next', remainingItemCount: 7 },
    items: [{ apiVersion: 'test.dev/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'default', resourceVersion: '11' }, spec: { colour: 'red' } }],
  });
});

test('an empty list', async () => {
  server.fail(isAny, answer(enveloped('ThingList', encode({ 1: { 2: '20' } }))));
  expect(await server.client().listPage(READ)).toEqual({ metadata: { resourceVersion: '20' }, items: [] });
});

test('a server without protobuf can answer with JSON', async () => {
  server.put(thing('a'));
  const client = server.client();
  const { items, metadata } = await client.listPage(READ);
  expect(items).toMatchObject([{ metadata: { name: 'a' } }]);
  const events: string[] = [];
  const ended = client.watch(READ, metadata, (seen) => events.push(`${seen.type} ${(seen.object as Thing).metadata.name}`));
  await server.request(isWatch);
  server.put(thing('b'));
  server.endWatches();
  await ended;
  expect(events).toEqual(['ADDED b']);
});

test('events of a watch, a bookmark among them', async () => {
  const { events, ended } = await watched(event('ADDED', enveloped('Thing', OBJECT)), event('BOOKMARK', enveloped('Thing', encode({ 1: { 6: '30' } }))));
  await ended;
  expect(events).toEqual([
    { type: 'ADDED', object: { metadata: { name: 'a', namespace: 'default', resourceVersion: '11' }, spec: { colour: 'red' } } },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '30' } } },
  ]);
});

test('the error in a stream, and the error in place of an answer', async () => {
  expect(isGone(await failure((await watched(event('ERROR', EXPIRED))).ended))).toBe(true);
  server.fail(isAny, answer(EXPIRED, 410));
  const error = await failure(server.client().listPage(READ));
  expect(isGone(error)).toBe(true);
  expect(error.message).toContain('410 Expired: too old');
});

test.each<[string, Buffer]>([
  ['no envelope', encode({ 1: 's3cret' })],
  ['half a message', enveloped('ThingList', encode({ 2: [OBJECT] }).subarray(0, 9))],
  ['nothing', Buffer.alloc(0)],
])('an answer that is %s', async (_title, body) => {
  server.fail(isAny, answer(body));
  const error = await failure(server.client().listPage(READ));
  expect(error).toMatchObject({ code: 'BAD_RESPONSE' });
  expect(error.message).not.toContain('s3cret');
});

test('a stream that ends in the middle of an event', async () => {
  expect(await failure((await watched(event('ADDED', enveloped('Thing', OBJECT)).subarray(0, 20))).ended)).toMatchObject({ code: 'CUT_OFF' });
});

test('an event without an object', async () => {
  expect(await failure((await watched(framed(encode({ 1: 'ADDED' })))).ended)).toMatchObject({ code: 'BAD_RESPONSE' });
});

test('the rest of the packet with the event on which the caller aborts is dropped', async () => {
  server.fail(isWatch, answer(Buffer.concat([event('ADDED', enveloped('Thing', OBJECT)), event('ADDED', enveloped('Thing', OBJECT))]), 200, `${TYPE};stream=watch`));
  const controller = new AbortController();
  let seen = 0;
  await expect(server.client().watch(READ, { resourceVersion: '10', signal: controller.signal }, () => {
    seen++;
    controller.abort(new Error('enough'));
  })).rejects.toThrow('enough');
  expect(seen).toBe(1);
});
