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

test('the error has the first problem, and no value', () => {
  const template = { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: ['s3cr3t'] }], comand: ['x'], args: 'x' }], tolerations: 'all' } };

  expect(refusalOf(() => checkTemplate('executor', template as never)).message).toBe(
    'spec.executor.template.spec.containers[0].env[0].value must be a string; write it as in the template of a Deployment',
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
    'spec.driver.template.spec.ephemeralContainers is rejected by Kubernetes in a new Pod: write it as a sidecar, in containers; write it as in the template of a Deployment',
  );
  expect(checkTemplate('driver', { spec: { containers: [], ephemeralContainers: [] } } as never)).toEqual([expect.objectContaining({ path: 'spec.driver.template.spec.ephemeralContainers' })]);
});

test.each([['text', 'x'], ['a list', []], ['a number', 7]])('%s is not a template', (_, template) => {
  expect(refusalOf(() => checkTemplate('driver', template as never)).message).toMatch(/^spec\.driver\.template must be an object/);
});
