import { checkTemplate } from '../../../src/plan/pods/check-template';
import { refusalOf } from './helpers';

test.each<[string, unknown]>([
  ['none', undefined],
  ['an empty one', {}],
  ['one without containers', { spec: { topologySpreadConstraints: [] } }],
  ['what programs in Go write', { metadata: { creationTimestamp: null }, spec: { containers: null } }],
  ['a variable twice, of which the later counts', {
    spec: { containers: [{ name: 'c', env: [{ name: 'A' }, { name: 'A' }], ports: [{ containerPort: 1 }, { containerPort: 1 }] }] },
  }],
])('accepted: %s', (_, template) => {
  expect(() => checkTemplate('driver', template as never)).not.toThrow();
});

test('the error has all problems', () => {
  const template = { spec: { containers: [{ name: 'c', image: 7, comand: ['x'], args: 'x' }], tolerations: 'all' } };

  expect(refusalOf(() => checkTemplate('executor', template as never)).message).toMatch(
    /^spec\.executor\.template is not a pod template: spec\.containers\[0\]\.image must be [^;]+; spec\.containers\[0\]\.args must be [^;]+; spec\.tolerations must be [^;]+; write it as/,
  );
});

test('an unknown field gives a warning, as it has no effect', () => {
  const template = { spec: { securityContext: { capabilities: { drop: ['ALL'] } }, toleration: [] }, status: {} };

  expect(checkTemplate('driver', template as never)).toEqual([
    { path: 'spec.driver.template.spec.securityContext.capabilities', reason: 'has no effect: it is not a field; see the reference of the fields', severity: 'ineffective' },
    { path: 'spec.driver.template.spec.toleration', reason: 'has no effect: it is not a field; did you mean tolerations?', severity: 'ineffective' },
    { path: 'spec.driver.template.status', reason: expect.stringMatching(/^has no effect: it is not a field; known are / ), severity: 'ineffective' },
  ]);
});

test('ephemeral containers are an error, as Kubernetes would reject the Pod', () => {
  expect(refusalOf(() => checkTemplate(
    'driver', { spec: { containers: [], ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } } as never,
  )).message).toBe(
    'spec.driver.template is not a pod template: spec.ephemeralContainers is refused by Kubernetes in a Pod that is created: write it as a sidecar, in containers; write it as the template of a Deployment',
  );
  expect(checkTemplate('driver', { spec: { containers: [], ephemeralContainers: [] } } as never)).toEqual([expect.objectContaining({ path: 'spec.driver.template.spec.ephemeralContainers' })]);
});

test('the error has only a few problems, and no values', () => {
  const variables = Array.from({ length: 100 }, (_, index) => ({ name: `A${index}`, value: ['s3cr3t'] }));
  const refusal = refusalOf(() => checkTemplate('driver', { spec: { containers: [{ name: 'c', env: variables }] } } as never));

  expect(refusal.message).toContain('; and 95 more;');
  expect(refusal.message.length).toBeLessThan(600);
  expect(refusal.message).not.toContain('s3cr3t');
});

test.each([['text', 'x'], ['a list', []], ['a number', 7]])('%s is not a template', (_, template) => {
  expect(refusalOf(() => checkTemplate('driver', template as never)).message).toContain('template must be an object');
});
