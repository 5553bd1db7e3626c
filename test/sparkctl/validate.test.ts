/* `sparkctl validate` with fake input and output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, sparkctl } from './helpers';

const SCHEDULE = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata:
  name: nightly
spec:
  schedule: "0 3 * * *"
  template:
    type: Python
    sparkVersion: 4.1.1
    image: apache/spark:4.1.1
    mainApplicationFile: local:///opt/spark/pi.py
    driver: {}
    executor: {}
`;

const CONNECT = `apiVersion: sparkoperator.k8s.io/v1alpha1
kind: SparkConnect
metadata:
  name: shared
spec:
  sparkVersion: 4.1.1
  image: apache/spark:4.1.1
  server: {}
  executor: {}
`;

const HARDENED_CONNECT = readFileSync(join(__dirname, '../fixtures/connect/container-fields-of-pod.yaml'), 'utf8');

const validate = (text: string, ...options: string[]) => sparkctl(['validate', 'a.yaml', ...options], { files: { 'a.yaml': text } });

test('in a terminal, messages wrap', async () => {
  const { stderr } = await sparkctl(['validate', 'a.yaml'], { files: { 'a.yaml': manifest().replace('driver: {}', 'driver: {memory: 1.5g}') }, errorColumns: 80 });
  expect(stderr.length).toBeGreaterThan(1);
  expect(stderr.filter((line) => line.length > 80)).toEqual([]);
  expect(stderr.map((line) => line.trim()).join(' ')).toMatch(/^a\.yaml:10:12: error: SparkApplication pi: spec\.driver\.memory = "1\.5g" must be a whole number /);
});

test('a file of JSON has invalid JSON', async () => {
  const { stderr } = await sparkctl(['validate', 'a.json'], { files: { 'a.json': '{"kind": "SparkApplication"' } });
  expect(stderr).toEqual([expect.stringMatching(/^a\.json:1:\d+: error: invalid JSON: /)]);
});

test('accepts valid manifests of all kinds', async () => {
  expect(await validate([manifest(), SCHEDULE, CONNECT].join('---\n'))).toMatchObject({ code: 0, stdout: '3 checked: no errors.\n', stderr: [] });
});

test.each([
  ['an application', manifest({ spec: '  sparkConf: {spark.executor.memory: lots}\n' }), ['a.yaml:12:15: error: SparkApplication pi: spec.sparkConf[spark.executor.memory] = "lots" is not a size as Spark writes it; write a whole number and a unit, such as 512m or 4g (not 4Gi)']],
  ['an application, with several mistakes at once', manifest().replace('driver: {}', 'driver: {memory: 1.5g, core: 1}'), [
    'a.yaml:10:12: error: SparkApplication pi: spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
    'a.yaml:10:26: error: SparkApplication pi: spec.driver.core = 1 is not a field; did you mean cores?',
  ]],
  ['a name and a property', CONNECT.replace('name: shared', 'name: 1a').replace('server: {}', 'server: {}\n  sparkConf: {spark.kubernetes.namespace: other}'), [
    expect.stringContaining('metadata.name = "1a"'), expect.stringContaining('spec.sparkConf[spark.kubernetes.namespace]'),
  ]],
  ['a schedule', SCHEDULE.replace('0 3 * * *', '0 25 * * *'), [expect.stringMatching(/^a.yaml:6:3: error: ScheduledSparkApplication nightly: spec.schedule = "0 25 \* \* \*" /)]],
  ['a schedule and its time zone', SCHEDULE.replace('"0 3 * * *"', '"0 25 * * *"\n  timeZone: Europe/Berln'), [
    expect.stringMatching(/: spec.schedule = "0 25 \* \* \*" has "25" for the hour; it can be \* or have numbers from 0 to 23/),
    expect.stringMatching(/: spec.timeZone = "Europe\/Berln" is not a known time zone/),
  ]],
  ['the template of a schedule', SCHEDULE.replace('driver: {}', 'driver: {memory: 1.5g}'), ['a.yaml:12:14: error: ScheduledSparkApplication nightly: spec.template.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi']],
  ['a schedule with a field that there is not', SCHEDULE.replace('  schedule:', '  shedule: x\n  schedule:'), ['a.yaml:6:3: error: ScheduledSparkApplication nightly: spec.shedule = "x" is not a field; did you mean schedule?']],
  ['a server', CONNECT.replace('server: {}', 'server: {memory: 1.5g}'), ['a.yaml:8:12: error: SparkConnect shared: spec.server.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi']],
  ['a server whose Service cannot be called after it', CONNECT.replace('name: shared', 'name: 1a'), [expect.stringMatching(/^a.yaml:4:\d+: error: SparkConnect 1a: metadata.name = "1a" must begin with a letter and have no dots, as /)]],
  ['a server with the name of no image', CONNECT.replace('apache/spark:4.1.1', 'a b'), [expect.stringMatching(/^a.yaml:7:\d+: error: SparkConnect shared: spec.image = "a b" is not the name of an image/)]],
  ['a server without an image', CONNECT.replace('  image: apache/spark:4.1.1\n', ''), [expect.stringMatching(/^a.yaml:5:1: error: SparkConnect shared: spec.image is missing/)]],
  ['a server, as Spark sees it', CONNECT.replace('server: {}', 'server: {}\n  sparkConf: {spark.executor.cores: many}'), [expect.stringMatching(/^a.yaml:9:15: error: SparkConnect shared: spec.sparkConf\[spark.executor.cores\] = "many" /)]],
  ['an older version', manifest().replace('v1beta2', 'v1beta1'), ['a.yaml:1:1: error: SparkApplication pi: apiVersion = "sparkoperator.k8s.io/v1beta1" must be sparkoperator.k8s.io/v1beta2: `sparkctl convert` rewrites manifests of v1beta1']],
  ['a server that was named like an application', CONNECT.replace('v1alpha1', 'v1beta2'), [expect.stringContaining('must be sparkoperator.k8s.io/v1alpha1')]],
  ['no object of ours', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', [
    'a.yaml:1:1: note: Secret s is skipped, as it is no SparkApplication or ScheduledSparkApplication or SparkConnect',
    'a.yaml: error: there is no SparkApplication or ScheduledSparkApplication or SparkConnect in it; name a file with one',
  ]],
  ['a kind that is misspelled, beside another object', `${manifest()}---\n${manifest().replace('kind: SparkApplication', 'kind: SparkAplication')}`, [
    'a.yaml:14:1: error: SparkAplication pi has a kind that sparkoperator.k8s.io does not have; did you mean SparkApplication?',
  ]],
  ['an object without an API version', manifest().replace(/^.*\n/, ''), ['a.yaml:1:1: error: SparkApplication pi has no apiVersion; write sparkoperator.k8s.io/v1beta2']],
  ['an application of another operator', manifest().replace('sparkoperator.k8s.io/v1beta2', 'spark.apache.org/v1'), [
    'a.yaml:1:1: note: SparkApplication pi is skipped, as its apiVersion is spark.apache.org/v1, not sparkoperator.k8s.io/v1beta2; `sparkctl convert` translates it',
    expect.stringMatching(/^a.yaml: error: there is no SparkApplication or /),
  ]],
])('reports errors of %s', async (_, text, stderr) => {
  expect(await validate(text)).toMatchObject({ code: 1, stdout: '', stderr });
});

test('--namespace: rejects objects of another namespace, as apply does', async () => {
  expect(await validate(manifest({ metadata: '  namespace: etl\n' }), '-n', 'jobs')).toMatchObject({
    code: 1, stderr: ['a.yaml:5:3: error: SparkApplication etl/pi: metadata.namespace = "etl" is not jobs, the value of --namespace; omit one of them'],
  });
});

test('reports an object that is in the files twice', async () => {
  const files = { 'a.yaml': [manifest(), SCHEDULE].join('---\n'), 'b.yaml': manifest({ metadata: '  namespace: jobs\n' }), 'c.yaml': manifest() };
  const warning = 'c.yaml:1:1: warning: SparkApplication pi is also in a.yaml:1:1; omit one of them';
  expect(await sparkctl(['validate', 'a.yaml', 'b.yaml', 'c.yaml'], { files })).toMatchObject({ code: 0, stderr: [warning] });
  expect(await sparkctl(['apply', 'a.yaml', 'c.yaml', '--dry-run=client'], { files })).toMatchObject({ code: 0, stderr: [warning] });
  // The second creation would fail.
  expect(await sparkctl(['create', 'b.yaml', 'c.yaml', '-n', 'jobs'], { files })).toMatchObject({
    code: 1, stdout: '', stderr: ['c.yaml:1:1: error: SparkApplication pi is also in b.yaml:1:1; omit one of them', 'Nothing was uploaded or created.'],
  });
});

test('says that the standard input is empty', async () => {
  expect(await sparkctl(['validate', '-'])).toMatchObject({
    code: 1, stdout: '', stderr: ['<stdin>: note: it is empty', expect.stringMatching(/^<stdin>: error: there is no SparkApplication or /)],
  });
});

test('reports fields without effect as warnings', async () => {
  const { code, stderr } = await validate(manifest({ spec: '  sparkConf: {spark.executor.memory: 2g}\n' }).replace('executor: {}', 'executor: {memory: 1g}'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: ['a.yaml:12:15: warning: SparkApplication pi: spec.sparkConf[spark.executor.memory] is overridden by spec.executor.memory'] });
});

test('reports warnings in the order of the manifest, and marks defaults', async () => {
  const template = '{spec: {containers: [{name: spark-kubernetes-executor, resources: {requests: {cpu: 2, memory: 4Gi}}}]}}';
  const { stderr } = await validate(manifest({ spec: '  sparkConf: {spark.driver.memory: 2g}\n' })
    .replace('driver: {}', 'driver: {memory: 1g}').replace('executor: {}', `executor: {template: ${template}}`));
  const requests = 'spec.executor.template.spec.containers[0].resources.requests';
  expect(stderr.map((line) => line.replace(/^a.yaml:(\d+):\d+: warning: SparkApplication pi: /, '$1: '))).toEqual([
    `11: ${requests}.cpu is overridden by spec.executor.cores (default 1)`,
    `11: ${requests}.memory is overridden by spec.executor.memory (default 1g) and the overhead`,
    '12: spec.sparkConf[spark.driver.memory] is overridden by spec.driver.memory',
  ]);
});

test('container fields in a pod template of a server are a warning, as the API server accepts them', async () => {
  const { code, stdout, stderr } = await validate(HARDENED_CONNECT);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '1 checked: no errors.\n',
    stderr: [
      expect.stringMatching(/^a.yaml:14:\d+: .*: spec\.server\.template\.spec\.containers\[0\]\.resources\.requests\.memory is overridden by spec\.server\.memory \(default 1g\)/),
      expect.stringMatching(/^a.yaml:14:\d+: .*: spec\.server\.template\.spec\.containers\[0\]\.resources\.limits\.memory is overridden by spec\.server\.memory \(default 1g\)/),
      expect.stringMatching(/^a.yaml:17:11: warning: SparkConnect hardened: spec.server.template.spec.securityContext.allowPrivilegeEscalation has no effect: it is not a field/),
      expect.stringMatching(/^a.yaml:18:11: warning: SparkConnect hardened: spec.server.template.spec.securityContext.capabilities has no effect: it is not a field/),
      expect.stringMatching(/^a.yaml:25:28: warning: SparkConnect hardened: spec.executor.template.spec.securityContext.allowPrivilegeEscalation has no effect: it is not a field/),
    ],
  });
});

test('--output=json prints all messages on standard output', async () => {
  const { code, stdout, stderr } = await validate(manifest().replace('driver: {}', 'driver: {memory: 1.5g}'), '-o', 'json');
  expect({ code, stderr }).toEqual({ code: 1, stderr: [] });
  expect(JSON.parse(stdout)).toEqual({
    valid: false, objects: 1,
    messages: [{ file: 'a.yaml', line: 10, column: 12, severity: 'error', message: expect.stringContaining('spec.driver.memory = "1.5g" must be a whole number and a unit') }],
  });
  expect(JSON.parse((await validate(manifest(), '-o', 'json')).stdout)).toEqual({ valid: true, objects: 1, messages: [] });
});
