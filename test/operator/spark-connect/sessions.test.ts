/* How the operator learns whether anybody uses a server. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PodView } from '../../../src/operator/spark-application/pod-view';
import { sessionNumbersIn, type SessionLook } from '../../../src/operator/spark-connect/sessions';
import { readPage, SessionWatch, type PageReader } from '../../../src/operator/spark-connect/session-watch';
import { ManualClock } from '../kube/helpers/manual-clock';

/** As Spark 4.1.1 writes it. */
const page = (online: number | string, sessions = 1, requests = 2) => `<html><body><ul class="list-unstyled">
      <li><strong>Time since start: </strong>42 seconds 18 ms</li>
    </ul><br/><h4>
          ${online}
          session(s) are online,
          running
          0
          Request(s)
        </h4><span><h4><a>Session Statistics (${sessions})</a></h4></span><span><h4><a>Request Statistics (${requests})</a></h4></span></body></html>`;

test('the page tells how many sessions there are, and whether there were others', () => {
  expect(sessionNumbersIn(page(3))).toEqual({ online: 3, trace: 'running=0,Session=1,Request=2' });
  expect(sessionNumbersIn(page(0, 2))!.trace).not.toBe(sessionNumbersIn(page(0, 1))!.trace);
});

test.each(['', "Spark is starting up. Please wait a while until it's ready.", page('-1'), page('1e9'), page('99999999999'), '<h4>none session(s) are online, running 0 Request(s)</h4>'])('what is not that page tells nothing: %s', (text) => {
  expect(sessionNumbersIn(text)).toBeUndefined();
});

test('a hostile page does not take long', () => {
  const begin = Date.now();
  sessionNumbersIn('1 '.repeat(250_000));
  sessionNumbersIn(`${'9'.repeat(400_000)} session(s)`);
  sessionNumbersIn(`1${' '.repeat(400_000)}session(s)${' '.repeat(100_000)}`);
  expect(Date.now() - begin).toBeLessThan(2_000);
});

const POD = { metadata: { name: 'nb-server', uid: 'pod' }, phase: 'Running', isReady: true, podIP: '10.0.0.7' } as PodView;

function watching(read: PageReader, spec: object = {}) {
  const clock = new ManualClock(0);
  let wake: () => void = () => undefined;
  const watch = new SessionWatch(clock, () => wake(), read);
  const connect = { spec: { idleTimeToLiveSeconds: 100, ...spec } } as never;
  const look = (pod: PodView = POD) => watch.look('jobs/nb', connect, pod);
  /** The look that is due, to its end. */
  const looked = async (): Promise<SessionLook | undefined> => {
    const woken = new Promise<void>((resolve) => { wake = resolve; });
    const first = look();
    if (first.sessions || first.dueIn !== undefined) return first.sessions;
    await woken;
    return look().sessions;
  };
  return { clock, watch, look, looked };
}

test('a look takes place in the background, at the address of the pod and the port that Spark is told', async () => {
  const asked: unknown[] = [];
  const { look, looked, clock } = watching(async (address) => {
    asked.push(address);
    return page(asked.length - 1);
  }, { sparkConf: { 'spark.ui.port': '4444' } });
  expect(await looked()).toEqual({ kind: 'seen', online: 0, hasBeen: false });
  expect(asked).toEqual([{ host: '10.0.0.7', port: 4444 }]);
  // Not before a tenth of the time to live.
  expect(look()).toEqual({ dueIn: 10_000 });
  await clock.advance(10_000);
  expect(await looked()).toEqual({ kind: 'seen', online: 1, hasBeen: true });
});

test('a time to live that was shortened is looked at by its own measure', async () => {
  const clock = new ManualClock(0);
  const watch = new SessionWatch(clock, () => undefined, async () => page(0));
  const look = (idleTimeToLiveSeconds: number) => watch.look('jobs/nb', { spec: { idleTimeToLiveSeconds } } as never, POD);
  look(3_600);
  await new Promise(setImmediate);
  expect(look(3_600)).toMatchObject({ sessions: { online: 0 }, dueIn: 30_000 });
  expect(look(20)).toEqual({ dueIn: 2_000 });
});

test('a session that came and went between two looks has been', async () => {
  let sessions = 1;
  const { looked, clock } = watching(async () => page(0, sessions));
  expect(await looked()).toMatchObject({ hasBeen: false });
  sessions = 2;
  await clock.advance(10_000);
  expect(await looked()).toMatchObject({ online: 0, hasBeen: true });
  await clock.advance(10_000);
  expect(await looked()).toMatchObject({ online: 0, hasBeen: false });
});

test('a server that does not answer is told of after three looks, not before', async () => {
  const { looked, clock, watch } = watching(async () => { throw new Error('connect ECONNREFUSED'); });
  for (const expected of [undefined, undefined, { kind: 'unknown', reason: expect.stringContaining('does not answer') }]) {
    expect(await looked()).toEqual(expected);
    await clock.advance(10_000);
  }
  watch.forget('jobs/nb');
  expect(watch.size).toBe(0);
});

test.each([
  [{ 'spark.ui.enabled': 'false' }, 'spark.ui.enabled'],
  [{ 'spark.ui.port': '0' }, 'spark.ui.port'],
])('without a web UI nobody is asked: %j', (sparkConf, field) => {
  const { look } = watching(() => { throw new Error('asked'); }, { sparkConf });
  expect(look()).toEqual({ sessions: { kind: 'unknown', reason: expect.stringContaining(field) } });
});

describe('the page is read from whatever answers', () => {
  let server: Server;
  afterEach(() => server.close());
  const listening = async (listener: RequestListener) => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  };

  test('a page', async () => {
    const address = await listening((request, response) => response.end(`${request.method} ${request.url}`));
    expect(await readPage(address, AbortSignal.timeout(5_000))).toBe('GET /connect/');
  });

  test('a redirection is not followed', async () => {
    let asked = 0;
    const address = await listening((_, response) => {
      asked++;
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });
    await expect(readPage(address, AbortSignal.timeout(5_000))).rejects.toThrow('302');
    expect(asked).toBe(1);
  });

  test('of a page without end no more than half a MiB is kept', async () => {
    const address = await listening((_, response) => {
      const more = () => { while (response.write('x'.repeat(65_536)) && !response.destroyed); };
      response.on('drain', more);
      more();
    });
    expect((await readPage(address, AbortSignal.timeout(5_000))).length).toBeLessThan(1_000_000);
  });

  test('one who never ends is given up', async () => {
    const address = await listening((_, response) => void response.write('x'));
    await expect(readPage(address, AbortSignal.timeout(100))).rejects.toThrow();
  });
});
