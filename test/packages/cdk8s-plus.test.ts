/* The package as npm installs it, in a repository that uses one line of cdk8s-plus or another: what it creates is handed to our constructs by name. */
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { run } from '../../tools/local-cluster/run';
import { checkTypes, makeRepository, pack } from '../../tools/test/installed';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'cdk8s-plus-'));
const { peerDependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldest = (name: string) => peerDependencies[name].replace('^', '');
let tarball: string;

beforeAll(async () => {
  tarball = await pack(root, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const program = (line: string) => `
import { App, Chart, Size } from 'cdk8s';
import * as kplus from '${line}';
import { SparkApplication, SparkApplicationType, SparkOperator } from 'cdk8s-spark-operator';

const app = new App();
const operator = new SparkOperator(new Chart(app, 'operator'), 'operator', { jobNamespaces: ['spark-jobs'], createJobNamespaces: true });

const jobs = new Chart(app, 'jobs', { namespace: 'spark-jobs' });
const password = new kplus.Secret(jobs, 'password', { stringData: { password: 'x' } });
const logging = new kplus.ConfigMap(jobs, 'logging', { data: { 'log4j2.properties': 'rootLogger.level = warn' } });
const hadoop = new kplus.ConfigMap(jobs, 'hadoop', { data: { 'core-site.xml': '<configuration/>' } });
const account = new kplus.ServiceAccount(jobs, 'account');
const claim = new kplus.PersistentVolumeClaim(jobs, 'claim', { accessModes: [kplus.PersistentVolumeAccessMode.READ_WRITE_ONCE], storage: Size.gibibytes(1) });
new kplus.RoleBinding(jobs, 'binding', { role: kplus.ClusterRole.fromClusterRoleName(jobs, 'role', 'view') }).addSubjects(account);

const application = new SparkApplication(jobs, 'report', {
  type: SparkApplicationType.PYTHON,
  sparkVersion: '4.1.1',
  mainApplicationFile: 'local:///opt/spark/report.py',
  sparkConfigMap: logging.name,
  driver: { serviceAccount: account.name },
  executor: { secretEnv: { PASSWORD: { name: password.name, key: 'password' } } },
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim.name } }],
});
application.mountSecret(password.name, '/mnt/password');
application.mountConfigMap(hadoop.name, '/mnt/hadoop');
application.node.addDependency(password, logging);
// A namespace that refers to the operator's.
new kplus.Namespace(new Chart(app, 'team'), 'team', { metadata: { labels: { operator: operator.namespace } } });

app.synth();
`;

test.each([
  // The oldest of everything that the package allows.
  ['cdk8s-plus-27', { 'cdk8s': oldest('cdk8s'), 'constructs': oldest('constructs'), 'cdk8s-plus-27': devDependencies['cdk8s-plus-27'] }],
  // The newest line, and whatever of cdk8s is newest.
  ['cdk8s-plus-34', { 'cdk8s': '^2.70.0', 'constructs': '^10.3.0', 'cdk8s-plus-34': '^2.0.54' }],
])('with %s', async (line, dependencies) => {
  const repository = join(folder, line);
  mkdirSync(repository);
  await makeRepository(repository, { ...dependencies, 'cdk8s-spark-operator': `file:${tarball}` });
  writeFileSync(join(repository, 'app.ts'), program(line));
  await checkTypes(root, repository);
  await run(process.execPath, ['app.ts'], { cwd: repository, purpose: 'synthesize' });

  const objects = parseAllDocuments(readFileSync(join(repository, 'dist/jobs.k8s.yaml'), 'utf8')).map((document) => document.toJS());
  const nameOf = (kind: string, id: string) => objects.find((object) => object.kind === kind && object.metadata.name.startsWith(`jobs-${id}-`)).metadata.name;
  expect(objects.find(({ kind }) => kind === 'SparkApplication').spec).toMatchObject({
    sparkConfigMap: nameOf('ConfigMap', 'logging'),
    driver: { serviceAccount: nameOf('ServiceAccount', 'account'), secrets: [{ name: nameOf('Secret', 'password') }], configMaps: [{ name: nameOf('ConfigMap', 'hadoop') }] },
    executor: { env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: nameOf('Secret', 'password'), key: 'password' } } }] },
    volumes: [{ persistentVolumeClaim: { claimName: nameOf('PersistentVolumeClaim', 'claim') } }],
  });
  // Its dependencies are applied before it.
  expect(objects.at(-1).kind).toBe('SparkApplication');
});
