/* apply and diff with a fake API server; test/api/sparkctl-manifests.test.ts has a real one. */
import type { Patch } from '../../src/kube/client';
import { ApiError } from '../../src/kube/errors';
import { treeOf, withoutDropped, withoutField } from '../../src/sparkctl/manifests/dropped-fields';
import { manifest, sparkctl } from './helpers';

const FILES = { 'pi.yaml': manifest({ spec: '  arguments: ["10"]\n' }) };

/** Cluster with one application, or none; `answer` is that of a server-side apply. */
function clusterOf(live: object | undefined, answer: (patch: Patch) => object) {
  const asked: unknown[] = [];
  const client = {
    get: async () => {
      if (!live) throw new ApiError({ verb: 'get', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' }, 404);
      return live;
    },
    patch: async (_: unknown, __: unknown, patch: Patch, { dryRun = false }) => {
      asked.push({ dryRun, ...(patch.type === 'apply' && patch.force && { force: true }) });
      return answer(patch);
    },
    close: () => {},
  };
  return { client: client as any, asked };
}

/** Fields that the API server adds. */
const stored = ({ metadata, ...body }: any, more: object = {}) => ({
  ...body, metadata: { ...metadata, uid: 'u', resourceVersion: '7', generation: 3, creationTimestamp: '2026-03-01T10:00:00Z', managedFields: [{ manager: 'kubectl', operation: 'Update' }] }, status: { applicationState: { state: 'RUNNING' } }, ...more,
});
const bodyOf = ({ body }: Patch) => body as any;
const LIVE = stored({
  apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'pi', namespace: 'jobs' },
  spec: { type: 'Python', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py', driver: {}, executor: {}, arguments: ['5'] },
});

const conflict = (...fields: readonly (readonly [string, string])[]) => new ApiError({ verb: 'patch', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' }, 409, {
  reason: 'Conflict', message: `Apply failed with ${fields.length} conflicts: conflicts with "kubectl-edit" using sparkoperator.k8s.io/v1beta2:\n- ${fields.map(([field]) => field).join('\n- ')}`,
  details: { causes: fields.map(([field, manager]) => ({ reason: 'FieldManagerConflict', field, message: `conflict with "${manager}" using sparkoperator.k8s.io/v1beta2` })) },
});

test.each(['apply', 'diff'])('%s: a conflict names all of its fields, their lines and their managers', async (command) => {
  const { client } = clusterOf(LIVE, () => {
    throw conflict(['.spec.driver.cores', 'kubectl-edit'], ['.spec.sparkConf.spark.ui.port', 'argocd'], ['.spec.volumes[name="v1"].emptyDir', 'kubectl-edit']);
  });
  const spec = '  sparkConf:\n    spark.ui.enabled: "true"\n    spark.ui.port: "4041"\n  volumes:\n    - name: v0\n      emptyDir: {}\n    - name: v1\n      emptyDir: {}\n';
  const { code, stdout, stderr } = await sparkctl([command, 'pi.yaml'], { files: { 'pi.yaml': manifest({ spec }) }, cluster: { client } });
  expect({ code, stdout }).toEqual({ code: command === 'apply' ? 1 : 2, stdout: '' });
  expect(stderr).toEqual([
    // The file has no driver.cores.
    'pi.yaml:10:3: error: SparkApplication pi: spec.driver.cores is managed by "kubectl-edit"',
    'pi.yaml:14:5: error: SparkApplication pi: spec.sparkConf.spark.ui.port is managed by "argocd"',
    'pi.yaml:19:7: error: SparkApplication pi: spec.volumes[name="v1"].emptyDir is managed by "kubectl-edit"',
    expect.stringMatching(/^pi\.yaml:1:1: note: SparkApplication pi: write the current values of these fields into the file .*, remove those that are optional, or take them over with --force-conflicts$/),
  ]);
});

describe('diff: an object of `sparkctl create`', () => {
  const created = { ...LIVE, metadata: { ...LIVE.metadata, managedFields: [{ manager: 'sparkctl', operation: 'Update', fieldsV1: { 'f:spec': { '.': {}, 'f:arguments': {} } } }] } };
  const answering = (...fields: readonly (readonly [string, string])[]) => clusterOf(created, (patch) => {
    if (!(patch as { readonly force?: boolean }).force) throw conflict(...fields);
    return stored(bodyOf(patch));
  });

  test('its own fields are no conflict', async () => {
    const { client, asked } = answering(['.spec.arguments', 'sparkctl']);
    expect(await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client } })).toMatchObject({ code: 1, stderr: [], stdout: expect.stringContaining('+    - "10"') });
    expect(asked).toEqual([{ dryRun: true }, { dryRun: true, force: true }]);
  });

  test('those of another manager are', async () => {
    const { client, asked } = answering(['.spec.arguments', 'sparkctl'], ['.spec.image', 'kubectl-edit']);
    const { code, stdout, stderr } = await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client } });
    expect({ code, stdout, asked }).toEqual({ code: 2, stdout: '', asked: [{ dryRun: true }] });
    expect(stderr).toEqual([
      'pi.yaml:8:3: error: SparkApplication pi: spec.image is managed by "kubectl-edit"',
      'pi.yaml:1:1: note: SparkApplication pi: write the current value of this field into the file (`sparkctl diff --force-conflicts` shows it), remove the field if it is optional, or take it over with --force-conflicts',
    ]);
  });
});

describe('an object of `sparkctl create` that `sparkctl rerun` runs again', () => {
  const RERUN = 'sparkoperator.k8s.io/rerun-at';
  const rerun = (spec: object, fields: object) => ({
    ...LIVE, spec: { ...LIVE.spec, arguments: ['10'], driver: { ...spec, annotations: { [RERUN]: '2026-03-01T11:00:00Z' } } },
    metadata: { ...LIVE.metadata, managedFields: [{ manager: 'sparkctl', operation: 'Update', fieldsV1: { 'f:spec': { '.': {}, 'f:arguments': {}, 'f:driver': fields } } }] },
  });
  const live = rerun({}, { '.': {}, 'f:annotations': { '.': {}, [`f:${RERUN}`]: {} } });

  test('apply takes over neither the time of the rerun nor its parents, as the API server would remove them', async () => {
    const patches: Patch[] = [];
    const { client } = clusterOf(live, (patch) => { patches.push(patch); return live; });
    expect(await sparkctl(['apply', 'pi.yaml'], { files: FILES, cluster: { client } })).toMatchObject({ code: 0, stdout: 'SparkApplication jobs/pi unchanged\n' });
    expect(patches.map(({ type }) => type)).toEqual(['json', 'apply']);
    expect(bodyOf(patches[0]!)[1].value).toEqual({ manager: 'sparkctl', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:arguments': {} } } });
  });

  test('diff keeps the time, and removes what the file does not contain', async () => {
    const unchanged = clusterOf(live, () => live);
    expect(await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: unchanged })).toMatchObject({ code: 0, stdout: '', stderr: [] });
    const more = rerun({ cores: 2 }, { '.': {}, 'f:cores': {}, 'f:annotations': { '.': {}, [`f:${RERUN}`]: {} } });
    const { code, stdout } = await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: clusterOf(more, () => more) });
    expect({ code, changes: stdout.split('\n').filter((line) => /^[-+] /.test(line)) }).toEqual({ code: 1, changes: ['-    cores: 2'] });
  });
});

test('apply --dry-run=client -o prints the objects for scripts', async () => {
  const files = { 'a.yaml': `${manifest({ name: 'a' })}---\n${manifest({ name: 'b' })}` };
  const apply = (format: string) => sparkctl(['apply', 'a.yaml', '-n', 'jobs', '--dry-run=client', '-o', format], { files });
  expect(await apply('name')).toMatchObject({ code: 0, stdout: 'sparkapplication.sparkoperator.k8s.io/a\nsparkapplication.sparkoperator.k8s.io/b\n', stderr: [] });
  expect(JSON.parse((await apply('json')).stdout).items.map(({ metadata }: any) => metadata)).toEqual([{ name: 'a', namespace: 'jobs' }, { name: 'b', namespace: 'jobs' }]);
});

test('diff: a unified diff of what users write, and exit code 1', async () => {
  const { client, asked } = clusterOf(LIVE, (patch) => stored({ ...bodyOf(patch), spec: { ...bodyOf(patch).spec, extra: '\x1b[2J' } }));
  const { code, stdout, stderr } = await sparkctl(['diff', '-f', 'pi.yaml'], { files: FILES, cluster: { client } });
  expect({ code, stderr, asked }).toEqual({ code: 1, stderr: [], asked: [{ dryRun: true }] });
  expect(stdout).toBe([
    '--- SparkApplication jobs/pi',
    '+++ SparkApplication jobs/pi (applied)',
    '@@ -5,9 +5,10 @@',
    '   namespace: jobs',
    ' spec:',
    '   arguments:',
    '-    - "5"',
    '+    - "10"',
    '   driver: {}',
    '   executor: {}',
    '+  extra: "\\e[2J"',
    '   image: apache/spark:4.1.1',
    '   mainApplicationFile: local:///opt/spark/pi.py',
    '   sparkVersion: 4.1.1',
    '',
  ].join('\n'));
});

test('diff: secrets are masked, and a changed one is still a change', async () => {
  const spec = (n: number) => ({
    ...LIVE.spec, arguments: ['--password', `hunter${n}`, 'a'], deps: { jars: ['https://x/same.jar?sig=s3cr3t', `https://x/a.jar?sig=s3cr3t${n}`] }, hadoopConf: { 'fs.s3a.access': `hunter${n}` },
    sparkConf: { 'spark.my.token': `hunter${n}`, 'spark.other.token': 'hunter', 'spark.ui.port': `404${n}` },
    driver: { envVars: { PLAIN: `hunter${n}` }, env: [...(n > 1 ? [{ name: 'NEW', value: 'hunter9' }] : []), { name: 'DB', value: 'hunter' }, { name: 'REF', valueFrom: { secretKeyRef: { name: `s${n}`, key: 'k' } } }] },
  });
  const { client } = clusterOf({ ...LIVE, spec: spec(1) }, () => ({ ...LIVE, spec: spec(2) }));
  const { code, stdout } = await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client } });
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/hunter|s3cr3t/);
  expect(stdout.split('\n').filter((line) => /^[-+] /.test(line)).map((line) => line.replace(/ +/g, ' '))).toEqual([
    '- - "***"', '+ - "*** (changed)"', '- - https://x/a.jar?***', '+ - https://x/a.jar?*** (changed)',
    '+ - name: NEW', '+ value: "***"', '- name: s1', '+ name: s2', '- PLAIN: "***"', '+ PLAIN: "*** (changed)"',
    '- fs.s3a.access: "***"', '+ fs.s3a.access: "*** (changed)"',
    '- spark.my.token: "***"', '+ spark.my.token: "*** (changed)"', '- spark.ui.port: "4041"', '+ spark.ui.port: "4042"',
  ]);
});

test('diff: colours on a terminal', async () => {
  const { client } = clusterOf(LIVE, (patch) => stored(bodyOf(patch)));
  const { stdout } = await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client }, isTerminal: true });
  expect(stdout).toContain('\x1b[31m-    - "5"\x1b[39m\n\x1b[32m+    - "10"\x1b[39m\n');
});

test('diff: of equal objects nothing is printed, with exit code 0', async () => {
  const { client } = clusterOf(LIVE, () => ({ ...LIVE, status: {} }));
  expect(await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client } })).toMatchObject({ code: 0, stdout: '', stderr: [] });
});

test('diff: all of an object that does not exist', async () => {
  const { client } = clusterOf(undefined, (patch) => stored(bodyOf(patch)));
  const { code, stdout } = await sparkctl(['diff', 'pi.yaml'], { files: FILES, cluster: { client } });
  expect({ code, head: stdout.split('\n').slice(0, 4) }).toEqual({
    code: 1, head: ['--- SparkApplication jobs/pi (does not exist)', '+++ SparkApplication jobs/pi (applied)', '@@ -0,0 +1,14 @@', '+apiVersion: sparkoperator.k8s.io/v1beta2'],
  });
});

test('a removed field leaves nothing of its parents; other fields stay', () => {
  const fields = { 'f:spec': { '.': {}, 'f:a': {}, 'f:map': { '.': {}, 'f:x': {}, 'f:y': {} }, 'f:only': { '.': {}, 'f:x': {} } } };
  expect(withoutField(fields, ['f:spec', 'f:map', 'f:x'])).toEqual({ 'f:spec': { 'f:a': {}, 'f:map': { 'f:y': {} }, 'f:only': { '.': {}, 'f:x': {} } } });
  expect(withoutField(fields, ['f:spec', 'f:only', 'f:x'])).toEqual({ 'f:spec': { 'f:a': {}, 'f:map': { '.': {}, 'f:x': {}, 'f:y': {} } } });
  expect(withoutField(fields, ['f:spec', 'f:absent', 'f:x'])).toBe(fields);
  expect(treeOf(['f:spec', 'f:a'])).toEqual({ 'f:spec': { 'f:a': {} } });
});

test.each([
  [['diff'], {}, 'sparkctl diff: FILE is missing; name the manifests, or write - for the standard input'],
  [['diff', 'pi.yaml'], { 'pi.yaml': manifest().replace('Python', 'Pyhton') }, expect.stringContaining('spec.type = "Pyhton" must be one of')],
  [['diff', 'pi.yaml'], FILES, 'sparkctl diff: there is no cluster in this test'],
])('%j: an error has exit code 2', async (args, files, first) => {
  const { code, stdout, stderr } = await sparkctl(args, { files });
  expect({ code, stdout, first: stderr[0] }).toEqual({ code: 2, stdout: '', first });
});

test('fields that a manifest does not contain any more are removed, unless another manager has them', () => {
  const value = { spec: { a: 1, b: 2, both: 3, map: { x: 'x', y: 'y' }, list: [{ name: 'kept', v: 1, w: 2 }, { name: 'dropped' }, { name: 'theirs' }] } };
  const ours = { 'f:spec': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:both': {}, 'f:map': { 'f:x': {}, 'f:y': {} }, 'f:list': { 'k:{"name":"kept"}': { 'f:v': {}, 'f:w': {} }, 'k:{"name":"dropped"}': {} } } };
  const others = [{ 'f:spec': { 'f:both': {}, 'f:list': { 'k:{"name":"theirs"}': {} } } }];
  expect(withoutDropped(value, { spec: { a: 1, map: { x: 'x' }, list: [{ name: 'kept', v: 1 }] } }, ours, others)).toEqual({
    spec: { a: 1, both: 3, map: { x: 'x' }, list: [{ name: 'kept', v: 1 }, { name: 'theirs' }] },
  });
});
