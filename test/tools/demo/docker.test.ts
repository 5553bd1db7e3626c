import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildAndLoad, KIND_CLUSTER, kindDown, kindUp, loadCommands } from '../../../tools/demo/docker.ts';
import { silent } from '../../../tools/local-cluster/index.ts';

const root = join(__dirname, '../../..');
const { PATH } = process.env;

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'demo-')); });
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

/** Puts programs on the path that note how they are called, and nothing else. */
function standIns(programs: { readonly [name: string]: string }): void {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  process.env.PATH = [folder, '/bin', '/usr/bin'].join(delimiter);
}

const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').filter((line) => !/ version/.test(line)) : []);

test('a cluster is created once, gets images that Docker built, and is deleted', async () => {
  standIns({ docker: '', kubectl: '', kind: `case "$1" in create) echo ${KIND_CLUSTER} > ${folder}/clusters;; get) cat ${folder}/clusters 2>/dev/null || true;; esac` });
  const context = await kindUp(silent);
  expect(context).toBe('kind-spark-operator-demo');
  const { operatorImage, sparkImage } = await buildAndLoad(root, context, silent);
  expect(operatorImage).toMatch(/^spark\.test\/operator:[0-9a-f]{12}$/);
  await kindUp(silent);
  await kindDown();
  expect(calls()).toEqual([
    'kind get clusters',
    'kind create cluster --name spark-operator-demo --wait 120s',
    `docker build --tag ${operatorImage} ${root}`,
    `docker build --tag ${sparkImage} --file ${root}/tools/demo/spark.Dockerfile ${root}/examples/applications`,
    `kind load docker-image ${operatorImage} ${sparkImage} --name spark-operator-demo`,
    'kind get clusters',
    'kind delete cluster --name spark-operator-demo',
  ]);
});

test('a program that is missing or does not work is named before anything is created', async () => {
  standIns({ docker: 'echo "Cannot connect to the Docker daemon" >&2; exit 1', kubectl: '', kind: '' });
  await expect(kindUp(silent)).rejects.toMatchObject({ message: 'docker does not work here: Cannot connect to the Docker daemon', hint: expect.stringContaining('without Docker') });
  expect(calls()).toEqual([]);
});

test('the image of Spark has Python, which the application of the demo needs', () => {
  expect(readFileSync(join(root, 'tools/demo/spark.Dockerfile'), 'utf8')).toMatch(/^ARG SPARK_IMAGE=apache\/spark:\S+-python3-\S+$/m);
});

test.each<[string, unknown]>([
  ['kind-mine', [['kind', 'load', 'docker-image', 'a', 'b', '--name', 'mine']]],
  ['k3d-mine', [['k3d', 'image', 'import', 'a', 'b', '--cluster', 'mine']]],
  ['minikube', [['minikube', 'image', 'load', 'a'], ['minikube', 'image', 'load', 'b']]],
  ['docker-desktop', []],
  ['production', undefined],
])('images for the context %s', (context, expected) => {
  expect(loadCommands(context, ['a', 'b'])).toEqual(expected);
});

test('a cluster of an unknown kind needs a registry, and nothing is built for it', async () => {
  standIns({ docker: '' });
  await expect(buildAndLoad(root, 'production', silent)).rejects.toMatchObject({ message: expect.stringContaining('of the context production'), hint: expect.stringContaining('--spark-image') });
  expect(calls()).toEqual([]);
});
