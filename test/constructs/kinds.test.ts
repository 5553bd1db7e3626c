import { Chart, Testing } from 'cdk8s';
import { SparkOperator } from '../../src';
import { KINDS } from '../../src/api/kinds';
import { schemaOfKind } from '../../src/rules/schemas';
import { parseSchedule } from '../../src/schedule/expression';
import { cpuTime } from '../helpers/cpu-time';

test('SparkOperator contains the CRD of each kind, and permissions for it', () => {
  const chart = new Chart(Testing.app(), 'test');
  new SparkOperator(chart, 'operator', { allNamespaces: true });
  const objects = Testing.synth(chart);

  expect(
    objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ spec }) => spec.names.kind),
  ).toEqual(KINDS.map(({ kind }) => kind));
  const ruled = objects.flatMap(({ rules = [] }) => rules).filter(({ apiGroups }) => apiGroups.includes('sparkoperator.k8s.io')
    || apiGroups.includes('*')).flatMap(({ resources }) => resources);
  expect(new Set(ruled)).toEqual(new Set(KINDS.flatMap(({ plural }) => [plural, `${plural}/status`])));
});

test("a reference to another kind's schema is resolved", () => {
  const { template } = schemaOfKind(KINDS[1]!).properties!.spec!.properties!;
  const { description, ...spec } = schemaOfKind(KINDS[0]!).properties!.spec!;

  expect(template).toEqual({ ...spec, description: expect.stringContaining('created for each run') });
  expect(template!.description).not.toBe(description);
});

test('validating thousands of schedules is fast', () => {
  const took = cpuTime();
  for (let index = 0; index < 2_000; index++) {
    parseSchedule(`${index % 60} ${index % 24} * * mon-fri`, 'Europe/Berlin').next(new Date('2026-03-01T00:00:00Z'));
  }
  expect(took()).toBeLessThan(3_000);
});
