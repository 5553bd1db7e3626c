/* Each unchanged example from its folder: it runs, and its manifests are valid and can be applied file by file in the order of names. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES, find, synthesizeExample, synthesizeExamples, type SynthesizedExample } from './helpers/examples';
import { apiVersionOf } from '../src/api/kind';
import { KINDS } from '../src/api/kinds';
import { schemaOfKind } from '../src/rules/schemas';
import { violations } from '../src/rules/validate';

const root = join(__dirname, '..');
/** Entries that are no examples: programs for images, and one program in each language. */
const OTHERS = ['README.md', 'applications', 'languages', 'pipeline', 'dist'];

let synthesized: Map<string, SynthesizedExample>;
beforeAll(async () => {
  synthesized = await synthesizeExamples();
}, 240_000);

const example = (name: string) => synthesized.get(name)!;
const objectsOf = (name: string) => example(name).objects;
/** Runs `sparkctl render` for applications. */
const rendered = (applications: readonly any[], flags: readonly string[] = []) => spawnSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), 'render', '-', '--output=json', ...flags], {
  input: applications.map((object) => JSON.stringify(object)).join('\n---\n'), encoding: 'utf8', maxBuffer: 2 ** 24,
});
/** Those of its flags that `sparkctl render` has, too, and that make a difference. */
const flagsOfOperator = (name: string): string[] => objectsOf(name).filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'spark-operator')
  .flatMap(({ spec }) => spec.template.spec.containers[0].args.filter((arg: string) => /^--(enable-batch-scheduler|kube-scheduler-names|default-batch-scheduler)=/.test(arg)));
const applicationsOf = (name: string) => objectsOf(name).filter(({ kind }) => kind === 'SparkApplication');
const kindOf = (object: any) => KINDS.find((kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion);

/** Results of `sparkctl render` for the applications of all examples, by its flags. */
const renderings = new Map<string, { readonly status: number | null; readonly stderr: string }>();
function renderedWithAll(flags: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  const key = flags.join(' ');
  const known = renderings.get(key);
  if (known) return known;
  const applications = EXAMPLES.filter((name) => flagsOfOperator(name).join(' ') === key).flatMap(applicationsOf);
  const { status, stderr } = rendered(applications, flags);
  renderings.set(key, { status, stderr });
  return { status, stderr };
}

test('each folder is an example, with a README, and the README of the examples leads to it', () => {
  expect(readdirSync(join(root, 'examples')).filter((name) => !OTHERS.includes(name))).toEqual(EXAMPLES);
  const readme = readFileSync(join(root, 'examples/README.md'), 'utf8');
  expect(EXAMPLES.filter((name) => !existsSync(join(root, 'examples', name, 'README.md')) || !readme.includes(`](${name})`))).toEqual([]);
});

describe.each(EXAMPLES)('%s', (name) => {
  test('what it has of our kinds is valid', () => {
    const ofOurs = objectsOf(name).filter(kindOf);
    const invalid = ofOurs.flatMap((object) => violations(schemaOfKind(kindOf(object)!), object, `${object.kind} ${object.metadata.name}`));
    expect(invalid).toEqual([]);
    expect(ofOurs.length > 0 || name === 'migrating-from-kubeflow').toBe(true);
  });

  test('the operator would submit its applications, and none says anything without effect', () => {
    if (applicationsOf(name).length === 0) return;
    expect(renderedWithAll(flagsOfOperator(name))).toEqual({ status: 0, stderr: '' });
  });

  test('its files can be applied in the order of their names', () => {
    const [first, ...others] = example(name).files;
    const kinds = first!.objects.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['CustomResourceDefinition', 'ServiceAccount', 'Deployment']));
    // A definition has to be there before an object of its kind is in the same file.
    expect(first!.objects.filter(kindOf)).toEqual([]);
    expect(others.flatMap(({ objects }) => objects).filter(({ kind }) => ['CustomResourceDefinition', 'Namespace'].includes(kind))).toEqual([]);

    const made = first!.objects.flatMap(({ kind, metadata }, index) => (kind === 'Namespace' ? [[metadata.name, index] as const] : []));
    for (const [namespace, index] of made) expect(first!.objects.findIndex(({ metadata }) => metadata.namespace === namespace)).toBeGreaterThan(index);
  });

  test('its README says what is there', () => {
    const readme = readFileSync(join(root, 'examples', name, 'README.md'), 'utf8');
    const commands = [...readme.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block).join('\n');
    expect(commands).toContain(`node examples/${name}/main.mts`);
    const applied = [...commands.matchAll(/kubectl apply -f (\S+)/g)].map(([, file]) => file);
    expect(applied).toEqual(example(name).files.map((file) => `examples/dist/${name}/${file.name}`));

    const named = [...commands.matchAll(/(?:sparkapp|sparkconnect|scheduledsparkapplication) ([a-z][\w-]*) -n (\S+)/g)];
    const isThere = (object: string, namespace: string) => objectsOf(name).some(({ metadata }) => metadata.name === object && metadata.namespace === namespace);
    expect(named.filter(([, object, namespace]) => !isThere(object!, namespace!)).map(([text]) => text)).toEqual([]);
    const links = [...readme.matchAll(/\]\(((?!https:)[^)#]+)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(join(root, 'examples', name, link)))).toEqual([]);
  });
});

test('minimal: two applications, with programs of the image that there is', async () => {
  const [python, java] = objectsOf('minimal').filter(kindOf);
  expect([python, java].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['spark-jobs/python-pi', 'spark-jobs/java-pi']);
  expect(java.spec).toMatchObject({ image: 'apache/spark:4.1.1', mainClass: 'org.apache.spark.examples.JavaSparkPi' });

  const { objects } = await synthesizeExample('minimal', { SPARK_IMAGE: 'spark.test/spark:1' });
  expect(find(objects, 'SparkApplication', 'java-pi').spec).toMatchObject({ image: 'spark.test/spark:1', mainClass: 'JavaPi' });
});

test('python-dependencies: by HTTPS, from Maven, in the image, and a password that is in no manifest', () => {
  const { spec: words } = find(objectsOf('python-dependencies'), 'SparkApplication', 'words');
  expect([words.mainApplicationFile, ...Object.values<string[]>(words.deps).flat()].every((uri) => uri.startsWith('https://'))).toBe(true);
  const { spec: orders } = find(objectsOf('python-dependencies'), 'SparkApplication', 'orders');
  expect(orders.deps).toEqual({ pyFiles: ['local:///opt/app/tables.zip'], packages: ['org.postgresql:postgresql:42.7.7'] });
  expect(orders.driver.env).toContainEqual({ name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } });
});

test('dynamic-allocation: its program is the one of the folder, and gets its bounds', () => {
  const { spec } = find(objectsOf('dynamic-allocation'), 'SparkApplication', 'burst');
  expect(spec.dynamicAllocation).toMatchObject({ enabled: true, minExecutors: 1, maxExecutors: 3 });
  expect(spec.arguments).toEqual(['1', '3']);
  const { data } = find(objectsOf('dynamic-allocation'), 'ConfigMap', spec.driver.configMaps[0].name);
  expect(data['burst.py']).toBe(readFileSync(join(root, 'examples/dynamic-allocation/burst.py'), 'utf8'));
});

test('scheduled: the next runs are printed', () => {
  expect(objectsOf('scheduled').filter(kindOf).map(({ kind, spec }) => `${kind} ${spec.schedule}`)).toEqual(['ScheduledSparkApplication 30 4 * * mon-fri', 'ScheduledSparkApplication @every 15m']);
  expect(example('scheduled').stdout).toMatch(/^nightly: (\S+T0[23]:30:00.000Z(, |\n)){3}refresh: (\S+Z(, |\n)){3}$/);
});

test('connect: the URL is printed', () => {
  expect(example('connect').stdout).toBe('sc://notebooks-server.spark-jobs:15002\n');
  expect(find(objectsOf('connect'), 'SparkConnect', 'notebooks').spec.dynamicAllocation).toMatchObject({ enabled: true, maxExecutors: 5 });
});

test('multi-tenant: the operator finds both namespaces by their label; each has bounds and a closed network', () => {
  const objects = objectsOf('multi-tenant');
  expect(find(objects, 'Deployment', 'spark-operator').spec.template.spec.containers[0].args).toContain('--namespace-selector=spark.example.org/tenant=true');
  for (const namespace of ['finance', 'science']) {
    const inside = objects.filter(({ metadata }) => metadata.namespace === namespace);
    expect(find(objects, 'Namespace', namespace).metadata.labels).toMatchObject({ 'spark.example.org/tenant': 'true' });
    expect(new Set(inside.map(({ kind }) => kind))).toEqual(new Set(['ServiceAccount', 'Role', 'RoleBinding', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'ConfigMap', 'SparkApplication']));
    expect(find(inside, 'NetworkPolicy', 'spark-default-deny').spec).toMatchObject({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(Object.keys(find(inside, 'ConfigMap', 'spark-defaults').data)).toContain('limits.yaml');
  }
  // Admission checks both, by their label; before the operator can reject, the API server checks the images of finance.
  const { webhooks } = find(objects, 'ValidatingWebhookConfiguration', 'spark-operator-spark-operator');
  expect(webhooks.map(({ namespaceSelector }: any) => namespaceSelector)).toEqual(webhooks.map(() => ({ matchLabels: { 'spark.example.org/tenant': 'true' } })));
  expect(find(objects, 'Namespace', 'finance').metadata.annotations['sparkoperator.k8s.io/allowed-images']).toContain('registry.example.org/finance/*');
});

test('multi-tenant: with the address of the API server, drivers reach no other address at its ports', async () => {
  const { objects } = await synthesizeExample('multi-tenant', { API_SERVER: '10.0.0.10/32' });
  const policies = objects.filter(({ metadata }) => metadata.name === 'spark-api-server');
  expect(policies.map(({ spec }) => spec.egress[0].to)).toEqual([[{ ipBlock: { cidr: '10.0.0.10/32' } }], [{ ipBlock: { cidr: '10.0.0.10/32' } }]]);
});

test('monitoring: what the monitors select, the pods have', () => {
  const objects = objectsOf('monitoring');
  expect(find(objects, 'ServiceMonitor', 'spark-operator').metadata.labels).toMatchObject({ release: 'prometheus' });
  const { driver } = find(objects, 'SparkApplication', 'servlet').spec;
  expect(find(objects, 'PodMonitor', 'spark-servlet').spec.selector.matchLabels).toEqual({ 'spark-role': 'driver', ...driver.labels });

  const { stdout } = rendered([find(objects, 'SparkApplication', 'exporter')]);
  const pod = JSON.parse(stdout).items.find(({ kind }: any) => kind === 'Pod');
  const { selector, podMetricsEndpoints: [endpoint] } = find(objects, 'PodMonitor', 'spark-jmx-exporter').spec;
  expect(pod.metadata.labels).toMatchObject(selector.matchLabels);
  expect(pod.spec.containers[0].ports.map((port: any) => port.name)).toEqual(expect.arrayContaining([endpoint.port, 'spark-ui']));
});

test('kueue: one application has place at a time, by what Kueue counts, and all are in a queue that is there', () => {
  const objects = objectsOf('kueue');
  const ofOurs = objects.filter(kindOf);
  expect(ofOurs.map(({ metadata }) => metadata.labels['kueue.x-k8s.io/queue-name'])).toEqual(ofOurs.map(() => find(objects, 'LocalQueue', 'team').metadata.name));
  expect(find(objects, 'SparkApplication', 'urgent').metadata.labels['kueue.x-k8s.io/priority-class']).toBe(find(objects, 'WorkloadPriorityClass', 'urgent').metadata.name);

  const { mode, driver, executor, dynamicAllocation } = find(objects, 'SparkApplication', 'first').spec;
  expect({ mode, dynamicAllocation }).toEqual({ mode: 'cluster' });
  const milliCpu = (pod: any) => parseInt(pod.coreRequest);
  const counted = milliCpu(driver) + executor.instances * milliCpu(executor);
  const [{ nominalQuota }] = find(objects, 'ClusterQueue', 'spark').spec.resourceGroups[0].flavors[0].resources;
  expect([1000 * nominalQuota >= counted, 1000 * nominalQuota < 2 * counted]).toEqual([true, true]);
});

test('history-server: the application leaves its event log where the server looks', () => {
  const objects = objectsOf('history-server');
  const { sparkConf } = find(objects, 'SparkApplication', 'pi').spec;
  expect(sparkConf['spark.eventLog.enabled']).toBe('true');
  const [properties] = Object.values<string>(find(objects, 'ConfigMap', 'spark-history-server').data);
  expect(properties!.replaceAll('\\', '')).toContain(`spark.history.fs.logDirectory=${sparkConf['spark.eventLog.dir']}\n`);
  const { metadata: { name: claim } } = find(objects, 'PersistentVolumeClaim', 'spark-history-server-event-logs');
  expect(sparkConf).toMatchObject({ 'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-event-logs.options.claimName': claim });
});

test('migrating-from-kubeflow: sparkctl migrate writes the program', () => {
  const folder = join(root, 'examples/migrating-from-kubeflow');
  const written = join(mkdtempSync(join(tmpdir(), 'migrated-')), 'main.mts');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), 'migrate', '-f', 'values.yaml', '--write', written], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: `${written} written\n` });
  const program = readFileSync(written, 'utf8').replace('new App()', "new App({ outdir: process.env.OUTDIR ?? 'examples/dist/migrating-from-kubeflow' })");
  if (process.env.UPDATE_DOCS) writeFileSync(join(folder, 'main.mts'), program);
  expect(readFileSync(join(folder, 'main.mts'), 'utf8')).toBe(program);
});
