/*
 * The promise of the README: a repository elsewhere, with the package as npm packs and installs it, writes two files, and plain kubectl does the rest.
 * tools/test makes the repository, before there is the network of a cluster around it.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../tools/local-cluster/run';
import { checkTypes } from '../../tools/test/installed';
import { established } from '../helpers/definitions';
import { get, kubectl, SPARK_TIME, waitFor, waitForState } from '../helpers/kubectl';

const root = join(__dirname, '../..');
const repository = process.env.PLATFORM_REPOSITORY!;
const dist = join(repository, 'dist');
const NAMESPACES = ['platform-operator', 'platform-finance', 'platform-science'];

afterAll(() => kubectl(['delete', 'namespace', ...NAMESPACES, '--ignore-not-found', '--wait=false']));

test('its program has no type errors, and synthesizes one file to install and one with jobs', async () => {
  copyFileSync(join(__dirname, 'platform/app.ts'), join(repository, 'app.ts'));
  await checkTypes(root, repository);
  await run(process.execPath, ['app.ts'], { cwd: repository, purpose: 'synthesize' });

  expect(readdirSync(dist).sort()).toEqual(['0000-install.k8s.yaml', '0001-jobs.k8s.yaml']);
});

test('both are applied by plain kubectl, one after the other', async () => {
  await kubectl(['apply', '-f', join(dist, '0000-install.k8s.yaml')]);
  await established(180);
  await kubectl(['apply', '-f', join(dist, '0001-jobs.k8s.yaml')]);
  await waitFor('platform-operator', 'deployment/spark-operator', 'condition=Available');
});

test.each([
  ['platform-finance', 'report'],
  ['platform-finance', 'settlement'],
  ['platform-science', 'simulation'],
])('%s: %s runs to COMPLETED', async (namespace, name) => {
  const { status } = await waitForState(namespace, name, 'COMPLETED', SPARK_TIME);

  expect(status).toMatchObject({ executionAttempts: 1, submissionAttempts: 1 });
  expect(await kubectl(['logs', `${name}-driver`, '-n', namespace])).toMatch(/^Pi is roughly 3\.\d+/m);
});

test('each runs as its tenant has it', async () => {
  const [finance, science] = await Promise.all([get('platform-finance', 'pod', 'report-driver'), get('platform-science', 'pod', 'simulation-driver')]);
  expect(finance.spec.containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toContain('/mnt/token');
  expect(science.spec.containers[0].securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
});
