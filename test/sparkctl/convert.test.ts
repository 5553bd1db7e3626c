/* `sparkctl convert`: manifests of v1beta1 as v1beta2. */
import { parse } from 'yaml';
import { manifest, sparkctl } from './helpers';

const convert = (text: string, ...options: string[]) => sparkctl(['convert', 'old.yaml', ...options], { files: { 'old.yaml': text } });

/** Manifest for Spark 2.4. */
const OLD = `# The first job of all.
apiVersion: sparkoperator.k8s.io/v1beta1
kind: SparkApplication
metadata:
  name: pi # a good name
  annotations:
    team: data
    kubectl.kubernetes.io/last-applied-configuration: "{}"
spec:
  type: Scala
  sparkVersion: 3.5.8
  image: apache/spark:3.5.8
  # Fetched files.
  initContainerImage: gcr.io/spark-operator/spark-init:v2.3.0
  mainClass: org.apache.spark.examples.SparkPi
  mainApplicationFile: "local:///opt/spark/examples.jar"
  deps:
    jarsDownloadDir: /tmp
    jars: [https://example.org/a.jar]
  restartPolicy: Never
  driver:
    # A tenth is enough.
    cores: 0.1 # really
    memory: 512m
    securityContext:
      runAsUser: 1000 # not root
  executor:
    cores: 1.5
    instances: 2
status:
  applicationState: {state: COMPLETED}
`;

const NEW = `# The first job of all.
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: pi # a good name
  annotations:
    team: data
spec:
  type: Scala
  sparkVersion: 3.5.8
  image: apache/spark:3.5.8
  # Fetched files.
  mainClass: org.apache.spark.examples.SparkPi
  mainApplicationFile: "local:///opt/spark/examples.jar"
  deps:
    jars: [https://example.org/a.jar]
  restartPolicy:
    type: Never
  driver:
    # A tenth is enough.
    cores: 1 # really
    coreRequest: 100m
    memory: 512m
    podSecurityContext:
      runAsUser: 1000 # not root
  executor:
    cores: 2
    coreRequest: 1500m
    instances: 2
`;

test('renames fields, drops fields, and keeps comments', async () => {
  const { code, stdout, stderr } = await convert(OLD);
  expect(stdout).toBe(NEW);
  expect(code).toBe(0);
  expect(stderr).toEqual([
    expect.stringContaining('old.yaml:30:1: note: SparkApplication pi: status is dropped'),
    expect.stringContaining('old.yaml:8:5: note: SparkApplication pi: metadata.annotations[kubectl.kubernetes.io/last-applied-configuration] is dropped'),
    expect.stringContaining('old.yaml:14:3: note: SparkApplication pi: spec.initContainerImage is dropped: since Spark 2.4'),
    expect.stringContaining('old.yaml:18:5: note: SparkApplication pi: spec.deps.jarsDownloadDir is dropped'),
    'old.yaml:23:5: warning: SparkApplication pi: spec.driver.cores (0.1) becomes 1, with coreRequest: 100m: the CPU request is the same as before',
    'old.yaml:28:5: warning: SparkApplication pi: spec.executor.cores (1.5) becomes 2, with coreRequest: 1500m: the CPU request is the same as before, for 2 tasks at a time',
  ]);
});

test('the result is valid, and a second conversion changes nothing', async () => {
  expect(await sparkctl(['validate', '-'], { stdin: NEW })).toMatchObject({ code: 0, stderr: [] });
  expect(await convert(NEW)).toMatchObject({ code: 0, stdout: NEW, stderr: [] });
});

test('converts schedules, lists and several documents; others stay unchanged', async () => {
  const application = OLD.replace(/status:[^]*/, '');
  const indented = (text: string, by: string) => text.trimEnd().replaceAll('\n', `\n${by}`);
  const schedule = `apiVersion: sparkoperator.k8s.io/v1beta1
kind: ScheduledSparkApplication
metadata: {name: nightly}
spec:
  schedule: "@daily"
  template:
    ${indented(parse(application).spec && application.slice(application.indexOf('  type:') + 2), '  ')}
`;
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${indented(application.slice(application.indexOf('apiVersion')), '  ')}\n`;
  const { code, stdout } = await convert([schedule, 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', list].join('---\n'));
  expect(code).toBe(0);
  const [converted, secret, listed] = stdout.split(/^---\n/m).map((text) => parse(text));
  const { spec } = parse(NEW);
  expect(converted).toMatchObject({ apiVersion: 'sparkoperator.k8s.io/v1beta2', spec: { schedule: '@daily', template: spec } });
  expect(secret).toEqual({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
  expect(listed.items).toMatchObject([{ apiVersion: 'sparkoperator.k8s.io/v1beta2', spec }]);
});

test.each([
  ['a driver in a Pod of the user', OLD.replace('type: Scala', 'type: Scala\n  mode: in-cluster-client'), 'spec.mode in-cluster-client cannot be converted'],
  ['two security contexts', OLD.replace('    memory: 512m', '    podSecurityContext: {}'), 'spec.driver.securityContext cannot be converted'],
  ['what would not be taken', OLD.replace('memory: 512m', 'memory: 1.5g'), 'after the conversion, spec.driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes'],
])('reports %s', async (_, text, message) => {
  const { code, stdout, stderr } = await convert(text);
  expect(code).toBe(1);
  expect(stdout).toContain('sparkoperator.k8s.io/v1beta2');
  expect(stderr.filter((line) => line.includes('error:'))).toEqual([expect.stringContaining(message)]);
});

test('reports all errors of a file, with their positions', async () => {
  const text = OLD.replace('type: Scala', 'type: Scala\n  mode: in-cluster-client').replace('memory: 512m', 'memory: 1.5g').replace('instances: 2', 'instances: -1');
  const { stderr } = await convert(text);
  expect(stderr.filter((line) => line.includes('error:'))).toEqual([
    expect.stringMatching(/^old\.yaml:11:3: error: SparkApplication pi: spec\.mode in-cluster-client cannot be converted/),
    expect.stringMatching(/^old\.yaml:25:5: error: SparkApplication pi: after the conversion, spec\.driver\.memory = "1.5g" /),
    expect.stringMatching(/^old\.yaml:30:5: error: SparkApplication pi: after the conversion, spec\.executor\.instances = -1 /),
  ]);
});

test.each([
  ['nothing', '', '<stdin>: error: it is empty'],
  ['bytes of a program', '\u007fELF\u0001 x', '<stdin>:1:1: error: this is not a Kubernetes object, as it has no kind; write apiVersion, kind, metadata and spec'],
  ['an alias without an anchor', OLD.replace('name: pi', 'name: *pi'), expect.stringMatching(/^<stdin>:\d+:\d+: error: invalid YAML: Unresolved alias/)],
])('rejects %s', async (_, stdin, message) => {
  expect(await sparkctl(['convert', '-'], { stdin })).toMatchObject({ code: 1, stdout: '', stderr: [message] });
});

test('reports the default of Python 2', async () => {
  const { stderr } = await convert(OLD.replace('type: Scala', 'type: Python').replace('examples.jar', 'examples.py'));
  expect(stderr).toContainEqual(expect.stringContaining('warning: SparkApplication pi: spec.pythonVersion had the default 2'));
});

test('--write changes only files with v1beta1 objects', async () => {
  const files = { 'old.yaml': OLD, 'new.yaml': manifest() };
  const { code, stdout, written } = await sparkctl(['convert', '-w', 'old.yaml', 'new.yaml'], { files });
  expect({ code, stdout, written }).toEqual({ code: 0, stdout: 'old.yaml converted\n', written: { 'old.yaml': NEW } });
});

test.each([
  ['invalid YAML', 'a: [\n', /^old.yaml:\d+:\d+: error: invalid YAML/],
  ['an object that would be rejected', OLD.replace('memory: 512m', 'memory: 1.5g'), /error: .* after the conversion, spec\.driver\.memory = "1.5g" /],
])('--write does not change a file with %s', async (_, text, message) => {
  const { code, written, stderr } = await convert(text, '--write');
  expect({ code, written, stderr: stderr.filter((line) => !/: (note|warning): /.test(line)) }).toEqual({
    code: 1, written: {}, stderr: [expect.stringMatching(message), 'old.yaml was not changed, as it has errors.'],
  });
});
