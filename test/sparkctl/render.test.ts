/* `sparkctl render` with fake input and output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { applicationFixtures } from '../helpers/application-fixtures';
import { SPARK_APPLICATION, type SparkApplicationSpec } from '../../src/api/spark-application';
import { planNative } from '../../src/plan/plan';
import { prepareSubmission } from '../../src/plan/prepare';
import { specSchema } from '../../src/rules/schemas';
import { asStored } from '../../src/rules/stored';
import { manifest, sparkctl } from './helpers';

const golden = (file: string) => readFileSync(join(__dirname, 'golden', file), 'utf8');

const UID = '0c5a9c4e-6d0c-4f0e-9d54-0a4f1f6f4f11';
const SUBMISSION = 'e1e2a9a5-3cf0-4d8c-8b35-3f1a0c0f6a11';

describe('output', () => {
  test.each([
    ['pi.yaml', [], 'pi.objects.yaml'],
    ['words.yaml', ['--output=spark-submit'], 'words.sh'],
  ])('%s %j', async (file, options, expected) => {
    const { code, stdout, stderr } = await sparkctl(['render', file, ...options], { files: { [file]: golden(file) } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    expect(stdout).toBe(golden(expected));
  });

  test('prints the objects of the operator, byte for byte', async () => {
    for (const { file, manifest: { metadata, spec: asWritten } } of applicationFixtures()) {
      const spec = asStored(specSchema(SPARK_APPLICATION), asWritten) as SparkApplicationSpec;
      const plan = planNative(prepareSubmission(
        { metadata: { ...metadata, namespace: 'jobs', uid: UID }, spec },
        { attempt: 3, submissionID: SUBMISSION, submitTime: new Date('2026-03-01T10:00:00Z'), sparkUser: 'etl' },
      ));
      const items = [...plan.resources, plan.driver];
      const run = (output: string) => sparkctl(
        ['render', '-', `-o${output}`, '-n', 'jobs', '--uid', UID, '--submission-id', SUBMISSION, '--attempt=3', '--submit-time=2026-03-01T11:00:00+01:00', '--spark-user=etl'],
        { stdin: JSON.stringify({ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata, spec: asWritten }) },
      );

      expect({ file, stdout: (await run('json')).stdout }).toEqual({ file, stdout: `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)}\n` });
      expect(JSON.stringify(parseAllDocuments((await run('yaml')).stdout).map((document) => document.toJS()))).toBe(JSON.stringify(items));
      const properties = plan.resources.flatMap((object) => (object.kind === 'ConfigMap' ? object.data['spark.properties'] ?? [] : []));
      expect((await run('properties')).stdout).toBe(`# SparkApplication jobs/${metadata.name}, attempt 3\n${properties[0]}`);
    }
  });

  test('the same manifest gives the same text; names of different applications do not collide', async () => {
    const files = { 'all.yaml': [manifest({ name: 'a' }), manifest({ name: 'b' }), manifest({ name: 'a', metadata: '  namespace: other\n' })].join('---\n') };
    const { stdout } = await sparkctl(['render', 'all.yaml', '-ojson'], { files });
    expect((await sparkctl(['render', 'all.yaml', '-ojson'], { files })).stdout).toBe(stdout);
    const names = JSON.parse(stdout).items.map(({ kind, metadata }: any) => `${kind} ${metadata.namespace}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name: string) => name.startsWith('Pod '))).toEqual(['Pod default/a-driver', 'Pod default/b-driver', 'Pod other/a-driver']);
  });

  test('uses the ids of a live object, so that its objects can be compared', async () => {
    const live = manifest({ metadata: `  uid: ${UID}\n  generation: 2\n  creationTimestamp: 2026-03-01T09:00:00Z\n  resourceVersion: "7"\n  managedFields: [{manager: kubectl}]\n` })
      + `status:\n  submissionID: ${SUBMISSION}\n  submissionAttempts: 2\n  lastSubmissionAttemptTime: 2026-03-01T10:00:00Z\n  driverInfo: {}\n`;
    const { code, stdout } = await sparkctl(['render', '-'], { stdin: live });
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe('# SparkApplication default/pi, attempt 2');
    for (const text of [`uid: ${UID}`, `submission-id: ${SUBMISSION}`, 'attempt: "2"', `spark.app.submitTime=${Date.parse('2026-03-01T10:00:00Z')}`]) expect(stdout).toContain(text);
  });

  test('like the API server, fills in defaults and drops nulls', async () => {
    const files = { 'pi.yaml': manifest({ spec: '  arguments: null\n  hadoopConf: {a: null}\n' }).replace('driver: {}', 'driver: {sidecars: [{name: s, image: i, ports: [{containerPort: 1}]}]}') };
    const { stdout, stderr } = await sparkctl(['render', 'pi.yaml', '-ojson'], { files });
    expect(stderr).toEqual([]);
    const driver = JSON.parse(stdout).items.at(-1);
    expect(driver.spec.containers.find(({ name }: any) => name === 's').ports).toEqual([{ containerPort: 1, protocol: 'TCP' }]);
    expect(stdout).not.toContain('spark.hadoop.a');
  });
});

describe('files and documents', () => {
  test('reads several files and documents, lists, comments and other kinds', async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${manifest({ name: 'c' }).trimEnd().replaceAll('\n', '\n  ')}\n- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: jobs}}\n`;
    const { code, stdout, stderr } = await sparkctl(['render', 'a.yaml', '-', 'list.yaml', '-oproperties'], {
      files: { 'a.yaml': `---\n# nothing\n---\n${manifest({ name: 'a' })}---\n`, 'list.yaml': list },
      stdin: manifest({ name: 'b' }),
    });
    expect(code).toBe(0);
    expect(stdout.match(/^# SparkApplication [^,]*/gm)).toEqual(['# SparkApplication default/a', '# SparkApplication default/b', '# SparkApplication default/c']);
    expect(stderr).toEqual(['list.yaml:15:3: note: Secret jobs/s is skipped, as it is no SparkApplication']);
  });

  test('reports each error with its position, and renders the rest', async () => {
    const files = {
      'jobs.yaml': [
        manifest({ name: 'good' }),
        manifest({ name: 'Bad', metadata: '  labels:\n    team: 7\n' }),
        manifest({ name: 'ugly', spec: '  arguments: [1]\n  deps:\n    jars: [a, 2]\n' }).replace('driver: {}', 'driver:\n    memory: 1.5g\n    core: 1\n    template: {spec: {containers: [{name: 1}]}}'),
        'metadata: [\n',
        'spec: {}\n',
        'apiVersion: sparkoperator.k8s.io/v1beta1\nkind: SparkApplication\n',
      ].join('---\n'),
    };
    const { code, stdout, stderr } = await sparkctl(['render', 'jobs.yaml', 'nowhere.yaml'], { files });
    expect(code).toBe(1);
    expect(stdout.match(/^# .*/gm)).toHaveLength(1);
    expect(stdout).toContain('# SparkApplication default/good, ');
    expect(stderr).toEqual([
      'jobs.yaml:18:5: error: SparkApplication Bad: metadata.labels[team] = 7 must be a string, in quotes',
      'jobs.yaml:37:5: error: SparkApplication ugly: spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
      'jobs.yaml:38:5: error: SparkApplication ugly: spec.driver.core = 1 is not a field; did you mean cores?',
      'jobs.yaml:41:15: error: SparkApplication ugly: spec.arguments[0] = 1 must be a string, in quotes',
      'jobs.yaml:43:15: error: SparkApplication ugly: spec.deps.jars[1] = 2 must be a string, in quotes',
      expect.stringMatching(/^jobs.yaml:39:\d+: error: SparkApplication ugly: spec.driver.template.spec.containers\[0\].name = 1 must be a string/),
      expect.stringMatching(/^jobs.yaml:46:1: error: invalid YAML: /),
      'jobs.yaml:47:1: error: this is not a Kubernetes object, as it has no kind; write apiVersion, kind, metadata and spec',
      'jobs.yaml:49:1: error: SparkApplication: apiVersion = "sparkoperator.k8s.io/v1beta1" must be sparkoperator.k8s.io/v1beta2: the fields of other versions are not known here',
      'nowhere.yaml: error: there is no such file; check the path',
    ]);
  });

  test.each([
    ['a name is missing', manifest().replace('  name: pi\n', '  labels: {}\n'), '3:1: error: SparkApplication: metadata.name is required'],
    ['metadata are missing', manifest().replace(/metadata:\n {2}name: pi\n/, ''), '1:1: error: SparkApplication: metadata.name is required'],
    ['metadata are no object', manifest().replace(/metadata:\n {2}name: pi\n/, 'metadata: pi\n'), '3:1: error: SparkApplication: metadata = "pi" must be an object'],
    ['a name is no name', manifest({ name: 'a_b' }), "4:3: error: SparkApplication a_b: metadata.name = \"a_b\" must be made of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit"],
    ['there is no specification', 'apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: a}\n', '1:1: error: SparkApplication a: spec is required'],
    ['a truth value of YAML 1.1, as kubectl reads it', manifest({ spec: '  sparkConf:\n    spark.a: yes\n' }), '13:5: error: SparkApplication pi: spec.sparkConf[spark.a] = true must be a string, in quotes'],
    ['an error in the value of an alias', manifest({ spec: '  hadoopConf: &a\n    x: 1\n  sparkConf: *a\n' }), '13:5: error: SparkApplication pi: spec.hadoopConf[x] must be a string, in quotes'],
    ['an alias has no anchor', 'a: *b\n', '1:1: error: invalid YAML: Unresolved alias (the anchor must be set before the alias): b'],
    ['a secret is not repeated', manifest({ spec: '  sparkConf:\n    spark.hadoop.fs.s3a.secret.key: 12345\n' }), '13:5: error: SparkApplication pi: spec.sparkConf[spark.hadoop.fs.s3a.secret.key] must be a string, in quotes'],
    ['a manifest that would play with the terminal', manifest({ spec: '  "\\e[2J": 1\n' }), '5:1: error: SparkApplication pi: spec.\\u001b[2J = 1 is not a field; see the reference of the fields'],
  ])('%s', async (_, stdin, expected) => {
    const { code, stdout, stderr } = await sparkctl(['render', '-'], { stdin });
    expect({ code, stdout, line: stderr[0] }).toEqual({ code: 1, stdout: '', line: `<stdin>:${expected}` });
  });

  test('rejects an excessive number of aliases', async () => {
    const levels = Array.from({ length: 12 }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`);
    const { code, stderr } = await sparkctl(['render', '-'], { stdin: ['a0: &a0 x', ...levels].join('\n') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringContaining('invalid YAML: Excessive alias count')] });
  });

  test('nothing to render is an error', async () => {
    expect(await sparkctl(['render', 'a.yaml', 'b.yaml'], { files: { 'a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', 'b.yaml': '' } })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: ['a.yaml:1:1: note: Secret s is skipped, as it is no SparkApplication', 'b.yaml: note: it is empty', 'a.yaml, b.yaml: error: there is no SparkApplication in it; name a file with one'],
    });
  });
});

describe('--namespace', () => {
  test('applies to applications that name none', async () => {
    expect((await sparkctl(['render', '-', '-n', 'jobs'], { stdin: manifest() })).stdout).toContain('  namespace: jobs\n');
  });

  test('rejects an application of another namespace, like kubectl', async () => {
    expect(await sparkctl(['render', '-', '-n', 'jobs'], { stdin: manifest({ metadata: '  namespace: other\n' }) })).toMatchObject({
      code: 1, stderr: ['<stdin>:5:3: error: SparkApplication other/pi: metadata.namespace = "other" is not jobs, the value of --namespace; omit one of them'],
    });
  });
});

describe('submission mode', () => {
  const withFile = manifest({ spec: '  sparkConf: {spark.kubernetes.file.upload.path: "s3a://bucket/uploads"}\n' })
    .replace('local:///opt/spark/pi.py', 'file:///opt/files/pi.py');

  test('prints the spark-submit command if native submission is impossible, with the reason', async () => {
    const { code, stdout, stderr } = await sparkctl(['render', '-', '-o', 'spark-submit'], { stdin: withFile });
    expect(code).toBe(0);
    expect(stdout).toContain(' \\\n  file:///opt/files/pi.py\n');
    expect(stderr).toEqual([expect.stringMatching(/^<stdin>:1:1: warning: SparkApplication pi: the operator runs spark-submit for it, .*: spec.mainApplicationFile = "file:.*" is a file of your machine/)]);
  });

  test.each(['yaml', 'json', 'properties'])('its objects are unknown: --output=%s names the remedy', async (output) => {
    const { code, stdout, stderr } = await sparkctl(['render', '-', '-o', output], { stdin: withFile });
    expect({ code, stdout, line: stderr.at(-1) }).toEqual({
      code: 1, stdout: '', line: '<stdin>:1:1: error: SparkApplication pi: spark-submit creates the objects, so they are unknown; use --output=spark-submit to print its command',
    });
  });

  test('the operator\'s flags decide; the annotation of an application takes precedence', async () => {
    const errorOf = async (stdin: string, ...options: string[]) => (await sparkctl(['render', '-', '-o', 'spark-submit', ...options], { stdin })).stderr.filter((line) => line.includes(': error: '));
    expect(await errorOf(withFile, '--mode=native')).toEqual([expect.stringMatching(/^<stdin>:9:3: error: .*spec.mainApplicationFile.* put it into the image/)]);
    const withoutUpload = withFile.replace('s3a://bucket/uploads', '');
    expect(await errorOf(withoutUpload)).toEqual([expect.stringContaining('or set spark.kubernetes.file.upload.path to upload the file of the image')]);
    expect(await errorOf(manifest({ spec: '  deps: {packages: ["a:b:1"]}\n' }), '--mode=spark-submit')).toEqual([]);
    const annotated = (mode: string) => withFile.replace('metadata:\n', `metadata:\n  annotations: {sparkoperator.k8s.io/submission-mode: ${mode}}\n`);
    expect(await errorOf(annotated('native'))).toHaveLength(1);
    expect(await errorOf(annotated('spark-submit'), '--mode=native')).toEqual([]);
    expect(await errorOf(annotated('fast'))).toEqual([expect.stringMatching(/^<stdin>:4:17: error: .*is not a way to submit; write auto, native, spark-submit, or remove it/)]);
  });
});

test('warns about fields without effect, with their position', async () => {
  const stdin = manifest({ spec: '  failureRetries: 3\n  sparkConf:\n    spark.executor.memory: 2g\n' }).replace('executor: {}', 'executor:\n    memory: 1g').replace('sparkVersion: 4.1.1', 'sparkVersion: 4.1.1-custom');
  const { code, stderr } = await sparkctl(['render', '-'], { stdin });
  expect(code).toBe(0);
  expect([...stderr].sort()).toEqual([
    '<stdin>:13:3: warning: SparkApplication pi: spec.failureRetries has no effect: spec.restartPolicy takes precedence',
    '<stdin>:15:5: warning: SparkApplication pi: spec.sparkConf[spark.executor.memory] is overridden by spec.executor.memory',
  ]);
});

test('parses flags for batch schedulers like the operator', async () => {
  const run = (...options: string[]) => sparkctl(['render', 'pi.yaml', '--enable-batch-scheduler=true', ...options], { files: { 'pi.yaml': golden('pi.yaml') } });

  expect((await run('--kube-scheduler-names="gang"', '--default-batch-scheduler=gang')).stdout).toContain('scheduling.x-k8s.io/pod-group');
  const misspelled = await run('--default-batch-scheduler=gnag');
  expect([misspelled.code, misspelled.stderr.join('\n')]).toEqual([2, expect.stringContaining('--default-batch-scheduler=gnag: write one of volcano, yunikorn; --kube-scheduler-names adds more')]);
  expect((await run('--kube-scheduler-names=volcano')).stderr.join('\n')).toContain('write comma-separated names other than volcano and yunikorn');
});
