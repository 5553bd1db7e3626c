/* The server answers any input, and keeps running. */
import fc from 'fast-check';
import { Agent } from 'node:https';
import { connect } from 'node:tls';
import { admissionHandlers } from '../../../src/operator/admission/handlers';
import type { AdmissionDependencies } from '../../../src/operator/admission/dependencies';
import { CA, post, review, startServer, type TestServer } from './helpers';

const WORLD: AdmissionDependencies = {
  isSelected: () => true,
  submission: { mode: 'auto', sparkUser: 'spark', podWebhook: true },
  application: async () => undefined,
  quotas: async () => [],
};

const PATHS = Object.keys(admissionHandlers(WORLD));
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
let started: TestServer;

beforeAll(async () => { started = await startServer(admissionHandlers(WORLD)); });
afterAll(async () => {
  agent.destroy();
  await started.server.stop(1_000);
});

/** Checks that the process lives and answers a review. An uncaught error would have ended it. */
async function goesOn(): Promise<void> {
  expect(await post(started.port, PATHS[0]!, review({ object: { metadata: {} } }), { agent })).toMatchObject({ status: 200 });
  expect(started.server.heldBytes).toBe(0);
}
afterEach(goesOn);

/** Keys with an effect on JavaScript objects, or on ours. */
const key = fc.oneof(fc.constantFrom(
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'spec', 'metadata', 'template', 'driver', 'executor', 'sparkConf',
  'length',
), fc.string({ maxLength: 5 }));
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' }, fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', 'x', '\u0000', '\ud800', '9'.repeat(400)),
    fc.string(), tie('list'), tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => {
    const object: Record<string, unknown> = Object.create(null);
    for (const [name, value] of entries) {
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return object;
  }),
})).value;

/**
 * A specification with known names and any values, as the mutating webhook receives it before the
 * schema applies.
 */
const SPEC_FIELDS = [
  'type', 'mode', 'mainClass', 'mainApplicationFile', 'arguments', 'sparkConf', 'hadoopConf', 'sparkConfigMap', 'volumes', 'driver',
  'executor', 'deps', 'restartPolicy', 'nodeSelector', 'dynamicAllocation',
  'monitoring', 'driverIngressOptions', 'sparkVersion', 'image', 'timeToLiveSeconds', 'template', 'schedule', 'server', 'proxyUser',
  'batchScheduler', 'memoryOverheadFactor', 'failureRetries',
];
const POD_FIELDS = [
  'cores', 'memory', 'memoryOverhead', 'instances', 'template', 'env', 'envVars', 'volumeMounts', 'labels', 'annotations',
  'sidecars', 'gpu', 'secrets', 'configMaps', 'serviceAccount', 'tolerations', 'containers', 'spec', 'metadata',
];
const fieldsOf = (names: readonly string[], value: fc.Arbitrary<unknown>) => fc.dictionary(
  fc.constantFrom(...names), value, { maxKeys: 8 },
);
const spec = fieldsOf(SPEC_FIELDS, fc.oneof(anything, fieldsOf(POD_FIELDS, fc.oneof(anything, fieldsOf(POD_FIELDS, anything)))));

const settings = { numRuns: Number(process.env.FUZZ_RUNS ?? 150) };

test('any JSON in any field of the request', async () => {
  const fields = fc.dictionary(
    fc.constantFrom('uid', 'operation', 'kind', 'subResource', 'namespace', 'name', 'object', 'oldObject', 'dryRun'), anything,
    { minKeys: 1 },
  );
  await fc.assert(fc.asyncProperty(fc.constantFrom(...PATHS), fields, async (path, changes) => {
    const reply = await post(started.port, path, review(changes), { agent });
    expect([200, 400, 500]).toContain(reply.status);
    expect(reply.text).not.toMatch(/\n\s+at |\.ts:|\.cjs:/);
  }), settings);
}, 240_000);

test('an object with any fields gets a well-formed answer', async () => {
  const metadata = fc.record({
    name: fc.string({ maxLength: 80 }), namespace: fc.constant('jobs'), annotations: fc.dictionary(
      fc.string(), fc.string(), { maxKeys: 3 },
    ),
  }, { requiredKeys: [] });
  const object = fc.record(
    { apiVersion: fc.string(), kind: fc.string(), metadata, spec: fc.oneof(spec, spec, anything) }, { requiredKeys: ['metadata'] },
  );
  await fc.assert(fc.asyncProperty(fc.constantFrom(...PATHS), object, fc.option(object), async (path, next, old) => {
    const reply = await post(started.port, path, review({ operation: old ? 'UPDATE' : 'CREATE', object: next, oldObject: old }), { agent });
    expect(reply.text).not.toMatch(/\n\s+at |\.ts:|\.cjs:/);
    expect([200, 500]).toContain(reply.status);
    if (reply.status !== 200) return;
    const { response } = reply.json;
    expect(response).toMatchObject({ uid: 'a-uid', allowed: expect.any(Boolean) });
    if (response.patch !== undefined) expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toBeInstanceOf(Array);
    for (const warning of response.warnings ?? []) expect(warning).toMatch(/^[^\p{Cc}]{1,256}$/u);
  }), settings);
}, 240_000);

test('any bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...PATHS), fc.uint8Array({ maxLength: 2_000 }), async (path, bytes) => {
    expect(await post(started.port, path, Buffer.from(bytes), { agent })).toMatchObject({ status: 400 });
  }), settings);
}, 240_000);

test('a review with changed, missing or additional bytes', async () => {
  const text = Buffer.from(JSON.stringify(review()));
  const change = fc.record({ at: fc.nat(text.length - 1), remove: fc.nat(20), put: fc.uint8Array({ maxLength: 20 }) });
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
    const bytes = changes.reduce((before, { at, remove, put }) => Buffer.concat([
      before.subarray(0, at), put, before.subarray(at + remove),
    ]), text);
    expect([200, 400]).toContain((await post(started.port, PATHS[1]!, bytes, { agent })).status);
  }), settings);
}, 240_000);

test('a connection with any input', async () => {
  const head = fc.constantFrom(
    '', 'POST / HTTP/1.1\r\n', `POST ${PATHS[0]} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 10\r\n`,
    'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  await fc.assert(fc.asyncProperty(head, fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), async (begin, chunks) => {
    await new Promise<void>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: started.port, servername: 'localhost', ca: CA }, () => {
        socket.write(begin);
        for (const chunk of chunks) socket.write(chunk);
        socket.end();
      });
      socket.resume().on('error', () => {}).once('close', () => resolve());
    });
  }), { numRuns: 40 });
}, 240_000);

test('the largest and most hostile reviews in sequence take bounded memory', async () => {
  const hostile = [
    `[${'{},'.repeat(2_500_000)}{}]`,
    '['.repeat(8_000_000),
    `{"a":"${'\\u0000'.repeat(1_300_000)}"}`,
    JSON.stringify(review({
      object: {
        metadata: {}, spec: {
          sparkConf: Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`spark.key.${index}`, 'x'])),
        },
      },
    })),
  ];
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 5; round++) {
    for (const body of hostile) expect((await post(started.port, PATHS[1]!, body, { agent })).status).toBeGreaterThanOrEqual(200);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
}, 240_000);
