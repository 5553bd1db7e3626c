import type { MainApplication } from '../../../src/plan/properties/main-application';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { reasonsAgainstSparkSubmit } from '../../../src/plan/spark-submit/reasons-against';

const JAR: MainApplication = { type: 'java', resource: 'local:///app.jar', mainClass: 'Main', arguments: [] };

function fields(conf: { [key: string]: string }, application: Partial<MainApplication> = {}): string[] {
  return reasonsAgainstSparkSubmit({ properties: SparkProperties.of(conf), application: { ...JAR, ...application } }).map(({ field }) => field);
}

test.each<[uploadPath: string | undefined, expected: string[]]>([
  [undefined, ['spec.mainApplicationFile', 'spark.files']],
  ['', ['spec.mainApplicationFile', 'spark.files']],
  ['/uploads', ['spec.mainApplicationFile', 'spark.files']],
  ['file:///uploads', ['spec.mainApplicationFile', 'spark.files']],
  ['s3a://bucket/uploads', []],
])('with the upload path %p, files of the image are rejected: %j', (path, expected) => {
  const conf = { 'spark.files': '/opt/a.txt', ...(path !== undefined && { 'spark.kubernetes.file.upload.path': path }) };
  expect(fields(conf, { resource: 'main.py', type: 'python' })).toEqual(expected);
});

test('the remedy names the upload path', () => {
  const [reason] = reasonsAgainstSparkSubmit({ properties: SparkProperties.of({}), application: { ...JAR, resource: '/app.jar' } });
  expect(reason!.remedy).toMatch(/, or set spark\.kubernetes\.file\.upload\.path to upload the file of the image$/);
});

test('it reads the main class from a jar, except from one in the image of the driver', () => {
  expect(fields({}, { resource: 's3a://b/app.jar', mainClass: undefined })).toEqual([]);
  expect(fields({}, { mainClass: undefined })).toEqual(['spec.mainClass']);
  expect(fields({}, { mainClass: undefined, resource: 'spark-internal' })).toEqual(['spec.mainClass']);
});

test.each([
  ['spark.kubernetes.driver.podTemplateFile', 'http://example.org/template.yaml'],
  ['spark.kubernetes.executor.podTemplateFile', '/template.yaml'],
  ['spark.kerberos.keytab', '/mounted/me.keytab'],
  ['spark.hadoop.hadoop.security.authentication', 'kerberos'],
  ['spark.kubernetes.authenticate.driver.caCertFile', '/ca.crt'],
  ['spark.kubernetes.authenticate.submission.oauthTokenFile', '/token'],
  ['spark.kubernetes.context', 'admin'],
  ['spark.kubernetes.kerberos.krb5.path', ''], // it reads even this one
  ['spark.kerberos.keytab', ''],
])('%s = %s needs a file or a permission that the service account of drivers lacks', (key, value) => {
  expect(fields({ [key]: value })).toEqual([key]);
});

test.each([
  ['spark.jars.packages', 'g:a:1'],
  ['spark.kubernetes.driver.pod.featureSteps', 'org.example.Step'],
  ['spark.kubernetes.kerberos.krb5.path', '/etc/krb5.conf'],
  ['spark.kerberos.keytab', 'local:///mounted/me.keytab'],
  ['spark.jars', 's3a://b/*.jar,https://r/a.jar,local:///a.jar'],
  ['spark.kubernetes.container.image', 'registry/${env:LANG}'],
  ['spark.kubernetes.trust.certificates', 'true'],
  ['spark.kubernetes.driver.podTemplateFile', ''],
  ['spark.kubernetes.executor.podTemplateFile', ' '],
])('%s = %s is allowed: it only sees what the application itself can see', (key, value) => {
  expect(fields({ [key]: value })).toEqual([]);
});
