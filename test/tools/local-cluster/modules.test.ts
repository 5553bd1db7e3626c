/* What stands in the modules of programs that are compiled, and in what people read about them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GO_VERSION, KUBERNETES_VERSION } from '../../../tools/local-cluster/versions.ts';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const required = (program: string, module: string) => new RegExp(`^(?:require)?\\s*${module} v(\\S+)`, 'm').exec(read(`tools/local-cluster/${program}/go.mod`))?.[1];
const minor = (version: string | undefined) => version?.split('.').slice(0, 2).join('.');

test('the scheduler with the coscheduling plugin is of the Kubernetes that it runs in, and the documentation says which plugin it is', () => {
  const kubernetes = required('coscheduler', 'k8s.io/kubernetes');
  const plugin = required('coscheduler', 'sigs.k8s.io/scheduler-plugins');

  expect(`v${minor(kubernetes)}`).toBe(minor(KUBERNETES_VERSION));
  expect(plugin?.split('.')[1]).toBe(kubernetes?.split('.')[1]);
  expect(read('docs/batch-schedulers.md')).toContain(`coscheduling plugin (${plugin} in Kubernetes' scheduler ${minor(kubernetes)})`);
});

test('the documentation says which Kueue it is', () => {
  expect(read('docs/kueue.md')).toContain(`the real Kueue ${required('kueue', 'sigs.k8s.io/kueue')},`);
});

test.each(['coscheduler', 'kueue'])('%s asks for the Go of the others', (program) => {
  expect(/^go (\S+)/m.exec(read(`tools/local-cluster/${program}/go.mod`))![1]!.replace(/^(\d+\.\d+).*/, '$1')).toBe(GO_VERSION);
});
