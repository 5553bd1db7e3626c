import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { podTemplateSchema, schemaOfKind } from '../../src/props/_schema';
import { violations } from '../../src/rules/validate';
import { written } from '../../src/rules/written';
import { applicationFixtures } from '../helpers/application-fixtures';

const spec = schemaOfKind(SPARK_APPLICATION).properties!.spec!;

test('a port in quotes becomes a number, the name of a port stays', () => {
  const probe = (port: unknown) => ({ driver: { lifecycle: { preStop: { httpGet: { port } } } } });
  expect(written(spec, probe('8080'))).toEqual(probe(8080));
  for (const port of [8080, 'http', '80a', '', '99999999999']) expect(written(spec, probe(port))).toEqual(probe(port));
});

test('quantities become text, also as entries of maps', () => {
  expect(written(spec, { driver: { coreRequest: 0.5 }, batchSchedulerOptions: { resources: { cpu: 4, memory: '1Gi' } } }))
    .toEqual({ driver: { coreRequest: '0.5' }, batchSchedulerOptions: { resources: { cpu: '4', memory: '1Gi' } } });
});

test('what the schema leaves open, what is wrong and what is null stay as they are', () => {
  const value = { driver: { template: { spec: { containers: [{ resources: { limits: { cpu: 1 } } }] } }, coreRequest: [1], coreLimit: null }, other: '80', constructor: '80' };
  expect(written(spec, value)).toBe(value);
});

test('in templates it follows references', () => {
  const { template, definitions } = podTemplateSchema();
  expect(written(template, { spec: { containers: [{ startupProbe: { tcpSocket: { port: '80' } }, resources: { requests: { cpu: 0.1 } } }] } }, definitions))
    .toEqual({ spec: { containers: [{ startupProbe: { tcpSocket: { port: 80 } }, resources: { requests: { cpu: '0.1' } } }] } });
});

test.each(applicationFixtures())('$file: what is written is as right as before, and writing it again changes nothing', ({ manifest }) => {
  const once = written(spec, manifest.spec);
  expect(violations(spec, once, 'spec')).toEqual([]);
  expect(written(spec, once)).toBe(once);
});
