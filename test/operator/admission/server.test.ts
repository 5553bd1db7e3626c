import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { MAX_REVIEW_BYTES } from '../../../src/operator/admission/limits';
import { MAX_OBJECT_BYTES } from '../../../src/plan/review-size';
import { CannotAnswer, type AdmissionAnswer } from '../../../src/operator/admission/review';
import { ReviewQueue } from '../../../src/operator/admission/review-queue';
import { ApiError, NetworkError } from '../../../src/kube/errors';
import { InboundConnections } from '../../../src/kube/inbound-connections';
import { CA, certificate, post, review, SetCertificates, startServer, type TestServer } from './helpers';

let started: TestServer;
let answer: () => AdmissionAnswer | Promise<AdmissionAnswer>;
let signal: AbortSignal | undefined;

beforeEach(async () => {
  answer = () => ({ allowed: true });
  started = await startServer({
    '/x': (_, given) => {
      signal = given;
      return answer();
    },
  });
});
afterEach(() => started.server.stop(1_000));

const ask = (body: unknown = review(), path = '/x', options = {}) => post(started.port, path, body, options);

test('an accepting answer repeats the uid', async () => {
  const reply = await ask();
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(reply.json).toEqual({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'a-uid', allowed: true } });
  expect(started.answered).toEqual([{ path: '/x', operation: 'CREATE', allowed: true, code: 200, seconds: expect.any(Number) }]);
});

test('a patch is a JSON Patch in base64', async () => {
  const patch = [{ op: 'add', path: '/spec/a~1b', value: 'ä' }] as const;
  answer = () => ({ allowed: true, patch });
  const { response } = (await ask()).json;
  expect(response.patchType).toBe('JSONPatch');
  expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toEqual(patch);
});

test('a refusal has a message and a status', async () => {
  answer = () => ({ allowed: false, code: 422, message: 'spec.type: write Scala' });
  expect((await ask()).json.response).toEqual({
    uid: 'a-uid', allowed: false, status: { status: 'Failure', code: 422, reason: 'Invalid', message: 'spec.type: write Scala' },
  });
  expect(started.answered).toMatchObject([{ allowed: false, code: 422 }]);
});

describe('a failure is an HTTP error, so that the failure policy decides', () => {
  const CALL = { verb: 'get', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' };

  test.each([
    ['an internal error', new TypeError('the password is 1234'), 500, 'internal error of the webhook; its log has more\n'],
    [
      'an API server that is overloaded', new ApiError(CALL, 503), 503,
      'the Kubernetes API cannot be asked for what this needs at the moment; try again\n',
    ],
    [
      'an unavailable API server', new NetworkError(CALL, 'ECONNREFUSED', 'no'), 503,
      'the Kubernetes API cannot be asked for what this needs at the moment; try again\n',
    ],
    [
      'a review that has to wait', new CannotAnswer('the pod has to wait: defaults.yaml is not YAML'), 500,
      'the pod has to wait: defaults.yaml is not YAML\n',
    ],
    ['a missing permission', new ApiError(CALL, 403, { message: 'no' }), 500, 'get sparkapplications jobs/pi: 403 Forbidden: no\n'],
  ])('%s', async (_, error, status, text) => {
    answer = () => { throw error; };
    expect(await ask()).toMatchObject({ status, text });
    expect(started.errors).toEqual([expect.objectContaining({
      ...(status === 500 && !(error instanceof CannotAnswer) ? { err: error } : { reason: error.message }), path: '/x',
      namespace: 'jobs', name: 'pi', operation: 'CREATE',
    })]);
    expect(started.answered).toMatchObject([{ code: status, allowed: undefined }]);
  });

  test('too many calls to the API server; the log omits them, because reviews can be forged', async () => {
    answer = () => { throw new NetworkError(CALL, 'BUSY', 'so many calls wait already'); };
    expect(await ask()).toMatchObject({ status: 503 });
    expect(started.errors).toEqual([]);
  });

  test('an answer that takes longer than the API server waits', async () => {
    answer = () => new Promise(() => {});
    expect(await ask(review(), '/x?timeout=50ms')).toMatchObject({ status: 504 });
    expect(signal!.aborted).toBe(true);
  });

  test('the work ends when the client is gone', async () => {
    const asked = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const agent = new Agent();
    const reply = ask(review(), '/x', { agent });
    await asked;
    agent.destroy();
    await expect(reply).rejects.toThrow();
    if (!signal!.aborted) await once(signal!, 'abort');
  });
});

describe('invalid requests', () => {
  test.each([
    ['another path', '/y', review(), {}, 404],
    ['a path of every object', '/__proto__', review(), {}, 404],
    ['a GET request', '/x', '', { method: 'GET' }, 405],
    ['another type of content', '/x', review(), { headers: { 'content-type': 'text/plain' } }, 415],
    ['no type of content', '/x', review(), { headers: { 'content-type': '' } }, 415],
    ['a compressed body', '/x', review(), { headers: { 'content-encoding': 'gzip' } }, 415],
    ['an empty body', '/x', '', {}, 400],
    ['half a review', '/x', JSON.stringify(review()).slice(0, 100), {}, 400],
  ])('%s', async (_, path, body, options, status) => {
    expect(await ask(body, path, options)).toMatchObject({ status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(started.errors).toEqual([]);
  });

  test('charsets and capitals of the type of content do not matter', async () => {
    expect(await ask(review(), '/x', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).toMatchObject({ status: 200 });
  });
});

describe('size', () => {
  const ofSize = (size: number) => {
    const empty = review({ filler: '' });
    return JSON.stringify(review({ filler: 'x'.repeat(size - JSON.stringify(empty).length) }));
  };

  test('the largest review is answered, and one more byte is rejected', async () => {
    expect(await ask(ofSize(MAX_REVIEW_BYTES))).toMatchObject({ status: 200 });
    expect(await ask(ofSize(MAX_REVIEW_BYTES + 1))).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(started.server.heldBytes).toBe(0);
  });

  test('a review without a content length', async () => {
    const socket = await handshake();
    socket.write('POST /x HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    for (let sent = 0; sent <= MAX_REVIEW_BYTES; sent += chunk.length) {
      socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    expect((await once(socket, 'data'))[0].toString()).toMatch(/^HTTP\/1.1 413/);
    socket.destroy();
  });

  test('excess concurrent reviews are refused, and earlier ones are answered', async () => {
    await started.server.stop(0);
    let go = () => {};
    const waiting = new Promise<void>((resolve) => { go = resolve; });
    started = await startServer({
      '/x': async () => {
        await waiting;
        return { allowed: true };
      },
    }, { limits: { held: 2_500_000, heldForAddress: 2_500_000 } });
    const first = ask(ofSize(1_000_000));
    const second = ask(ofSize(1_000_000));
    while (started.server.heldBytes < 2_000_000) await new Promise(setImmediate);
    expect(await ask(ofSize(1_000_000))).toMatchObject({ status: 503, text: 'there are too many reviews at once\n' });
    go();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    while (started.server.heldBytes > 0) await new Promise(setImmediate);
  });
});

describe('a flooding client', () => {
  const valued = (values: number) => review({ object: { metadata: {}, spec: { list: Array.from({ length: values }, () => ({})) } } });

  test('an object too large to read without delaying the others is a 413', async () => {
    const filler = (size: number) => review({ object: { metadata: {}, filler: 'x'.repeat(size) } });
    expect(await ask(filler(MAX_OBJECT_BYTES - 1_000))).toMatchObject({ status: 200 });
    expect(await ask(filler(MAX_OBJECT_BYTES))).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test.each(['"\\u006fbject"', '"o\\u0062ject" '])('an object whose key is written %s is refused: its size is not limited', async (key) => {
    const text = JSON.stringify(review({ object: { metadata: {}, filler: 'x'.repeat(2 * MAX_OBJECT_BYTES) } })).replace('"object"', key);
    expect(await ask(text)).toMatchObject({ status: 400, text: 'a field of the request has an escaped name\n' });
  });

  test('3,700 requests on one connection that reads nothing: it ends, and only the first is answered', async () => {
    const socket = await handshake();
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(3_700));
    expect(await ask()).toMatchObject({ status: 200 });
    socket.resume();
    await closed;
    expect(started.answered.filter(({ path }) => path === 'other').length).toBeLessThan(2);
  });

  test.each([
    ['reviews without their end', true, 'POST /x HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'],
    // In this case even an idle API server connection is closed before a pending review.
    [
      'whole reviews without an answer', false,
      'POST /never HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: '
        + `${JSON.stringify(review()).length}\r\n\r\n${JSON.stringify(review())}`,
    ],
  ])('four clients that keep all connections busy leave room for a fifth: %s', async (_, isKept, text) => {
    await started.server.stop(0);
    const begun = jest.spyOn(InboundConnections.prototype, 'begin');
    started = await startServer({ '/x': () => answer(), '/never': () => new Promise<AdmissionAnswer>(() => {}) }, {
      connections: { all: 8, ofClient: 2 },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(review(), '/x', { agent })).toMatchObject({ status: 200 });
    const [kept] = Object.values(agent.freeSockets).flat();
    const held: TLSSocket[] = [];
    for (let index = 0; index < 7; index++) {
      held.push((await handshake({ localAddress: `127.0.0.${2 + index % 4}` })).on('error', () => {}));
    }
    for (const socket of held) socket.write(text);
    while (begun.mock.calls.length < 8) await new Promise(setImmediate);
    begun.mockRestore();

    const fifth = new Agent({ localAddress: '127.0.0.9' });
    for (let number = 0; number < 3; number++) expect(await ask(review(), '/x', { agent: fifth })).toMatchObject({ status: 200 });
    expect(await ask(review(), '/x', { agent })).toMatchObject({ status: 200 });
    expect(kept!.destroyed).toBe(!isKept);
    agent.destroy();
    for (const socket of held) socket.destroy();
  });

  test('the parsed values count in addition to the text', async () => {
    answer = () => new Promise(() => {});
    const replies = await Promise.all([1, 2, 3].map(() => ask(valued(45_000), '/x?timeout=2s')));
    // Each has 135 KB of text and 9 MB of objects. An address has room for two.
    expect(replies.map(({ status }) => status).sort()).toEqual([503, 504, 504]);
    while (started.server.heldBytes > 0) await new Promise(setImmediate);
  });

  test('pods have fewer values', async () => {
    const pod = (values: number) => ({
      ...valued(values), request: { ...valued(values).request, kind: { group: '', version: 'v1', kind: 'Pod' } },
    });
    expect(await ask(pod(24_500))).toMatchObject({ status: 200 });
    expect(await ask(pod(25_500))).toMatchObject({ status: 413 });
  });

  test('40 large reviews at once leave time for everything else between two of them', async () => {
    answer = () => {
      for (const end = performance.now() + 40; performance.now() < end;);
      return { allowed: true };
    };
    let [last, longest] = [performance.now(), 0];
    const timer = setInterval(() => {
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }, 5);
    const statuses = await askAtOnce(40, '/x');
    clearInterval(timer);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(longest).toBeLessThan(800);
  });

  test('reviews take turns by client address', async () => {
    const next = jest.spyOn(ReviewQueue.prototype, 'next');
    await ask();
    expect(next.mock.calls.map(([address]) => address)).toEqual(['127.0.0.1']);
    next.mockRestore();
  });

  test('a review is skipped if its client is gone when its turn comes', async () => {
    let worked = 0;
    answer = () => {
      worked++;
      for (const end = performance.now() + 100; performance.now() < end;);
      return { allowed: true };
    };
    const statuses = await askAtOnce(10, '/x?timeout=300ms');
    expect(statuses.filter((status) => status === 200)).toHaveLength(worked);
    expect(worked).toBeLessThan(6);
    expect(statuses.filter((status) => status === 504)).toHaveLength(10 - worked);
  });

  test('one address does not get all connections: its oldest unused one is closed', async () => {
    await started.server.stop(0);
    started = await startServer({ '/x': () => answer() }, { connections: { all: 100, ofClient: 3 } });
    const agent = new Agent({ keepAlive: true });
    expect(await ask(review(), '/x', { agent })).toMatchObject({ status: 200 });
    const [proven] = Object.values(agent.freeSockets).flat();
    const idle = [await handshake(), await handshake()];
    idle.forEach((socket) => socket.on('error', () => {}).resume());
    const ended = once(idle[0]!, 'close');
    expect(await ask()).toMatchObject({ status: 200 });
    await ended;
    expect([proven!.destroyed, idle[1]!.destroyed]).toEqual([false, false]);
    agent.destroy();
    idle[1]!.destroy();
  });
});

describe('TLS', () => {
  test('the handshake fails until there is a certificate', async () => {
    await started.server.stop(0);
    const certificates = new SetCertificates();
    started = await startServer({ '/x': () => ({ allowed: true }) }, { certificates });
    await expect(ask()).rejects.toThrow(/handshake failure/);
    certificates.set(certificate());
    expect(await ask()).toMatchObject({ status: 200 });
  });

  test('new connections get the new certificate, and existing ones continue', async () => {
    await started.server.stop(0);
    const certificates = new SetCertificates(certificate('old'));
    started = await startServer({ '/x': () => ({ allowed: true }) }, { certificates });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(review(), '/x', { agent })).toMatchObject({ status: 200 });
    certificates.set(certificate('new'));
    const [kept] = Object.values(agent.freeSockets).flat();
    expect(await ask(review(), '/x', { agent })).toMatchObject({ status: 200 });
    expect(Object.values(agent.freeSockets).flat()).toEqual([kept]);
    agent.destroy();
    const socket = await handshake();
    expect(socket.getPeerCertificate().subject.CN).toBe('new');
    socket.destroy();
  });

  test('an unusable certificate does not replace the previous one', async () => {
    await started.server.stop(0);
    const certificates = new SetCertificates(certificate());
    started = await startServer({ '/x': () => ({ allowed: true }) }, { certificates });
    certificates.set({ cert: certificate().cert, key: certificate().key });
    certificates.set({ cert: 'half of', key: 'nothing' });
    expect(await ask()).toMatchObject({ status: 200 });
    expect(started.errors).toHaveLength(2);
    expect(JSON.stringify(started.errors)).not.toContain('PRIVATE KEY');
  });

  test('older versions of TLS are rejected', async () => {
    await expect(handshake({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow();
    (await handshake({ maxVersion: 'TLSv1.2' })).destroy();
    await started.server.stop(0);
    started = await startServer({}, { minVersion: 'TLSv1.3' });
    await expect(handshake({ maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });

  test('a client with another protocol is disconnected, and others are not', async () => {
    const socket = connectPlain(started.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect(await ask()).toMatchObject({ status: 200 });
  });

  test('an invalid HTTP head is answered with 400', async () => {
    const socket = await handshake();
    socket.write('\u0000\u0000\r\n\r\n');
    expect((await once(socket, 'data'))[0].toString()).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
  });
});

describe('shutdown', () => {
  test('pending reviews are answered, idle connections end, new ones are refused', async () => {
    const agent = new Agent({ keepAlive: true });
    await ask(review(), '/x', { agent });
    const [idle] = Object.values(agent.freeSockets).flat();
    let go = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = () => new Promise((done) => {
        go = () => done({ allowed: true });
        resolve();
      });
    });
    const last = ask();
    await asked;
    const stopped = started.server.stop(10_000);
    await once(idle!, 'close');
    await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
    go();
    expect(await last).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await stopped;
    agent.destroy();
  });

  test('a half-received review does not prevent the shutdown', async () => {
    const socket = await handshake();
    socket.on('error', () => {});
    socket.write('POST /x HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    while (started.server.heldBytes === 0) await new Promise(setImmediate);
    await started.server.stop(50);
    await once(socket, 'close');
    while (started.server.heldBytes > 0) await new Promise(setImmediate);
    socket.destroy();
  });

  test('an unfinished handshake does not prevent the shutdown', async () => {
    const socket = connectPlain(started.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resume();
    await Promise.all([once(socket, 'close'), started.server.stop(10_000)]);
  });

  test('a rolling update under traffic, with API servers that keep their connections: no review is lost', async () => {
    const handlers = {
      '/x': async () => {
        await new Promise(setImmediate);
        return { allowed: true };
      },
    };
    await started.server.stop(0);
    started = await startServer(handlers);
    const successor = await startServer(handlers);
    // A Service: it leads new connections to another pod, and existing ones stay.
    let leadsTo = started.port;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (options, callback) => create({ ...options, port: leadsTo }, callback);
    let ended = false;
    const statuses: number[] = [];
    const apiServer = async () => {
      while (!ended) statuses.push((await ask(review(), '/x', { agent })).status);
    };
    const asking = Array.from({ length: 8 }, apiServer);
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise(setImmediate);
    };
    await until(() => started.answered.length > 40);
    started.server.leave();
    await until(() => started.answered.length > 70);
    leadsTo = successor.port;
    await until(() => successor.answered.length > 40);
    await started.server.stop(10_000);
    await until(() => successor.answered.length > 60);
    ended = true;
    await Promise.all(asking);
    expect(statuses.length).toBeGreaterThan(130);
    expect(new Set(statuses)).toEqual(new Set([200]));
    agent.destroy();
    await successor.server.stop(0);
  });
});

/** Sends reviews on open connections, so that all arrive together. */
async function askAtOnce(count: number, path: string): Promise<number[]> {
  const body = JSON.stringify(review());
  const sockets: TLSSocket[] = [];
  while (sockets.length < count) sockets.push(await handshake());
  const replies = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) {
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  }
  const texts = await Promise.all(replies);
  sockets.forEach((socket) => socket.destroy());
  return texts.map(([bytes]) => Number(/^HTTP\/1.1 (\d+)/.exec(bytes)![1]));
}

function handshake(options: object = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: started.port, servername: 'localhost', ca: CA, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}
