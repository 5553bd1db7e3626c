/*
 * The shipped client under a test runner, which has its own loader of CommonJS, including what the
 * client loads on demand.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SparkApplicationType } from '../../lib';

const folder = mkdtempSync(join(tmpdir(), 'client-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('it finds its cluster and the constructs of the package', async () => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as a CommonJS program does
  const { SparkClient, PropsError } = require('../../runtime/client.cjs') as typeof import('../../src/client');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify({
    'current-context': 'one',
    'contexts': [{ name: 'one', context: { cluster: 'one', user: 'one', namespace: 'jobs' } }],
    'clusters': [{ name: 'one', cluster: { server: 'http://127.0.0.1:1' } }],
    'users': [{ name: 'one', user: {} }],
  }));
  const client = await SparkClient.connect({ kubeconfig });
  const refused = await client.submit('pi', {
    type: SparkApplicationType.JAVA, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.jar',
  }).catch((error: unknown) => error);
  client.close();

  expect(refused).toBeInstanceOf(PropsError);
  expect(String(refused)).toContain('mainClass is missing');
});
