import { improvePod, markCustomized } from '../../../src/operator/submission/improvements';

const pod = (containers: { name: string; terminationMessagePolicy?: string }[], spec: object = {}) => ({ spec: { containers, restartPolicy: 'Never', ...spec } });

test("Spark's container leaves the end of its log in the Pod's status when it fails; a sidecar does not", () => {
  const { spec } = improvePod(pod([{ name: 'spark' }, { name: 'sidecar' }]), 'spark');
  expect(spec.containers).toEqual([{ name: 'spark', terminationMessagePolicy: 'FallbackToLogsOnError' }, { name: 'sidecar' }]);
});

test('a policy that a template sets stays', () => {
  const { spec } = improvePod(pod([{ name: 'spark', terminationMessagePolicy: 'File' }]), 'spark');
  expect(spec.containers[0]).toMatchObject({ terminationMessagePolicy: 'File' });
});

test('no variables of Services, unless a template wants them', () => {
  expect(improvePod(pod([]), 'spark').spec).toMatchObject({ enableServiceLinks: false, restartPolicy: 'Never' });
  expect(improvePod(pod([], { enableServiceLinks: true }), 'spark').spec).toMatchObject({ enableServiceLinks: true });
});

test('a pod onto which all is put says so, beside what it says already', () => {
  expect(markCustomized({ spec: { containers: [] } })).toEqual({ metadata: { annotations: { 'sparkoperator.k8s.io/customized': 'true' } }, spec: { containers: [] } });
  expect(markCustomized({ metadata: { name: 'x', annotations: { a: 'b' } } })).toEqual({ metadata: { name: 'x', annotations: { 'a': 'b', 'sparkoperator.k8s.io/customized': 'true' } } });
  expect(markCustomized({ metadata: { annotations: null } })).toEqual({ metadata: { annotations: { 'sparkoperator.k8s.io/customized': 'true' } } });
});
