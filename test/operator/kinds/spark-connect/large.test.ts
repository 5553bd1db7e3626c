/* Large SparkConnects, with only their facts in memory. */
import { CONFIG_MAPS } from '../../../../src/model/resources';
import type { WholeConnect } from '../../../../src/model/spark-connect';
import { revisionOf } from '../../../../src/plan/connect/revision';
import { transform } from '../../../../src/operator/kinds/spark-connect/transform';
import { wantedOf } from '../../../../src/operator/kinds/spark-connect/wanted';
import { bytesOf } from '../../../../src/text/json-bytes';
import { kindsIn, SPEC, World } from './operator';

const text = (kib: number) => 'x'.repeat(kib * 1024);
const LARGE = { sparkConf: { 'spark.example.long': text(100), 'spark.ui.port': '5050', 'spark.driver.port': '7000' } };

const connect = (spec: object, metadata: object = {}) => ({
  metadata: { name: 'nb', namespace: 'jobs', uid: 'uid', generation: 3, ...metadata }, spec: { ...SPEC, ...spec },
}) as unknown as WholeConnect;

test('the facts of a large one are kept, with the same result', () => {
  const whole = connect({
    ...LARGE, server: {
      cores: 2, service: { metadata: { name: 'mine' } },
    }, sparkUIOptions: { servicePort: 80 }, idleTimeToLiveSeconds: 60, suspend: false, restartPolicy: { type: 'Never' },
  });
  const kept = transform(whole);
  expect(kept.spec).toEqual({
    sparkConf: { 'spark.ui.port': '5050', 'spark.driver.port': '7000' }, server: { service: { metadata: { name: 'mine' } } },
    sparkUIOptions: { servicePort: 80 },
    idleTimeToLiveSeconds: 60, suspend: false, restartPolicy: { type: 'Never' },
  });
  const settings = { uiService: true, driverPodDisruptionBudget: false, ingress: { urlFormat: '{{$appName}}.example.org' } };
  expect(wantedOf(kept, settings)).toEqual(wantedOf(whole, settings));
  expect(revisionOf(kept)).toBe(revisionOf(whole));
});

test('one of usual size is kept whole', () => {
  const whole = connect({ server: { cores: 2 } });
  expect(transform(whole).spec).toBe(whole.spec);
});

test.each<[string, object]>([
  ['the Service', { server: { service: { metadata: { annotations: { a: text(1_300) } } } } }],
  ['the web UI', { sparkUIOptions: { ingressAnnotations: { a: text(1_300) } } }],
  ['a template', { executor: { template: { metadata: { annotations: { a: text(1_300) } } } } }],
  ['a property', { sparkConf: { 'spark.ui.port': text(1_300) } }],
])('little is kept of any large part: %s', (_, spec) => {
  expect(bytesOf(transform(connect(spec)))).toBeLessThan(10 * 1024);
});

test('a large one starts with its whole specification, and is not read while nothing happens', async () => {
  const world = new World(LARGE);
  await world.ready();
  expect(world.status.state).toBe('Ready');
  expect(world.api.all(CONFIG_MAPS).some(({ data }: any) => JSON.stringify(data).includes(text(100)))).toBe(true);
  const calls = world.api.made.length;
  for (let pass = 0; pass < 3; pass++) await world.pass();
  expect(world.api.made.length).toBe(calls);

  world.edit({ idleTimeToLiveSeconds: 600 });
  await world.settle();
  expect(world.status.state).toBe('Ready');
  world.edit({ sparkConf: { ...LARGE.sparkConf, 'spark.example': 'new' } });
  await world.settle();
  expect(world.pod?.metadata.deletionTimestamp ?? world.status.state).not.toBe('Ready');
});

test('one beyond a limit fails with the reason, without a read', async () => {
  const world = new World({ sparkConf: { 'spark.example.long': text(600) } });
  await world.settle();
  expect(world.status.state).toBe('Failed');
  expect(world.condition()).toMatchObject({
    status: 'False', reason: 'SpecRefused',
    message: expect.stringMatching(/^spec must have at most 256 KiB as JSON, not 601 KiB; move long values into/),
  });
  expect(kindsIn(world.api)).not.toContain('pods');
  const calls = world.api.made.length;
  for (let pass = 0; pass < 3; pass++) await world.pass();
  expect(world.api.made.slice(calls).concat(world.api.made.filter((call) => /^get sparkconnects/.test(call)))).toEqual([]);
  world.edit({ sparkConf: {} });
  await world.ready();
  expect(world.status.state).toBe('Ready');
});
