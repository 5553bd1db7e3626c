/* The memory and the CPU time that forged reviews take of the webhook, as the bundle runs it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { OperatorProcess, REPORTS_USAGE } from '../helpers/operator-process';
import { certificate, post, review } from './admission/helpers';

const REVIEWS = 12_000;
/** After these the code is compiled, and the heap as large as reviews need it. */
const WARM_UP = 2_000;
const AT_ONCE = 16;

/** The limit, in MiB. It is 14; when each spelling of a time zone had a format of its own it was 240. */
const MAX_GROWTH = 64;

const GROUP = 'sparkoperator.k8s.io';
const ZONES = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');

/** A time zone in a spelling that no other number has. */
function timeZone(number: number): string {
  let left = Math.floor(number / ZONES.length);
  return [...ZONES[number % ZONES.length]!].map((letter) => {
    const isChanged = /[a-z]/i.test(letter) && left % 2 === 1;
    if (/[a-z]/i.test(letter)) left = Math.floor(left / 2);
    return isChanged ? letter.toUpperCase() : letter.toLowerCase();
  }).join('');
}

/** A specification of which nothing is like that of another number. */
const specOf = (number: number) => ({
  type: 'Python', mode: 'cluster', sparkVersion: '4.1.1', image: `example.org/spark:${number}`, mainApplicationFile: `local:///job-${number}.py`,
  sparkConf: { [`spark.conf.${number}`]: `\${spark.other.${number}:-x}`, [`spark.hadoop.secret.${number}`]: 'x' },
  volumes: [{ name: `volume-${number}`, emptyDir: {} }],
  nodeSelector: { [`label-${number}`]: `value-${number}` },
  driver: { cores: 1, memory: '1g', serviceAccount: `account-${number}`, env: [{ name: `DRIVER_${number}`, value: `value-${number}` }], labels: { [`label-${number}`]: 'x' }, [`field${number}`]: 1 },
  executor: { instances: 2, cores: 1, memory: '1g', volumeMounts: [{ name: `volume-${number}`, mountPath: `/data-${number}` }], annotations: { [`annotation-${number}`]: 'x' } },
});

function reviewOf(kind: string, group: string, version: string, number: number, object: { readonly metadata: object } & Record<string, unknown>): object {
  const metadata = { name: `object-${number}`, namespace: 'jobs', ...object.metadata };
  return review({ uid: `uid-${number}`, kind: { group, version, kind }, name: metadata.name, object: { apiVersion: group ? `${group}/${version}` : version, kind, ...object, metadata } });
}

/** A schedule with a time zone in one of two places. */
const scheduleOf = (number: number, template: object) => reviewOf('ScheduledSparkApplication', GROUP, 'v1beta2', number, {
  metadata: {}, spec: number % 4 === 0 ? { schedule: `TZ=${timeZone(number)} @every ${number}m`, template } : { schedule: `${number % 60} ${number % 24} * * *`, timeZone: timeZone(number), template },
});

/** A review, and its path. Most are about schedules with an empty template, which need little work. */
function numbered(number: number): readonly [path: string, review: object] {
  switch (number % 28) {
    case 0: return ['/validate-sparkoperator-k8s-io-v1beta2-sparkapplication', reviewOf('SparkApplication', GROUP, 'v1beta2', number, { metadata: {}, spec: specOf(number) })];
    case 1: return ['/mutate-sparkoperator-k8s-io-v1beta2-sparkapplication', reviewOf('SparkApplication', GROUP, 'v1beta2', number, { metadata: {}, spec: specOf(number) })];
    case 2: return ['/validate-sparkoperator-k8s-io-v1alpha1-sparkconnect', reviewOf('SparkConnect', GROUP, 'v1alpha1', number, {
      metadata: {}, spec: { sparkVersion: '4.1.1', image: `example.org/spark:${number}`, sparkConf: { [`spark.conf.${number}`]: 'x' }, server: {}, executor: { instances: 1 } },
    })];
    case 3: return ['/mutate--v1-pod', reviewOf('Pod', '', 'v1', number, {
      metadata: { labels: { 'spark-role': 'executor', [`${GROUP}/app-name`]: `application-${number}`, [`${GROUP}/submission-id`]: 'submission' } },
      spec: { containers: [{ name: 'spark-kubernetes-executor', image: 'spark' }] },
    })];
    default: return ['/validate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication', scheduleOf(number, number % 28 < 6 ? specOf(number) : {})];
  }
}

/** An API server that has an application of each name that is asked for, as a tenant can create them. It says so at once, which a real one does not. */
const applications = createServer((request, response) => {
  const name = /\/namespaces\/jobs\/sparkapplications\/application-(\d+)$/.exec(request.url ?? '');
  const spec = { ...specOf(Number(name?.[1])), arguments: Array.from({ length: 100 }, (_, index) => `${'argument'.repeat(20)}-${index}`) };
  response.writeHead(name ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(name ? {
    apiVersion: `${GROUP}/v1beta2`, kind: 'SparkApplication', metadata: { name: `application-${name[1]}`, namespace: 'jobs', uid: `uid-${name[1]}`, resourceVersion: '1', generation: 1 }, spec,
    status: { submissionID: 'submission', submissionAttempts: 1 },
  } : { apiVersion: 'v1', kind: 'Status', code: 404, reason: 'NotFound' }));
});

const folder = mkdtempSync(join(tmpdir(), 'forged-reviews-'));
let webhook: OperatorProcess;

beforeAll(async () => {
  applications.listen(0, '127.0.0.1');
  await once(applications, 'listening');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify({
    'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x', 'contexts': [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    'clusters': [{ name: 'x', cluster: { server: `http://127.0.0.1:${(applications.address() as AddressInfo).port}` } }], 'users': [{ name: 'x', user: {} }],
  }));
  const { cert, key } = certificate();
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'tls.crt'), cert);
  webhook = new OperatorProcess(['webhook', 'start', `--kubeconfig=${kubeconfig}`, `--webhook-cert-dir=${folder}`, '--webhook-port=0', '--namespaces=jobs'], REPORTS_USAGE);
});

afterAll(async () => {
  await webhook.stop('SIGKILL');
  applications.closeAllConnections();
  applications.close();
  rmSync(folder, { recursive: true });
});

test('12,000 forged reviews leave less than 64 MiB', async () => {
  const port = await webhook.webhookPort();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let next = 0;
  const answers: Record<string, number> = {};
  const send = async (upTo: number) => {
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (next < upTo) {
        const number = next++;
        const [path, body] = numbered(number);
        const { status, json } = await post(port, path, body, { agent });
        const answer = `${path} ${status} ${json?.response.allowed}${json?.response.patch ? ' patched' : ''}`;
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    }));
    return (await webhook.usage()).memoryBytes;
  };

  const before = await send(WARM_UP);
  const after = await send(WARM_UP + REVIEWS);
  agent.destroy();
  // They are answered as meant: those with an empty template are rejected for it, not for their time zone.
  expect(answers).toEqual({
    '/validate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication 200 false': 11_000,
    '/validate-sparkoperator-k8s-io-v1beta2-scheduledsparkapplication 200 true': 1_000,
    '/validate-sparkoperator-k8s-io-v1beta2-sparkapplication 200 true': 500,
    '/mutate-sparkoperator-k8s-io-v1beta2-sparkapplication 200 true patched': 500,
    '/validate-sparkoperator-k8s-io-v1alpha1-sparkconnect 200 true': 500,
    '/mutate--v1-pod 200 true patched': 500,
  });
  expect(Math.round((after - before) / 2 ** 20)).toBeLessThan(MAX_GROWTH);
}, 300_000);

test('pipelined requests whose answers a client does not read leave less than 64 MiB', async () => {
  const [port, { metrics }] = [await webhook.webhookPort(), await webhook.ports()];
  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const sockets: Socket[] = [];
  const send = async (socket: Socket, event: string, request: string) => {
    sockets.push(socket.on('error', () => {}));
    await once(socket, event);
    socket.write(request.repeat(3_700));
  };
  const before = (await webhook.usage()).memoryBytes;
  for (let index = 0; index < 80; index++) await send(connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }), 'secureConnect', 'GET / HTTP/1.1\r\nHost:a\r\n\r\n');
  await send(connect(metrics, '127.0.0.1'), 'connect', 'GET /metrics HTTP/1.1\r\nHost:a\r\n\r\n');
  const answered = async () => Number(/^spark_operator_admission_requests_total\{path="other".*\} (\d+)$/m.exec(await scrape())?.[1] ?? 0);
  while (await answered() < 80) await new Promise(setImmediate);
  expect(Math.round(((await webhook.usage()).memoryBytes - before) / 2 ** 20)).toBeLessThan(MAX_GROWTH);
  for (const socket of sockets) socket.destroy();
}, 240_000);

/** Properties that refer to others forty times each, level by level: resolved one by one, they would cost minutes. */
function nestedReferences(levels: number): Record<string, string> {
  const level = (number: number) => `\${spark.x.${number}}`.repeat(40);
  return {
    'spark.kubernetes.driver.limit.cores': level(1), ...Object.fromEntries(Array.from({ length: levels }, (_, index) => [`spark.x.${index + 1}`, level(index + 2)])),
    [`spark.x.${levels + 1}`]: '1',
  };
}

const repeated = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry);

test.each<[name: string, spec: object, status: number, message: string]>([
  // spark-submit resolves them, in a Pod of the tenant.
  ['references to references', { sparkConf: nestedReferences(5) }, 200, '"allowed":true'],
  ['one variable 10,000 times', { driver: { env: repeated(10_000, { name: 'A', value: '' }) } }, 200, 'spec.driver.env must have at most 2000 entries, not 10000'],
  // It is not even parsed.
  ['one variable 40,000 times', { driver: { env: repeated(40_000, { name: 'A', value: '' }) } }, 413, 'a review of more than 100000 values'],
])('%s: the answer takes less than 2 s of CPU', async (_, spec, status, message) => {
  const port = await webhook.webhookPort();
  const { cpuMilliseconds: before } = await webhook.usage();

  const body = reviewOf('SparkApplication', GROUP, 'v1beta2', 1, { metadata: {}, spec: { ...specOf(1), ...spec } });
  const answer = await post(port, '/validate-sparkoperator-k8s-io-v1beta2-sparkapplication', body);

  expect(answer.status).toBe(status);
  expect(answer.text).toContain(message);
  expect((await webhook.usage()).cpuMilliseconds - before).toBeLessThan(2_000);
}, 240_000);
