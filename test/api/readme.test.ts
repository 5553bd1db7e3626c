/*
 * The quick start of the README, command by command as it is written, with the package as npm packs it, on a real API server that has never heard of the operator.
 * Building the image is left out: tests of a real node do that. The operator of that image runs beside the API server, with the arguments of its Deployment.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { SecondApiServer } from './helpers/second-api-server';
import { codeBlocks } from '../helpers/code-blocks';
import { kubectl, tryKubectl } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { pack } from '../../tools/test/installed';

const root = join(__dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [build, install, run, dependencies, synth] = codeBlocks(readme, 'sh');
const [manifest] = codeBlocks(readme, 'yaml');
const [program] = codeBlocks(readme, 'ts');

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
const kubeconfig = join(folder, 'kubeconfig');
let server: SecondApiServer;
let operator: OperatorProcess | undefined;

beforeAll(async () => {
  server = SecondApiServer.find(16449, `/readme-${process.pid}-${Date.now()}`);
  const [archive, config] = await Promise.all([pack(root, folder), kubectl(['config', 'view', '--raw', '--flatten', '-o', 'json']), server.start()]);
  expect(build).toContain(`cd ../pi    # has ${basename(archive)}\n`);
  const { clusters, ...others } = JSON.parse(config);
  const moved = clusters.map(({ name, cluster }: any) => ({ name, cluster: { ...cluster, server: server.url } }));
  writeFileSync(kubeconfig, JSON.stringify({ ...others, clusters: moved }), { mode: 0o600 });
});

afterAll(async () => {
  await operator?.stop();
  await server?.kill();
  rmSync(folder, { recursive: true });
});

/** Runs a block of the README in a shell. Installed packages stay in the folder; those that npm has in its cache are not fetched. */
function shell(block: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, KUBECONFIG: kubeconfig, npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false', ...environment };
  return new Promise((resolve, reject) => {
    const child = execFile('bash', ['-euc', block.replaceAll('REGISTRY', 'registry.example.org')], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${block}ended with ${error.code}: ${stdout}${stderr}`));
      else resolve(stdout);
    });
    child.stdin!.end();
  });
}

// npx asks a person before it installs. The command line needs none of the package's peers, and npx keeps what it installs in its cache.
const NPX = { npm_config_yes: 'true', npm_config_legacy_peer_deps: 'true', npm_config_cache: join(folder, 'npm') };

/** Reads an object, until it is there. */
async function object(namespace: string, kind: string, name: string): Promise<any> {
  await onServer(['wait', '--for=create', `${kind}/${name}`, '-n', namespace, '--timeout=120s']);
  return JSON.parse(await onServer(['get', kind, name, '-n', namespace, '-o', 'json']));
}

async function onServer(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(['--server', server.url, ...args]);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Plays the controllers and the kubelet, which this API server does not have. */
async function makeAvailable(): Promise<void> {
  const { metadata: { generation }, spec: { replicas } } = await object('spark-operator', 'deployment', 'spark-operator');
  const status = { observedGeneration: generation, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  await onServer(['patch', 'deployment', 'spark-operator', '-n', 'spark-operator', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
}

test('the operator is installed, and has the image that was built', async () => {
  const [printed] = await Promise.all([shell(install!, NPX), makeAvailable()]);
  expect(printed).toContain('available  Deployment spark-operator/spark-operator');
  const { spec: { template: { spec: { containers: [{ image, args }] } } } } = await object('spark-operator', 'deployment', 'spark-operator');
  expect(image).toBe('registry.example.org/spark-operator:dev');
  const others = args.filter((arg: string) => !/^--(metrics-bind|health-probe|leader-election)/.test(arg));
  operator = new OperatorProcess([...others, '--leader-election=false', `--kubeconfig=${kubeconfig}`], { POD_NAMESPACE: 'spark-operator' });
  await operator.ready();
});

test('its manifest is applied, the operator creates the driver, and the command line reports the state', async () => {
  writeFileSync(join(folder, 'pi.yaml'), manifest!);
  expect(await shell(run!, NPX)).toContain('sparkapplication.sparkoperator.k8s.io/pi created\n');
  const { spec: { serviceAccountName } } = await object('spark-jobs', 'pod', 'pi-driver');
  expect(serviceAccountName).toBe('spark');
  await onServer(['wait', '--for=jsonpath={.status.applicationState.state}=SUBMITTED', 'sparkapplication/pi', '-n', 'spark-jobs', '--timeout=180s']);
  expect(await shell(run!.split('\n').filter((line) => line.includes('status pi')).join('\n'), NPX)).toContain('SUBMITTED');
});

test('its program makes the same application', async () => {
  writeFileSync(join(folder, 'pi.mts'), program!);
  await shell(dependencies!);
  expect(await shell(synth!)).toContain('sparkapplication.sparkoperator.k8s.io/pi-ts created\n');
  expect((await object('spark-jobs', 'sparkapplication', 'pi-ts')).spec).toMatchObject(parse(manifest!).spec);
});
