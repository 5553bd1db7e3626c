/* Reading the sessions of servers. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server as RawServer } from 'node:net';
import type { PodView } from '../../../../src/model/pod-view';
import { sessionNumbersIn, type SessionReading } from '../../../../src/operator/kinds/spark-connect/sessions';
import { type PageReader, newReadings, readPage, SessionWatch } from '../../../../src/operator/kinds/spark-connect/session-watch';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { cpuTime } from '../../../helpers/cpu-time';
import { page } from './page';

test('the page contains the number of sessions, and whether there were others', () => {
  expect(sessionNumbersIn(page(3))).toEqual({ online: 3, trace: 'running=0,Session=1,Request=2' });
  expect(sessionNumbersIn(page(0, 2))!.trace).not.toBe(sessionNumbersIn(page(0, 1))!.trace);
});

test.each([
  '', "Spark is starting up. Please wait a while until it's ready.", page('-1'), page('1e9'), page('99999999999'),
  '<h4>none session(s) are online, running 0 Request(s)</h4>',
])('another page has no result: %s', (text) => {
  expect(sessionNumbersIn(text)).toBeUndefined();
});

test('a hostile page does not take long', () => {
  const took = cpuTime();
  sessionNumbersIn('1 '.repeat(250_000));
  sessionNumbersIn(`${'9'.repeat(400_000)} session(s)`);
  sessionNumbersIn(`1${' '.repeat(400_000)}session(s)${' '.repeat(100_000)}`);
  for (const part of [
    '<h4>', '<h4> ', '<h4>1 ', '<h4>\n1\nsession(s) are online, running ', 'Session Statistics (', 'Session Statistics (1) ',
  ]) sessionNumbersIn(part.repeat(524_288 / part.length));
  for (const part of ['<h4>', '<h4>1', '<h4>1 session(s)', '<h4>1 session(s) are online,']) {
    sessionNumbersIn(`${part}${' '.repeat(500_000)}`);
  }
  expect(took()).toBeLessThan(2_000);
});

test('little is kept of an endless page', () => {
  expect(sessionNumbersIn(page(0) + ' Session Statistics (1)'.repeat(20_000))!.trace.length).toBeLessThan(100);
});

const POD = { metadata: { name: 'nb-server', uid: 'pod' }, phase: 'Running', isReady: true, podIP: '10.0.0.7' } as PodView;

function watching(read: PageReader, spec: object = {}) {
  const clock = new ManualClock(0);
  let wake: () => void = () => undefined;
  const watch = new SessionWatch(clock, () => wake(), read);
  const connect = { spec: { idleTimeToLiveSeconds: 100, ...spec } } as never;
  const look = (pod: PodView = POD) => watch.look('jobs/nb', connect, pod);
  /** Runs the next read to its end. */
  const looked = async (pod: PodView = POD): Promise<SessionReading | undefined> => {
    const woken = new Promise<void>((resolve) => { wake = resolve; });
    const first = look(pod);
    if (first.sessions || first.dueIn !== undefined) return first.sessions;
    await woken;
    return look(pod).sessions;
  };
  return { clock, watch, look, looked };
}

test('a read runs in the background, at the address of the pod and the configured port', async () => {
  const asked: unknown[] = [];
  const { look, looked, clock } = watching(async (address) => {
    asked.push(address);
    return page(asked.length - 1);
  }, { sparkConf: { 'spark.ui.port': '4444' } });
  expect(await looked()).toEqual({ kind: 'seen', online: 0, idleFor: 0, at: 0 });
  expect(asked).toEqual([{ host: '10.0.0.7', port: 4444 }]);
  // Not before a tenth of the time to live.
  expect(look()).toEqual({ dueIn: 10_000 });
  await clock.advance(10_000);
  expect(await looked()).toEqual({ kind: 'seen', online: 1, idleFor: 0, at: 10_000 });
});

test('a shortened time to live has its own interval', async () => {
  const clock = new ManualClock(0);
  const watch = new SessionWatch(clock, () => undefined, async () => page(0));
  const look = (idleTimeToLiveSeconds: number) => watch.look('jobs/nb', { spec: { idleTimeToLiveSeconds } } as never, POD);
  look(3_600);
  await new Promise(setImmediate);
  expect(look(3_600)).toMatchObject({ sessions: { online: 0 }, dueIn: 30_000 });
  expect(look(20)).toEqual({ dueIn: 2_000 });
});

test('a reading contains the idle time; a session that came and went between two reads restarts it', async () => {
  let sessions = 1;
  const { looked, clock } = watching(async () => page(0, sessions));
  for (const idleFor of [0, 10_000, 20_000]) {
    expect(await looked()).toEqual({ kind: 'seen', online: 0, idleFor, at: idleFor });
    await clock.advance(10_000);
  }
  sessions = 2;
  expect(await looked()).toMatchObject({ online: 0, idleFor: 0 });
  await clock.advance(10_000);
  expect(await looked()).toMatchObject({ online: 0, idleFor: 10_000 });
});

test('an answer has the time of its arrival; one that was fetched too late is read again', async () => {
  const { look, clock } = watching(async () => page(0));
  const answered = async () => {
    look();
    await new Promise(setImmediate);
  };
  await answered();
  await clock.advance(2_000);
  expect(look()).toEqual({ sessions: { kind: 'seen', online: 0, idleFor: 0, at: 0 }, dueIn: 8_000 });
  await clock.advance(8_000);
  await answered();
  await clock.advance(3_001);
  // Not at once: otherwise it would repeat forever if each pass is late.
  expect(look()).toEqual({ dueIn: 1_000 });
  await clock.advance(1_000);
  await answered();
  expect(look()).toMatchObject({ sessions: { idleFor: 14_001, at: 14_001 }, dueIn: 10_000 });
});

test('sessions before another pod, three failed reads or a long time without a read are unknown', async () => {
  let answers = true;
  const { look, looked, clock } = watching(async () => {
    if (!answers) throw new Error('connect ECONNREFUSED');
    return page(0);
  });
  const again = async (time = 10_000) => {
    await clock.advance(time);
    return looked();
  };
  await looked();
  expect(await again()).toMatchObject({ idleFor: 10_000 });
  answers = false;
  expect(await again()).toBeUndefined();
  answers = true;
  // One slow answer between two others does not matter.
  expect(await again()).toMatchObject({ idleFor: 30_000 });
  answers = false;
  for (let failures = 0; failures < 3; failures++) await again();
  answers = true;
  expect(await again(60_000)).toMatchObject({ idleFor: 0 });
  expect(await again()).toMatchObject({ idleFor: 10_000 });
  expect(await again(53_000)).toMatchObject({ idleFor: 0 });
  expect(await again()).toMatchObject({ idleFor: 10_000 });
  look({ ...POD, metadata: { ...POD.metadata, uid: 'another' } });
  await new Promise(setImmediate);
  expect(look({ ...POD, metadata: { ...POD.metadata, uid: 'another' } })).toMatchObject({ sessions: { idleFor: 0 } });
});

test('a server that does not answer is reported after three reads', async () => {
  const { look, looked, clock, watch } = watching(async () => { throw new Error('connect ECONNREFUSED'); });
  for (const expected of [undefined, undefined, { kind: 'unknown', reason: expect.stringContaining('does not answer') }]) {
    expect(await looked()).toEqual(expected);
    await clock.advance(10_000);
  }
  // After that it is read rarely, because it takes time from others.
  expect(look().dueIn).toBe(50_000);
  watch.forget('jobs/nb');
  expect(watch.size).toBe(0);
});

test.each([
  [{ 'spark.ui.enabled': 'false' }, 'spark.ui.enabled'],
  [{ 'spark.ui.port': '0' }, 'spark.ui.port'],
])('without a web UI there is no read: %j', (sparkConf, field) => {
  const { look } = watching(() => { throw new Error('asked'); }, { sparkConf });
  expect(look()).toEqual({ sessions: { kind: 'unknown', reason: expect.stringContaining(field) } });
});

describe('unresponsive servers delay no other work', () => {
  let asked = 0;
  const never: PageReader = () => {
    asked++;
    return new Promise(() => undefined);
  };
  beforeEach(() => { asked = 0; });
  const lookAt = (watch: SessionWatch, key: string) => watch.look(key, { spec: { idleTimeToLiveSeconds: 100 } } as never, {
    ...POD, metadata: { ...POD.metadata, uid: key },
  });

  test('at most two of a namespace are read at the same time, and sixteen in total', async () => {
    const watch = new SessionWatch(new ManualClock(0), () => undefined, never);
    const askedFor = async (keys: string[]) => {
      for (const key of keys) lookAt(watch, key);
      await new Promise(setImmediate);
      return asked;
    };
    expect(await askedFor(['bad/1', 'bad/2', 'bad/3', 'good/1'])).toBe(3);
    expect(await askedFor(Array.from({ length: 20 }, (_, index) => `namespace-${index}/1`))).toBe(16);
    await watch.stop();
  });

  test('the limit applies to the whole process, and the share of a stopped watch is free for the others', async () => {
    const turns = newReadings();
    const [lost, kept] = [1, 2].map(() => (
      new SessionWatch(new ManualClock(0), () => undefined, never, turns)
    )) as [SessionWatch, SessionWatch];
    for (const key of ['jobs/1', 'jobs/2']) lookAt(lost, key);
    for (const key of ['jobs/3', 'jobs/4']) lookAt(kept, key);
    await new Promise(setImmediate);
    expect(asked).toBe(2);
    await lost.stop();
    await new Promise(setImmediate);
    expect(asked).toBe(4);
    await kept.stop();
  });

  test('waiting servers cost nothing, and get their turns in order', async () => {
    const [hosts, woken]: [string[], string[]] = [[], []];
    const ends: (() => void)[] = [];
    const watch = new SessionWatch(new ManualClock(0), (key) => woken.push(key), ({ host }) => new Promise((_, reject) => {
      hosts.push(host);
      ends.push(() => reject(new Error('connect ETIMEDOUT')));
    }));
    const keys = Array.from({ length: 200 }, (_, index) => `jobs/${index}`);
    const connect = { spec: { idleTimeToLiveSeconds: 3_600 } } as never;
    for (const key of keys) expect(watch.look(key, connect, { ...POD, podIP: key, metadata: { ...POD.metadata, uid: key } })).toEqual({});
    watch.forget('jobs/2');
    for (let turn = 0; turn < 199; turn++) {
      await new Promise(setImmediate);
      expect(hosts.length).toBe(Math.min(turn + 2, 199));
      ends[turn]!();
    }
    await new Promise(setImmediate);
    const all = keys.filter((key) => key !== 'jobs/2');
    expect([hosts, woken]).toEqual([all, all]);
    await watch.stop();
  });

  test('a reader that never ends is abandoned after its time, or when the operator stops', async () => {
    const watch = new SessionWatch(new ManualClock(0), () => undefined, never);
    for (const key of ['bad/1', 'bad/2', 'bad/3', 'bad/4']) lookAt(watch, key);
    await new Promise(setImmediate);
    expect(asked).toBe(2);
    watch.forget('bad/1');
    await new Promise(setImmediate);
    expect(asked).toBe(3);
    // The waiting one, too.
    await watch.stop();
  });
});

describe('the page is read from any server', () => {
  let server: Server | RawServer;
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

  test('at most half a MiB of an endless page is kept', async () => {
    const address = await listening((_, response) => {
      const more = () => { while (response.write('x'.repeat(65_536)) && !response.destroyed); };
      response.on('drain', more);
      more();
    });
    expect((await readPage(address, AbortSignal.timeout(5_000))).length).toBeLessThan(1_000_000);
  });

  test('a server that never ends is abandoned', async () => {
    const address = await listening((_, response) => void response.write('x'));
    await expect(readPage(address, AbortSignal.timeout(100))).rejects.toThrow();
  });

  const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
  test.each([
    ['another protocol', SWITCHING, false],
    ['another protocol, and the end', SWITCHING, true],
    ['another protocol that has no name', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', false],
    ['"continue" without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), true],
    ['half a page', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', true],
    ['an invalid chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc', false],
    ['invalid HTTP', '\x00\x01\x02', false],
    ['a header that is too long', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, false],
    ['the end', '', true],
    ['nothing', '', false],
  ])('%s is abandoned', async (_, text, ends) => {
    const raw = createRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (ends ? socket.end(text) : socket.write(text)));
    });
    server = raw;
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    await expect(readPage({ host: '127.0.0.1', port: (raw.address() as AddressInfo).port }, AbortSignal.timeout(300))).rejects.toThrow();
  }, 240_000);

  const HEAD = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';
  const PAGE = page(0);
  const WHOLE_PAGE = `${HEAD}Content-Length: ${PAGE.length}\r\n\r\n${PAGE}`;
  const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${PAGE.length.toString(16)}\r\n${PAGE}\r\n`;
  const times = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
  const MANY = 2 * 1024 * 1024;
  const answering = async (text: string) => {
    let asked = 0;
    const raw = createRawServer((socket) => {
      asked++;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(text));
    });
    server = raw;
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const { port } = raw.address() as AddressInfo;
    const watched = watching(readPage, { sparkConf: { 'spark.ui.port': String(port) } });
    const pod = { ...POD, podIP: '127.0.0.1' };
    return { ...watched, look: () => watched.look(pod), looked: () => watched.looked(pod), port, asked: () => asked };
  };

  test.each([
    ['many informational responses', times('HTTP/1.1 103 X\r\n\r\n', MANY) + WHOLE_PAGE, 'informational response 103'],
    ['one informational response', `HTTP/1.1 100 Continue\r\n\r\n${WHOLE_PAGE}`, 'informational response 100'],
    ['many chunks of one byte', `${CHUNKED}${times('1\r\nx\r\n', 512 * 1024)}0\r\n\r\n`, '4096 parts'],
    ['many empty lines before it', times('\r\n', MANY) + WHOLE_PAGE, '1048576 bytes'],
    ['many digits in the size of a chunk', `${CHUNKED}${times('0', MANY)}\r\n\r\n`, '1048576 bytes'],
  ])('an answer with %s ends early, and counts as no answer', async (_, text, error) => {
    const { look, looked, clock, port, asked } = await answering(text);
    await expect(readPage({ host: '127.0.0.1', port }, AbortSignal.timeout(20_000))).rejects.toThrow(error);
    for (const expected of [undefined, undefined, { kind: 'unknown', reason: expect.stringContaining('does not answer') }]) {
      expect(await looked()).toEqual(expected);
      await clock.advance(10_000);
    }
    expect([look().dueIn, asked()]).toEqual([50_000, 4]);
  });

  test('a page in a thousand chunks is read', async () => {
    const text = `${CHUNKED}${'100\r\n'.concat('x'.repeat(256), '\r\n').repeat(1_000)}0\r\n\r\n`;
    const { looked } = await answering(text);
    expect(await looked()).toMatchObject({ kind: 'seen', online: 0 });
  });

  test('a page of more than a MiB is read up to half a MiB', async () => {
    const text = PAGE + 'x'.repeat(MANY);
    const { looked } = await answering(`${HEAD}Content-Length: ${text.length}\r\n\r\n${text}`);
    expect(await looked()).toMatchObject({ kind: 'seen', online: 0 });
  });
});
