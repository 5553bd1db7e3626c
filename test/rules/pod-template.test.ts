import { podTemplateSchema } from '../../src/props/_schema';
import { podTemplateViolations } from '../../src/rules/pod-template';

const schema = podTemplateSchema();
const found = (template: unknown) => podTemplateViolations(schema, template, 'template').map(({ path, reason }) => `${path} ${reason}`);

test('a template may leave out what Spark adds: containers, their names and images', () => {
  expect(found({ spec: { nodeName: 'a' } })).toEqual([]);
  expect(found({ spec: { containers: [{ resources: { limits: { cpu: 1 } } }] } })).toEqual([]);
});

test('the manifest of a Pod is a template', () => {
  expect(found({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'driver', creationTimestamp: null }, spec: {} })).toEqual([]);
});

test('what Kubernetes does not have is refused, wherever it stands', () => {
  expect(found({ spec: { containers: [{ livenessProbe: { httpGet: { prt: 80, port: 80 } } }], toleration: [] }, status: {} })).toEqual([
    'template.spec.containers[0].livenessProbe.httpGet.prt is not a field; did you mean port?',
    'template.spec.toleration is not a field; did you mean tolerations?',
    'template.status is not a field; known are metadata, spec',
  ]);
});

test('containers that only a Pod that is there can get are refused, where they would be in it', () => {
  expect(found({ spec: { ephemeralContainers: [{ name: 'debug' }] } })).toEqual(['template.spec.ephemeralContainers is refused by Kubernetes in a Pod that is created: write it as a sidecar, in containers']);
  expect(found({ spec: { ephemeralContainers: [] } })).toEqual([expect.stringContaining('is not a field')]);
});

test('a key may be in a list twice, as in a Pod that is created', () => {
  expect(found({ spec: { containers: [{ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }], ports: [{ containerPort: 80 }, { containerPort: 80 }] }] } })).toEqual([]);
});

test('nothing is a template without a word, anything else is none', () => {
  expect(found(undefined)).toEqual([]);
  expect(found('template.yaml')).toEqual(['template must be an object']);
  expect(found([])).toEqual(['template must be an object']);
});
