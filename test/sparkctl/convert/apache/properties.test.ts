/* Converted applications get the Spark properties that Apache's operator sets. */
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { planOf } from '../../../../src/sparkctl/render/submission';
import { applicationOf } from '../../../../src/sparkctl/render/application';
import { sparkctl } from '../../helpers';

interface ApacheSpec {
  readonly mainClass?: string;
  readonly jars?: string;
  readonly pyFiles?: string;
  readonly sparkRFiles?: string;
  readonly driverArgs?: readonly string[];
  readonly proxyUser?: string;
  readonly sparkConf?: Readonly<Record<string, string>>;
  readonly applicationTolerations?: {
    readonly restartConfig?: { readonly restartPolicy: string };
    readonly resourceRetainPolicy?: string;
  };
  readonly runtimeVersions: { readonly sparkVersion: string };
}

interface Submitted {
  readonly properties: Readonly<Record<string, string>>;
  readonly type: string;
  readonly resource: string;
  readonly mainClass?: string;
  readonly arguments: readonly string[];
  readonly proxyUser?: string;
}

/** Returns the submission of Apache's operator (SparkAppSubmissionWorker, SparkAppResourceSpecFactory). */
function apaches({ mainClass, jars, pyFiles, sparkRFiles, driverArgs = [], proxyUser, sparkConf = {}, ...others }: ApacheSpec): Submitted {
  const properties: Record<string, string> = {};
  for (const [key, value] of Object.entries(sparkConf)) {
    const isImage = key.startsWith('spark.kubernetes.') && key.endsWith('container.image');
    properties[key] = isImage ? value.replaceAll('{{SPARK_VERSION}}', others.runtimeVersions.sparkVersion) : value;
  }
  properties['spark.kubernetes.namespace'] = 'default';
  if (sparkConf['spark.app.name'] !== undefined) properties['spark.app.name'] = 'a';
  const setIfMissing = (key: string, value: string) => { properties[key] ??= value; };
  let program = { type: 'java', resource: 'spark-internal' };
  if (jars) {
    program = { type: 'java', resource: jars };
    setIfMissing('spark.jars', jars);
  } else if (mainClass === 'org.apache.spark.deploy.PythonRunner') {
    const [first, ...rest] = pyFiles!.split(',');
    program = { type: 'python', resource: first! };
    if (rest.length > 0) setIfMissing('spark.submit.pyFiles', rest.join());
  } else if (pyFiles) {
    program = { type: 'python', resource: pyFiles };
    setIfMissing('spark.submit.pyFiles', pyFiles);
  } else if (sparkRFiles) {
    program = { type: 'r', resource: sparkRFiles };
  }
  for (const key of ['spark.authenticate', 'spark.io.encryption.enabled', 'spark.kubernetes.driver.annotateExitException', 'spark.kubernetes.executor.useDriverPodIP']) {
    setIfMissing(key, 'true');
  }
  const restarts = others.applicationTolerations?.restartConfig?.restartPolicy ?? 'Never';
  if (properties['spark.dynamicAllocation.enabled'] !== 'true' && restarts === 'Never') setIfMissing(DELETE, 'false');
  return { properties, ...program, mainClass, arguments: driverArgs, proxyUser };
}

const DELETE = 'spark.kubernetes.executor.deleteOnTermination';

/** Spark's own values of properties, which this operator writes out. */
const SPARKS: Readonly<Record<string, string>> = {
  'spark.driver.cores': '1', 'spark.driver.memory': '1g', 'spark.executor.cores': '1', 'spark.executor.memory': '1g', 'spark.executor.instances': '2',
};

/** Properties that name objects and find them, in each operator's own way. */
const OF_OPERATORS = /^spark\.(app\.(name|id)|master|kubernetes\.(submission\.waitAppCompletion|driver\.pod\.name|(driver|executor)\.podTemplateContainerName|(driver|executor|driver\.service)\.label\..*))$/;

function comparable({ properties, type, resource, ...others }: Submitted, { keepsExecutors }: { readonly keepsExecutors: boolean }): unknown {
  const jars = [...(properties['spark.jars'] ?? '').split(','), ...(type === 'java' ? resource.split(',') : [])];
  const entries = Object.entries({
    ...SPARKS, ...properties,
    // The driver appends its main file.
    'spark.jars': [...new Set(jars.filter((jar) => jar !== '' && jar !== 'spark-internal'))].join(),
  }).filter(([key]) => !OF_OPERATORS.test(key)
    // Pods of executors only stay here if the user asks for it, as the driver's Pod always does.
    && (keepsExecutors || key !== DELETE));
  return {
    ...others, type, properties: Object.fromEntries(entries), resource: resource.split(',').at(type === 'java' ? -1 : 0),
    mainClass: type === 'java' ? others.mainClass : undefined,
  };
}

const conf = fc.record({
  'spark.kubernetes.container.image': fc.constantFrom('apache/spark:4.1.1', 'registry/spark:{{SPARK_VERSION}}-python3'),
  'spark.kubernetes.executor.container.image': fc.constantFrom('executor:{{SPARK_VERSION}}'),
  'spark.kubernetes.authenticate.driver.serviceAccountName': fc.constantFrom('spark', 'other'),
  'spark.kubernetes.authenticate.executor.serviceAccountName': fc.constant('executors'),
  'spark.kubernetes.namespace': fc.constantFrom('default', 'other'),
  'spark.kubernetes.driver.master': fc.constantFrom('https://api:6443', 'local[4]'),
  'spark.app.name': fc.constant('own name'),
  'spark.app.id': fc.constant('own-id'),
  'spark.master': fc.constant('k8s://https://10.0.0.1'),
  'spark.jars': fc.constantFrom('local:///x.jar', 'local:///x.jar,local:///y.jar'),
  'spark.submit.pyFiles': fc.constant('local:///own.py'),
  'spark.files': fc.constant('local:///f'),
  'spark.authenticate': fc.constantFrom('true', 'false'),
  'spark.io.encryption.enabled': fc.constant('false'),
  'spark.kubernetes.executor.useDriverPodIP': fc.constant('false'),
  'spark.dynamicAllocation.enabled': fc.constantFrom('true', 'false'),
  'spark.executor.instances': fc.constantFrom('1', '5'),
  'spark.executor.memory': fc.constant('3g'),
  'spark.driver.cores': fc.constant('2'),
  'spark.kubernetes.driver.annotation.a': fc.constant('{{APP_ID}}'),
  'spark.sql.shuffle.partitions': fc.constant('8'),
}, { requiredKeys: ['spark.kubernetes.container.image'] });

const jar = fc.constantFrom('local:///a.jar', 'local:///a.jar,local:///b.jar,local:///c.jar');
const program = fc.oneof(
  fc.record({ mainClass: fc.constant('a.B') }),
  fc.record({ mainClass: fc.constant('a.B'), jars: jar, pyFiles: fc.constantFrom(undefined, 'local:///a.py') }),
  fc.record({ pyFiles: fc.constant('local:///a.py') }),
  fc.record({ mainClass: fc.constant('org.apache.spark.deploy.PythonRunner'), pyFiles: fc.constantFrom('local:///a.py', 'local:///a.py,local:///b.zip,local:///c.py') }),
  fc.record({ sparkRFiles: fc.constant('local:///a.R') }),
);

const specs = fc.tuple(program, fc.record({
  sparkConf: conf,
  driverArgs: fc.array(fc.constantFrom('x', '', '--day=1', 'yes'), { maxLength: 3 }),
  proxyUser: fc.constant('alice'),
  applicationTolerations: fc.record({
    restartConfig: fc.record({ restartPolicy: fc.constantFrom('Never', 'OnFailure', 'Always') }),
    resourceRetainPolicy: fc.constantFrom('Always', 'Never', 'OnFailure'),
  }, { requiredKeys: [] }),
  runtimeVersions: fc.record({ sparkVersion: fc.constantFrom('4.0.2', '4.2.0', '4.3.0') }),
}, { requiredKeys: ['sparkConf', 'runtimeVersions'] })).map(([fields, others]): ApacheSpec => (
  JSON.parse(JSON.stringify({ ...fields, ...others })) as ApacheSpec
));

const SETTINGS = { mode: 'auto', sparkUser: 'spark', master: 'k8s://https://kubernetes.default.svc' } as const;

test('the properties, the program and its arguments are those of Apache\'s operator', async () => {
  await fc.assert(fc.asyncProperty(specs, async (spec) => {
    const stdin = stringify({ apiVersion: 'spark.apache.org/v1', kind: 'SparkApplication', metadata: { name: 'a', namespace: 'default' }, spec }, { version: '1.1' });
    const { code, stdout, stderr } = await sparkctl(['convert', '-'], { stdin });
    expect({ code, errors: stderr.filter((line) => line.includes(': error: ')) }).toEqual({ code: 0, errors: [] });
    const { submittable, problems } = planOf(applicationOf(parse(stdout), SETTINGS), SETTINGS);
    expect(problems.filter(({ severity = 'error' }) => severity === 'error')).toEqual([]);
    const { properties, application } = submittable!.prepared;
    const here = { ...application, properties: Object.fromEntries(properties.entries()) };
    const keepsExecutors = spec.applicationTolerations?.resourceRetainPolicy === 'Always';
    // With tasks in the driver, the number of executors has no effect.
    const isLocal = spec.sparkConf?.['spark.kubernetes.driver.master']?.startsWith('local') && spec.sparkConf['spark.executor.instances'] === undefined;
    const there = apaches(spec);
    expect(comparable(here, { keepsExecutors })).toEqual(comparable(
      isLocal ? { ...there, properties: { 'spark.executor.instances': here.properties['spark.executor.instances'] ?? '2', ...there.properties } } : there,
      { keepsExecutors },
    ));
  }), { numRuns: 40 });
});
