import type { KubeClient, WatchEvent, WatchOptions } from '../../src/kube/client';
import { isGone } from '../../src/kube/errors';
import { failure } from './helpers/client-calls';
import { FakeApiServer, isAny, isWatch, silence, status, text } from './helpers/fake-api-server';
import { ManualClock } from './helpers/manual-clock';
import { type Thing, thing, THINGS } from './helpers/things';

let server: FakeApiServer;
let client: KubeClient;

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = server.client();
});

afterEach(() => server.stop());

describe('a watch', () => {
  /** Watches from the server's current state. */
  function watch(options: Partial<WatchOptions> = {}, onEvent?: (event: WatchEvent<Thing>) => void) {
    const events: string[] = [];
    const ended = client.watch(THINGS, { resourceVersion: String(server.resourceVersion), ...options }, (event) => {
      events.push(`${event.type} ${event.object.metadata.resourceVersion}`);
      onEvent?.(event);
    });
    // Handled in any case: a test might await the failure only later.
    ended.catch(() => {});
    return { events, ended, failed: async () => failure(ended) };
  }

  test('passes on events and bookmarks until the server ends it', async () => {
    const { events, ended } = watch({ timeoutSeconds: 300, namespace: 'default' });
    const { query } = await server.request(isWatch);
    expect(Object.fromEntries(query)).toEqual({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '10', timeoutSeconds: '300' });
    server.put(thing('a'));
    server.put(thing('a', undefined, { size: 1 }));
    server.remove('a');
    server.sendBookmark(20);
    server.endWatches();
    await ended;
    expect(events).toEqual(['ADDED 11', 'MODIFIED 12', 'DELETED 13', 'BOOKMARK 20']);
  });

  test('joins pieces, also within characters of several bytes', async () => {
    const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'zürich-東京', resourceVersion: '11' } } })}\n`);
    const names: string[] = [];
    server.fail(isWatch, (_, response) => {
      response.writeHead(200);
      const rest = [...Buffer.concat([line, Buffer.from('\n'), line])];
      const next = () => rest.length > 0 ? response.write(Buffer.from([rest.shift()!]), next) : response.end();
      next();
    });
    await client.watch(THINGS, { resourceVersion: '10' }, (event) => names.push((event.object as Thing).metadata.name));
    expect(names).toEqual(['zürich-東京', 'zürich-東京']);
  });

  test('reports the received bytes, and so does a list', async () => {
    const bytes = new Map<string, number>();
    client = server.client({ onReceived: ({ verb, resource, bytes: more }) => bytes.set(`${verb} ${resource}`, (bytes.get(`${verb} ${resource}`) ?? 0) + more) });
    const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'zürich', resourceVersion: '11' } } })}\n`;
    server.fail(isWatch, text(line + line));
    await client.watch(THINGS, { resourceVersion: '10' }, () => {});
    const list = JSON.stringify({ metadata: {}, items: [] });
    server.fail(isAny, text(list));
    await client.listPage(THINGS);
    expect(Object.fromEntries(bytes)).toEqual({ 'watch things': 2 * Buffer.byteLength(line), 'list things': Buffer.byteLength(list) });
  });

  test.each([
    ['HTTP status', () => server.fail(isWatch, status(410, 'Expired', 'too old'))],
    ['event', () => server.fail(isWatch, text(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`))],
  ])('recognizes a 410 as %s as an expired resource version', async (_, arrange) => {
    arrange();
    expect(isGone(await watch().failed())).toBe(true);
  });

  test.each([
    ['a connection that breaks', '', 'CUT_OFF'],
    ['a connection that breaks within an event', '{"type":"ADD', 'CUT_OFF'],
    ['a line that is not JSON', 'garbage s3cret\n', 'BAD_RESPONSE'],
    ['an event of an unknown form', '{"type":"WHAT"}\n', 'BAD_RESPONSE'],
    ['null', 'null\n', 'BAD_RESPONSE'],
    ['an event without an object', '{"type":"ADDED"}\n', 'BAD_RESPONSE'],
    ['an event that is too large', `{"type":"${'x'.repeat(2_000)}`, 'TOO_LARGE'],
  ])('fails on %s', async (_, sentText, code) => {
    client = server.client({ maxEventBytes: 1_000 });
    const { failed } = watch();
    await server.request(isWatch);
    server.disconnect(sentText);
    const error = await failed();
    expect(error).toMatchObject({ code });
    expect(error.message).not.toContain('s3cret');
  });

  test('that ends in the middle of an event fails', async () => {
    server.fail(isWatch, text('{"type":"ADDED"'));
    expect(await watch().failed()).toMatchObject({ code: 'CUT_OFF' });
  });

  test('that is silent for too long fails; every byte resets the timeout', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    let heard = () => {};
    let activity = 0;
    const { failed } = watch({ onActivity: () => { activity++; heard(); } });
    await server.request(isWatch);
    await new Promise<void>((resolve) => { heard = resolve; if (activity > 0) resolve(); });
    clock.advance(119_000);
    const bookmark = new Promise<void>((resolve) => { heard = resolve; });
    server.sendBookmark();
    await bookmark;
    clock.advance(119_999);
    expect(activity).toBe(2);
    clock.advance(1);
    expect(await failed()).toMatchObject({ code: 'IDLE', message: 'watch things: nothing arrived for 120000 ms' });
    expect(clock.pending).toBe(0);
  });

  test('without an answer fails after the timeout', async () => {
    const clock = new ManualClock();
    client = server.client({ clock });
    server.fail(isWatch, silence);
    const { failed } = watch();
    await server.request(isWatch);
    clock.advance(30_000);
    expect(await failed()).toMatchObject({ code: 'TIMEOUT' });
  });

  test('passes on no events after it is aborted', async () => {
    const controller = new AbortController();
    const { events, failed } = watch({ signal: controller.signal }, () => controller.abort(new Error('stopping')));
    await server.request(isWatch);
    const line = JSON.stringify({ type: 'ADDED', object: thing('a', 11) });
    server.send(`${line}\n${line}\n`);
    expect((await failed()).message).toBe('stopping');
    expect(events.length).toBe(1);
  });

  test('does not use one of the connections for calls', async () => {
    client = server.client({ maxSockets: 1 });
    const controller = new AbortController();
    const watches = [1, 2, 3].map(() => watch({ signal: controller.signal }));
    await client.listPage(THINGS);
    controller.abort(new Error('stopping'));
    await Promise.all(watches.map(({ failed }) => failed()));
  });
});
