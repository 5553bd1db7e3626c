import { changeLines } from '../../../src/sparkctl/edit/changes';
import { FakeCluster } from '../cluster';
import { sparkctl } from '../helpers';

const cluster = () => new FakeCluster().put('sparkapplications', {
  metadata: { name: 'etl', namespace: 'jobs', uid: 'u-1' },
  spec: {
    type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: 'local:///etl.py', arguments: ['--date', '2026-02-28'], sparkConf: { 'spark.ui.enabled': 'true' },
    driver: { memory: '1g', annotations: { team: 'data' } }, executor: {},
  },
} as any);

const RERUN = '"annotations":{"sparkoperator.k8s.io/rerun-at":"2026-03-01T12:00:00.000Z"}';

test('with other arguments: the words after -- replace all of them, and the change is printed', async () => {
  const world = cluster();
  const { code, stdout, stderr } = await sparkctl(['rerun', 'etl', '-n', 'jobs', '--', '--date', '2026-03-01', '-n', 'a b'], { cluster: world });
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  expect(stdout).toBe("SparkApplication jobs/etl will run again\n  spec.arguments: --date 2026-03-01 -n 'a b' (before: --date 2026-02-28)\n");
  expect(world.changes).toEqual([`patch sparkapplications jobs/etl {"spec":{"arguments":["--date","2026-03-01","-n","a b"],"driver":{${RERUN}}},"metadata":{"uid":"u-1"}}`]);
});

test('-- alone removes the arguments; --override changes other fields', async () => {
  const world = cluster();
  const { stdout } = await sparkctl(['rerun', 'etl', '--override=driver.memory=4g', '--override=sparkConf.spark.ui.enabled=false', '--'], { cluster: world });
  expect(stdout).toBe([
    'SparkApplication jobs/etl will run again',
    '  spec.arguments: none (before: --date 2026-02-28)',
    '  spec.sparkConf[spark.ui.enabled]: false (before: true)',
    '  spec.driver.memory: 4g (before: 1g)',
    '',
  ].join('\n'));
  expect(world.changes).toEqual([`patch sparkapplications jobs/etl {"spec":{"arguments":[],"sparkConf":{"spark.ui.enabled":"false"},"driver":{"memory":"4g",${RERUN}}},"metadata":{"uid":"u-1"}}`]);
});

test.each([
  [['rerun', 'etl', 'pi', '--', 'x'], 2, 'sparkctl rerun: arguments after --: write one NAME, not 2'],
  [['rerun', 'etl', '--override=driver.memroy=4g'], 2, expect.stringContaining('spec.driver.memroy is not a field; did you mean')],
  [['rerun', 'etl', '--override=driver.memory=much'], 1, expect.stringMatching(/^sparkctl rerun: SparkApplication jobs\/etl: nothing was changed: spec\.driver\.memory = "much" must be /)],
])('%j changes nothing', async (args, code, first) => {
  const world = cluster();
  const result = await sparkctl(args, { cluster: world });
  expect({ code: result.code, first: result.stderr[0], changes: world.changes }).toEqual({ code, first, changes: [] });
});

test('the values of secrets are not printed', () => {
  expect(changeLines({ sparkConf: {} }, { sparkConf: { 'spark.hadoop.fs.s3a.secret.key': 'x1' }, arguments: ['--password', 'x2'] }, 'spec')).toEqual([
    'spec.sparkConf[spark.hadoop.fs.s3a.secret.key]: *** (not set before)',
    'spec.arguments: --password *** (not set before)',
  ]);
});

test('the values of environment variables and of Hadoop settings are not printed', () => {
  const before = { driver: { envVars: { AA: 'hunter1' }, env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] }, executor: { envVars: { C: 'hunter3' } } };
  const after = { driver: { envVars: { AA: 'hunter4', B: 'hunter5' }, env: [{ name: 'DB_PASSWORD', value: 'hunter6' }, { name: 'X', value: 'hunter7' }] }, executor: {}, hadoopConf: { plain: 'hunter8' } };
  expect(changeLines(before, after, 'spec')).toEqual([
    'spec.driver.envVars[AA]: *** (before: ***)',
    'spec.driver.envVars[B]: *** (not set before)',
    'spec.driver.env: [{"name":"DB_PASSWORD","value":"***"},{"name":"X","value":"***"}] (before: [{"name":"DB_PASSWORD","value":"***"}])',
    'spec.executor.envVars: removed (before: {"C":"***"})',
    'spec.hadoopConf[plain]: *** (not set before)',
  ]);
});
