import { podTemplateSchema } from '../../src/rules/schemas';
import { podTemplateViolations } from '../../src/rules/pod-template';

const schema = podTemplateSchema();
const found = (template: unknown) => podTemplateViolations(schema, template, 'template').map(({ path, reason }) => `${path} ${reason}`);

test('a template can omit fields that Spark adds: containers, their names and images', () => {
  expect(found({ spec: { nodeName: 'a' } })).toEqual([]);
  expect(found({ spec: { containers: [{ resources: { limits: { cpu: 1 } } }] } })).toEqual([]);
});

test('the manifest of a Pod is a valid template', () => {
  expect(found({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'driver', creationTimestamp: null }, spec: {} })).toEqual([]);
});

test('unknown fields are rejected at any place', () => {
  expect(found({ spec: { containers: [{ livenessProbe: { httpGet: { prt: 80, port: 80 } } }], toleration: [] }, status: {} })).toEqual([
    'template.spec.containers[0].livenessProbe.httpGet.prt is not a field; did you mean port?',
    'template.spec.toleration is not a field; did you mean tolerations?',
    'template.status is not a field; known are metadata, spec',
  ]);
});

test('ephemeral containers are rejected at their place in the template', () => {
  expect(found({ spec: { ephemeralContainers: [{ name: 'debug' }] } })).toEqual(['template.spec.ephemeralContainers is rejected by Kubernetes in a new Pod: write it as a sidecar, in containers']);
  expect(found({ spec: { ephemeralContainers: [] } })).toEqual([expect.stringContaining('is not a field')]);
});

test('a list can repeat a key, as in the creation of a Pod', () => {
  expect(found({ spec: { containers: [{ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }], ports: [{ containerPort: 80 }, { containerPort: 80 }] }] } })).toEqual([]);
});

test('null is accepted as a template, other values are not', () => {
  expect(found(undefined)).toEqual([]);
  expect(found('template.yaml')).toEqual(['template must be an object']);
  expect(found([])).toEqual(['template must be an object']);
});
