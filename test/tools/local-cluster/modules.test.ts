/* The modules of programs that are compiled, and the documentation about them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GO_VERSION, KUBERNETES_VERSION } from '../../../tools/local-cluster/versions.ts';
import { KUBEFLOW_SDK_IMAGE } from '../../../tools/test/python-packages.ts';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const required = (program: string, module: string) => new RegExp(`^(?:require)?\\s*${module} v(\\S+)`, 'm').exec(read(`tools/local-cluster/${program}/go.mod`))?.[1];
const minor = (version: string | undefined) => version?.split('.').slice(0, 2).join('.');

test('the scheduler with the coscheduling plugin is of the Kubernetes that it runs in, and the documentation says which plugin it is', () => {
  const kubernetes = required('coscheduler', 'k8s.io/kubernetes');
  const plugin = required('coscheduler', 'sigs.k8s.io/scheduler-plugins');

  expect(`v${minor(kubernetes)}`).toBe(minor(KUBERNETES_VERSION));
  expect(plugin?.split('.')[1]).toBe(kubernetes?.split('.')[1]);
  expect(read('docs/guides/batch-schedulers.md')).toContain(`coscheduling plugin (${plugin} in Kubernetes' scheduler ${minor(kubernetes)})`);
});

test('what the control plane and that scheduler have in common is compiled once: it has the same versions', () => {
  const versions = (program: string) => {
    const text = read(`tools/local-cluster/${program}/go.mod`);
    const replaced = [...text.matchAll(/^(?:replace)?\s*(\S+) => \1 (v\S+)/gm)];
    return new Map([...text.matchAll(/^(?:require)?\s+(\S+) (v\S+)(?: \/\/ indirect)?$/gm), ...replaced].map(([, module, version]) => [module!, version!]));
  };
  const [own, scheduler] = [versions('controlplane'), versions('coscheduler')];
  const common = [...scheduler.keys()].filter((module) => own.has(module));

  expect(common.length).toBeGreaterThan(90);
  expect(common.filter((module) => own.get(module) !== scheduler.get(module))).toEqual([]);
});

test('the documentation says which Kueue it is', () => {
  expect(read('docs/guides/kueue.md')).toContain(`the real Kueue ${required('kueue', 'sigs.k8s.io/kueue')},`);
});

test("the documentation says with which release of kubeflow's operator the migration is rehearsed", () => {
  const releases = `kubeflow's operator ${required('kubeflow', 'github.com/kubeflow/spark-operator/v2')} and Helm ${required('helm', 'helm.sh/helm/v3')}`;
  expect(read('docs/migrate/from-kubeflow.md')).toContain(releases);
});

test("the documentation says which version of kubeflow's SDK it is, and which image that writes", () => {
  const [, sdk] = /'kubeflow==([\d.]+)'/.exec(read('tools/test/python-packages.ts'))!;
  expect(read('docs/guides/pipelines.md')).toContain(`the SDK ${sdk}`);
  expect(read('docs/guides/pipelines.md')).toContain(KUBEFLOW_SDK_IMAGE.replace('docker.io/', ''));
});

test.each(['coscheduler', 'helm', 'kubeflow', 'kueue'])('%s asks for the Go of the others', (program) => {
  expect(/^go (\S+)/m.exec(read(`tools/local-cluster/${program}/go.mod`))![1]!.replace(/^(\d+\.\d+).*/, '$1')).toBe(GO_VERSION);
});
