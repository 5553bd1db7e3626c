import { includes, same } from '../../../src/plan/pods/same';

test.each<[string, unknown, unknown]>([
  ['text and number of a port', { port: '81' }, { port: 81 }],
  ['quantities', { limits: { cpu: '1000m' } }, { limits: { cpu: 1 } }],
  ['sizes', { sizeLimit: '1Gi' }, { sizeLimit: '1024Mi' }],
  ['values that Kubernetes omits', { medium: '', items: [], readOnly: false, extra: null }, {}],
  ['defaults that Kubernetes adds', { configMap: { name: 'a', defaultMode: 420 } }, { configMap: { name: 'a' } }],
  ['empty settings', { resources: {}, securityContext: {} }, {}],
])('equal: %s', (_, a, b) => {
  expect([same(a, b), same(b, a), includes(a, b), includes(b, a)]).toEqual([true, true, true, true]);
});

test.each<[string, unknown, unknown]>([
  ['an empty volume and none', { emptyDir: {} }, {}],
  ['false and absent, where the default is true', { allowPrivilegeEscalation: false }, {}],
  ['0 and absent', { runAsUser: 0 }, {}],
  ['values that look like quantities', { value: '1.0' }, { value: '1' }],
  ['words in another order', ['a', 'b'], ['b', 'a']],
  ['terms that are contained in each other', [
    { all: [{ key: 'a' }] }, { all: [{ key: 'a' }, { key: 'b' }] },
  ], [{ all: [{ key: 'b' }, { key: 'a' }] }]],
  ['a list and an object', [], { a: 1 }],
  ['an object and text', { a: {} }, { a: 'x' }],
])('not equal: %s', (_, a, b) => {
  expect([same(a, b), same(b, a)]).toEqual([false, false]);
});

test('includes() accepts further content, and lists in another order', () => {
  const wanted = { name: 'side', command: ['run'], env: [{ name: 'A', value: '1' }], volumeMounts: [{ name: 'data', mountPath: '/d' }] };
  const present = {
    ...wanted, imagePullPolicy: 'Always', resources: {},
    volumeMounts: [{ name: 'token', mountPath: '/t', readOnly: true }, { name: 'data', mountPath: '/d' }],
  };

  expect(includes(present, wanted)).toBe(true);
  expect(includes(wanted, present)).toBe(false);
  expect(includes({ ...present, command: ['run', 'fast'] }, wanted)).toBe(false);
});
