import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { application as applicationWith, CONTEXT } from '../application';
import { DENIED_SPARK_CONF } from '../../../src/api/denied-conf';
import { SparkApplicationType } from '../../../src/api/spark-application';
import { SubmissionError } from '../../../src/plan/errors';
import type { MainApplication } from '../../../src/plan/properties/main-application';
import { planNative } from '../../../src/plan/plan';
import { prepareSubmission } from '../../../src/plan/prepare';
import { reasonsAgainstNative } from '../../../src/plan/native/reasons-against';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';

const NATIVE = join(__dirname, '../../../src/plan/native');

const JAR: MainApplication = { type: 'java', resource: 'local:///app.jar', mainClass: 'Main', arguments: [] };
const PYTHON: MainApplication = { type: 'python', resource: 'local:///app.py', arguments: [] };

/** Returns the fields of the reasons. */
function fields(conf: { [key: string]: string }, application = JAR): string[] {
  return reasonsAgainstNative({ properties: SparkProperties.of(conf), application }).map(({ field }) => field);
}

test.each<[string, MainApplication, string[]]>([
  ['a path', { ...PYTHON, resource: '/home/me/app.py' }, ['spec.mainApplicationFile']],
  ['a name', { ...PYTHON, resource: 'app.py' }, ['spec.mainApplicationFile']],
  ['file:', { ...PYTHON, resource: 'file:///app.py' }, ['spec.mainApplicationFile']],
  ['a disk of Windows', { ...PYTHON, resource: 'C:\\app.py' }, ['spec.mainApplicationFile']],
  ['a jar without a main class', { ...JAR, mainClass: undefined }, ['spec.mainClass']],
  ['both', { ...JAR, resource: 'app.jar', mainClass: undefined }, ['spec.mainApplicationFile', 'spec.mainClass']],
  ['a path in the image', JAR, []],
  ['object storage', { ...PYTHON, resource: 's3a://bucket/app.py' }, []],
  ['a pattern, which Spark never expands in a main file', { ...PYTHON, resource: 's3a://bucket/*.py' }, []],
  ['nothing but Spark\'s own classes', { ...JAR, resource: 'spark-internal' }, []],
])('main file: %s', (_, application, expected) => {
  expect(fields({}, application)).toEqual(expected);
});

test.each<[string, { [key: string]: string }, string[]]>([
  ['local files of each kind', {
    'spark.jars': 'https://r/ok.jar,my.jar', 'spark.files': 'file:/etc/x', 'spark.submit.pyFiles': '/lib.zip',
    'spark.archives': 'lib.zip#lib',
  }, ['spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives']],
  ['each file of a list', { 'spark.jars': 'a.jar, ,b.jar' }, ['spark.jars', 'spark.jars']],
  ['patterns of object storage', { 'spark.jars': 's3a://b/*.jar,hdfs://n/{a}', 'spark.files': 'gs://b/[ab]?#name' },
    ['spark.jars', 'spark.jars', 'spark.files']],
  ['patterns where Spark takes them as they are', {
    'spark.jars': 'local:///opt/a/*.jar,https://r/f?x=1', 'spark.archives': 's3a://b/a.zip#*',
  }, []],
  ['texts that are not URIs for Java, and files for Spark', {
    'spark.jars': 'https://r/{a}.jar,local:///a#b#c,local:///opt/[a].jar,https://r/100%.jar',
  },
  ['spark.jars', 'spark.jars', 'spark.jars', 'spark.jars']],
  ['URIs with all of their parts', {
    'spark.jars': 'https://me:x@[2001:db8::1]:8443/a%20b.jar?x=1&y=(2)#c,s3a://bucket/ü/x.jar,local:///a;v=1,jar~!$.jar',
  }, ['spark.jars']],
  ['packages, which the driver resolves', { 'spark.jars.packages': 'g:a:1', 'spark.jars.repositories': 'https://r' }, []],
])('dependencies: %s', (_, conf, expected) => {
  expect(fields(conf)).toEqual(expected);
});

test.each([
  ['spark.kubernetes.driver.pod.featureSteps', 'my.Step'],
  ['spark.kubernetes.driver.podTemplateFile', 's3a://bucket/template.yaml'],
  ['spark.kubernetes.executor.podTemplateFile', '/template.yaml'],
  ['spark.kubernetes.kerberos.krb5.path', '/etc/krb5.conf'],
  ['spark.kerberos.keytab', '/me.keytab'],
  ['spark.yarn.keytab', '/me.keytab'],
  ['spark.hadoop.hadoop.security.authentication', 'kerberos'],
  ['spark.kubernetes.authenticate.submission.oauthToken', 's3cr3t'],
  ['spark.kubernetes.authenticate.submission.caCertFile', '/ca.crt'],
  ['spark.kubernetes.context', 'other'],
  ['spark.kubernetes.authenticate.driver.caCertFile', '/ca.crt'],
  ['spark.kubernetes.authenticate.driver.clientCertFile', '/me.crt'],
  ['spark.kubernetes.authenticate.driver.clientKeyFile', '/me.key'],
  ['spark.kubernetes.authenticate.driver.oauthToken', 's3cr3t'],
  // Spark reads these even if they are empty.
  ['spark.kubernetes.kerberos.krb5.path', ''],
  ['spark.kerberos.keytab', ''],
  ['spark.kubernetes.authenticate.driver.caCertFile', ''],
  ['spark.driver.memoryOverhead', '${env:MEMORY}'],
  ['spark.kubernetes.container.image', 'registry/${system:user.name}:1'],
  ['spark.kubernetes.driver.container.image', '${spark.kubernetes.executor.request.cores}'], // not set: only Spark knows its default
])('%s = %s needs spark-submit', (key, value) => {
  expect(fields({ [key]: value })).toEqual([key]);
});

test.each([
  ['spark.kubernetes.driver.pod.featureSteps', ''],
  ['spark.kubernetes.driver.podTemplateFile', ''], // the operator sets both
  ['spark.kubernetes.executor.podTemplateFile', ' '],
  ['spark.kubernetes.context', ''],
  ['spark.kubernetes.authenticate.submission.oauthToken', ' '],
  ['spark.kubernetes.executor.pod.featureSteps', 'my.Step'], // the driver's concern
  ['spark.kerberos.keytab', 'local:///mounted/me.keytab'],
  ['spark.hadoop.hadoop.security.authentication', 'simple'],
  ['spark.kubernetes.authenticate.driver.mounted.caCertFile', '/mounted/ca.crt'],
  ['spark.kubernetes.trust.certificates', 'true'], // for the driver; the operator's own connection stays as it is
  ['spark.kubernetes.hadoop.configMapName', 'hadoop'],
  ['spark.driver.extraJavaOptions', '-Dhome=${env:HOME}'], // only the driver reads it
  ['spark.kubernetes.driverEnv.HOME', '${env:HOME}'],
  ['spark.kubernetes.driver.annotation.note', '${env:HOME}'],
  ['spark.kubernetes.executor.container.image', '${env:IMAGE}'],
])('%s = %s can be submitted natively', (key, value) => {
  expect(fields({ [key]: value })).toEqual([]);
});

test.each([
  ['spark.kerberos.keytab', 'local:///me.keytab'],
  ['spark.kubernetes.kerberos.tokenSecret.name', 'tokens'],
])('Kerberos with %s fetches no tokens at submission', (key, value) => {
  expect(fields({ 'spark.hadoop.hadoop.security.authentication': 'kerberos', [key]: value })).toEqual([]);
});

test('references to other properties are resolved, and what those refer to', () => {
  const image = { 'spark.kubernetes.container.image': 'i:${spark.my.version}' };

  expect(fields({ ...image, 'spark.my.version': '1' })).toEqual([]);
  expect(fields({ ...image, 'spark.my.version': '${env:VERSION}' })).toEqual(['spark.kubernetes.container.image']);
});

/** All properties that the native build reads. */
const KEYS = readdirSync(NATIVE).filter(name => name.endsWith('.ts'))
  .flatMap(name => [...readFileSync(join(NATIVE, name), 'utf8').matchAll(/'(spark\.[\w.]*\w)'/g)].map(match => match[1]!));

const REFUSED_ANYWAY = [...DENIED_SPARK_CONF.map(({ key }) => key), 'spark.kubernetes.namespace'];

test.each(
  [...new Set(KEYS)].filter(key => !REFUSED_ANYWAY.includes(key)),
)('%s: a variable that the native build lacks is a reason against it', key => {
  // Python and the newest version, which read most properties.
  const given = applicationWith({
    spec: {
      sparkVersion: '4.3.0', type: SparkApplicationType.PYTHON, mainApplicationFile: 'local:///a.py',
      sparkConf: { [key]: '${env:X}' },
    },
  });
  const prepared = prepareSubmission(given, CONTEXT);
  const missed = refusalOf(() => planNative(prepared))?.reason.includes('only the machine that runs spark-submit knows') ?? false;

  expect(missed && reasonsAgainstNative(prepared).length === 0).toBe(false);
});

function refusalOf(plan: () => unknown): SubmissionError | undefined {
  try {
    plan();
  } catch (error) {
    if (SubmissionError.is(error)) return error;
    throw error;
  }
  return undefined;
}

test('a reason has the field of the user, and the remedy', () => {
  const properties = new SparkProperties();
  properties.set('spark.jars', 'my.jar', 'spec.deps.jars');

  expect(reasonsAgainstNative({ properties, application: JAR })).toEqual([{
    field: 'spec.deps.jars',
    value: 'my.jar',
    reason: 'is a file of your machine, which the operator cannot read',
    remedy: 'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI',
  }]);
});
