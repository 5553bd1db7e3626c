/* The bundle as a Deployment of its own runs it: `webhook start`, and nothing else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorProcess } from '../helpers/operator-process';
import { certificate, post, review } from './admission/helpers';

const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
const kubeconfig = join(folder, 'kubeconfig');
// There is no API server: the answers need none.
writeFileSync(kubeconfig, JSON.stringify({
  'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x', 'contexts': [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
  'clusters': [{ name: 'x', cluster: { server: 'http://127.0.0.1:1' } }], 'users': [{ name: 'x', user: {} }],
}));
const webhook = new OperatorProcess(['webhook', 'start', `--kubeconfig=${kubeconfig}`, `--webhook-cert-dir=${folder}`, '--webhook-port=0', '--namespaces=jobs']);

afterAll(async () => {
  await webhook.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

const VALIDATE = '/validate-sparkoperator-k8s-io-v1beta2-sparkapplication';
const WRONG = review({ object: { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'Not A Name', namespace: 'jobs' }, spec: { type: 'Scala', driver: {}, executor: {} } } });

test('it waits for its certificate, answers, counts, and ends in order', async () => {
  const { health, metrics } = await webhook.ports();
  const { port } = await webhook.logged(({ msg }) => msg === 'serving the admission webhook');
  const get = async (from: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${from}${path}`);
    return { status: answer.status, text: await answer.text() };
  };

  expect(await get(health, '/healthz')).toMatchObject({ status: 200 });
  expect(await get(health, '/readyz')).toMatchObject({ status: 503, text: expect.stringMatching(/^webhook: there is no certificate yet; .*tls\.crt/) });
  await expect(post(port, VALIDATE, WRONG)).rejects.toThrow(/handshake/);

  const { cert, key } = certificate();
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'tls.crt'), cert);
  while ((await get(health, '/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));

  const { json: { response } } = await post(port, VALIDATE, WRONG);
  expect(response).toMatchObject({ uid: 'a-uid', allowed: false, status: { code: 422, message: expect.stringContaining('spec.mainApplicationFile is required') } });
  expect((await post(port, VALIDATE, { ...WRONG, request: { ...WRONG.request, namespace: 'others' } })).json.response).toEqual({ uid: 'a-uid', allowed: true });
  expect((await get(metrics, '/metrics')).text).toContain(`spark_operator_admission_requests_total{path="${VALIDATE}",operation="CREATE",allowed="false",code="422"} 1`);

  const ended = webhook.stop();
  await webhook.logged(({ msg }) => msg === 'stopping');
  // It continues until the Services of the cluster lead elsewhere, and is no longer ready.
  expect(await get(health, '/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('webhook: ending') });
  expect(await post(port, VALIDATE, WRONG)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await ended).toBe(0);
}, 240_000);

test('an operator that serves it does so before it has read anything, and is not ready before that', async () => {
  const { cert, key } = certificate();
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'tls.crt'), cert);
  const operator = new OperatorProcess(['--webhook=here', `--kubeconfig=${kubeconfig}`, `--webhook-cert-dir=${folder}`, '--webhook-port=0', '--namespaces=jobs', '--leader-election=false']);
  try {
    const { health, metrics } = await operator.ports();
    const port = await operator.webhookPort();
    expect((await post(port, VALIDATE, WRONG)).json.response).toMatchObject({ allowed: false, status: { code: 422 } });
    const readiness = await fetch(`http://127.0.0.1:${health}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.text()).toMatch(/^jobs: .*\nwebhook: the certificate is valid until /);
    expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toMatch(/^spark_operator_admission_requests_total\{.*allowed="false",code="422"\} 1$/m);
  } finally {
    await operator.stop('SIGKILL');
  }
}, 240_000);
