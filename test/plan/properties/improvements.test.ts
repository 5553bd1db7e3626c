import { goesThroughWebhook, improvePod, markLeft } from '../../../src/plan/properties/improvements';

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

describe('a pod that has to go through the webhook says so', () => {
  const LEFT = 'sparkoperator.k8s.io/left-to-webhook';

  test('with what is left for it, beside what it says already', () => {
    expect(markLeft({ spec: { containers: [] } }, ['spec.executor.memoryLimit', 'spec.executor.gpu']))
      .toEqual({ metadata: { annotations: { [LEFT]: 'spec.executor.memoryLimit,spec.executor.gpu' } }, spec: { containers: [] } });
    expect(markLeft({ metadata: { name: 'x', annotations: { a: 'b' } } }, ['c'])).toEqual({ metadata: { name: 'x', annotations: { a: 'b', [LEFT]: 'c' } } });
    expect(markLeft({ metadata: { annotations: null } }, [])).toEqual({ metadata: { annotations: { [LEFT]: 'none' } } });
  });

  test('and no other does', () => {
    expect([{}, { metadata: { annotations: null } }, { metadata: { annotations: { a: 'b' } } }, markLeft({}, [])].map((each) => goesThroughWebhook(each as never))).toEqual([false, false, false, true]);
  });
});
