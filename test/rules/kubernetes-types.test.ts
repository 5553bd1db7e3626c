import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { podTemplateSchema, schemaOfKind } from '../../src/rules/schemas';
import { violations } from '../../src/rules/validate';
import { withKubernetesTypes } from '../../src/rules/kubernetes-types';
import { applicationFixtures } from '../helpers/application-fixtures';

const spec = schemaOfKind(SPARK_APPLICATION).properties!.spec!;

test('a port in quotes becomes a number, the name of a port is unchanged', () => {
  const probe = (port: unknown) => ({ driver: { lifecycle: { preStop: { httpGet: { port } } } } });
  expect(withKubernetesTypes(spec, probe('8080'))).toEqual(probe(8080));
  for (const port of [8080, 'http', '80a', '', '99999999999']) expect(withKubernetesTypes(spec, probe(port))).toEqual(probe(port));
});

test('quantities become text, also as entries of maps', () => {
  expect(withKubernetesTypes(spec, { driver: { coreRequest: 0.5 }, batchSchedulerOptions: { resources: { cpu: 4, memory: '1Gi' } } }))
    .toEqual({ driver: { coreRequest: '0.5' }, batchSchedulerOptions: { resources: { cpu: '4', memory: '1Gi' } } });
});

test('values without a schema, invalid values and nulls are unchanged', () => {
  const value = { driver: { template: { spec: { containers: [{ resources: { limits: { cpu: 1 } } }] } }, coreRequest: [1], coreLimit: null }, other: '80', constructor: '80' };
  expect(withKubernetesTypes(spec, value)).toBe(value);
});

test('references in templates are followed', () => {
  const { template, definitions } = podTemplateSchema();
  expect(withKubernetesTypes(template, { spec: { containers: [{ startupProbe: { tcpSocket: { port: '80' } }, resources: { requests: { cpu: 0.1 } } }] } }, definitions))
    .toEqual({ spec: { containers: [{ startupProbe: { tcpSocket: { port: 80 } }, resources: { requests: { cpu: '0.1' } } }] } });
});

test.each(applicationFixtures())('$file: the conversion keeps the validity, and is idempotent', ({ manifest }) => {
  const once = withKubernetesTypes(spec, manifest.spec);
  expect(violations(spec, once, 'spec')).toEqual([]);
  expect(withKubernetesTypes(spec, once)).toBe(once);
});
