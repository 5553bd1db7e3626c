import { goesThroughWebhook, improvePod, markLeft } from '../../../src/plan/properties/improvements';

const pod = (containers: { name: string; terminationMessagePolicy?: string }[], spec: object = {}) => ({
  spec: { containers, restartPolicy: 'Never', ...spec },
});

test("the Pod's status gets the end of the log of Spark's failed container, but not of a sidecar", () => {
  const { spec } = improvePod(pod([{ name: 'spark' }, { name: 'sidecar' }]), 'spark');
  expect(spec.containers).toEqual([{ name: 'spark', terminationMessagePolicy: 'FallbackToLogsOnError' }, { name: 'sidecar' }]);
});

test('a policy of a template takes precedence', () => {
  const { spec } = improvePod(pod([{ name: 'spark', terminationMessagePolicy: 'File' }]), 'spark');
  expect(spec.containers[0]).toMatchObject({ terminationMessagePolicy: 'File' });
});

test('no variables of Services, unless a template enables them', () => {
  expect(improvePod(pod([]), 'spark').spec).toMatchObject({ enableServiceLinks: false, restartPolicy: 'Never' });
  expect(improvePod(pod([], { enableServiceLinks: true }), 'spark').spec).toMatchObject({ enableServiceLinks: true });
});

describe('the mark of a pod for the webhook', () => {
  const LEFT = 'sparkoperator.k8s.io/left-to-webhook';

  test('has the fields for the webhook, next to existing annotations', () => {
    expect(markLeft({ spec: { containers: [] } }, ['spec.executor.memoryLimit', 'spec.executor.gpu']))
      .toEqual({ metadata: { annotations: { [LEFT]: 'spec.executor.memoryLimit,spec.executor.gpu' } }, spec: { containers: [] } });
    expect(markLeft({ metadata: { name: 'x', annotations: { a: 'b' } } }, ['c'])).toEqual({
      metadata: { name: 'x', annotations: { a: 'b', [LEFT]: 'c' } },
    });
    expect(markLeft({ metadata: { annotations: null } }, [])).toEqual({ metadata: { annotations: { [LEFT]: 'none' } } });
  });

  test('is not on other pods', () => {
    expect([
      {}, { metadata: { annotations: null } }, { metadata: { annotations: { a: 'b' } } }, markLeft({}, []),
    ].map((each) => goesThroughWebhook(each as never))).toEqual([false, false, false, true]);
  });
});
