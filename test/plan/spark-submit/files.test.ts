/* Files of the operator's container that settings lead spark-submit to. What only the pods read is none of its business. */
import type { MainApplication } from '../../../src/plan/properties/main-application';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { reasonsAgainstSparkSubmit } from '../../../src/plan/spark-submit/reasons-against';
import { cpuTime } from '../../helpers/cpu-time';

const APPLICATION: MainApplication = { type: 'java', resource: 'local:///app.jar', mainClass: 'Main', arguments: [] };
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
/** Makes spark-submit look into storage. */
const PATTERN = { 'spark.jars': 's3a://bucket/*.jar' };

function reasons(conf: { [key: string]: string }, application: Partial<MainApplication> = {}) {
  return reasonsAgainstSparkSubmit({ properties: SparkProperties.of(conf), application: { ...APPLICATION, ...application } }, { folders: ['/opt/files'], packages: false });
}
const fields = (...input: Parameters<typeof reasons>) => reasons(...input).map(({ field }) => field);

describe.each([
  'spark.hadoop.fs.azure.account.oauth2.token.file', // is sent to fs.azure.account.oauth2.msi.authority
  'spark.hadoop.fs.azure.account.oauth2.token.file.me.dfs.core.windows.net',
  'spark.hadoop.fs.azure.shellkeyprovider.script',
  'spark.hadoop.fs.azure.identity.transformer.local.service.principal.mapping.file.path',
  'spark.hadoop.fs.gs.auth.service.account.json.keyfile',
  'spark.hadoop.fs.gs.auth.workload.identity.federation.credential.config.file',
  'spark.hadoop.google.cloud.auth.service.account.keyfile',
  'spark.hadoop.fs.oci.client.auth.pemfilepath',
  'spark.hadoop.fs.sftp.keyfile',
  'spark.hadoop.fs.viewfs.mounttable.c.link./a',
  'spark.hadoop.fs.viewfs.mounttable.path',
  'spark.hadoop.hadoop.security.group.mapping.ldap.bind.password.file',
  'spark.hadoop.hadoop.security.group.mapping.ldap.ssl.keystore',
  'spark.hadoop.hadoop.security.credstore.java-keystore-provider.password-file',
  'spark.hadoop.net.topology.script.file.name',
  'spark.hadoop.ssl.client.truststore.location',
  'spark.hive.metastore.kerberos.keytab.file',
])('%s', key => {
  test('names no file outside of the folders, if storage is opened', () => {
    expect(fields({ [key]: TOKEN, ...PATTERN })).toEqual([key]);
    expect(fields({ [key]: `file://${TOKEN}`, ...PATTERN })).toEqual([key]);
    expect(fields({ [key]: '../../a', ...PATTERN })).toEqual([key]);
    expect(fields({ [key]: '/opt/files/a', ...PATTERN })).toEqual([]);
  });

  test('is a path in the pods, if none is', () => {
    expect(fields({ [key]: TOKEN, 'spark.jars': 'https://r/a.jar,local:///b.jar' })).toEqual([]);
  });
});

describe('stores of keys and passwords', () => {
  const key = 'spark.hadoop.fs.s3a.bucket.b.security.credential.provider.path';

  test.each([
    `jceks://file${TOKEN}`, `jceks://file@${TOKEN}`, `JCEKS://FILE@${TOKEN}`, `localjceks://file${TOKEN}`, `localbcfks://hdfs@host${TOKEN}`, `jceks://hdfs@host/a, jceks://file${TOKEN}`,
    `jceks://file/opt/files/../..${TOKEN}`, 'localjceks:a',
  ])('%s is refused', value => {
    expect(fields({ [key]: value, ...PATTERN })).toEqual([key]);
  });

  test.each(['jceks://hdfs@host/a.jceks', 'jceks://s3a@bucket/a.jceks', 'kms://https@host:9600/kms', 'user:///', 'jceks://file/opt/files/a.jceks', 'localjceks://file/opt/files/a.jceks'])('%s may be used', value => {
    expect(fields({ [key]: value, ...PATTERN })).toEqual([]);
  });
});

test.each(['hdfs://host/mounts.xml', 'abfs://c@a/x'])('a mount table or a command is a local file or nothing: %s', value => {
  expect(fields({ 'spark.hadoop.fs.viewfs.mounttable.path': value, 'spark.hadoop.fs.azure.shellkeyprovider.script': value, ...PATTERN })).toHaveLength(2);
});

test.each([
  'spark.kubernetes.kerberos.krb5.path', 'spark.kubernetes.authenticate.driver.caCertFile', 'spark.kubernetes.authenticate.submission.oauthTokenFile',
])('%s is a path, whatever it looks like', key => {
  expect(fields({ [key]: `hdfs:/../../..${TOKEN}` })).toEqual([key]);
});

describe('storage is opened', () => {
  const secret = { 'spark.hadoop.fs.gs.auth.service.account.json.keyfile': '/mnt/key.json' };

  test.each<[string, { [key: string]: string }, Partial<MainApplication>]>([
    ['for a dependency, whether it is a pattern or not', { 'spark.files': 'gs://bucket/a' }, {}],
    ['for a file that is uploaded', { 'spark.submit.pyFiles': '/opt/files/a.py' }, {}],
    ['for a main file that is uploaded', {}, { resource: '/opt/files/a.jar' }],
    ['for the main class', {}, { resource: 'gs://bucket/a.jar', mainClass: undefined }],
    ['for tokens', { 'spark.kerberos.access.hadoopFileSystems': 'gs://bucket' }, {}],
    ['for tokens of storage by an old name', { 'spark.yarn.access.namenodes': 'gs://bucket' }, {}],
    ['for the host of storage whose tokens are not renewed', { 'spark.yarn.kerberos.renewal.excludeHadoopFileSystems': 'gs://bucket' }, {}],
    ['for tokens of the default file system, which is storage', { 'spark.hadoop.fs.file.impl': 'org.example.Storage' }, {}],
    ['whatever its scheme looks like', { 'spark.jars': 'LOCAL:///a.jar' }, {}],
  ])('%s', (_, conf, application) => {
    expect(fields({ ...secret, ...conf }, application)).toEqual(Object.keys(secret));
  });

  test.each<[string, { [key: string]: string }, Partial<MainApplication>]>([
    ['of a main file in storage', {}, { resource: 'gs://bucket/a.jar' }],
    ['of a Python file in storage', {}, { type: 'python', resource: 'gs://bucket/a.py', mainClass: undefined }],
    ['of storage whose tokens the driver fetches', { 'spark.kerberos.access.hadoopFileSystems': 'gs://bucket', 'spark.kerberos.keytab': 'local:///a' }, {}],
  ])('but not because %s', (_, conf, application) => {
    expect(fields({ ...secret, ...conf }, application)).toEqual([]);
  });
});

test('with a configuration of Hadoop in the operator, storage is opened for the tokens of any application', () => {
  const key = 'spark.hadoop.fs.gs.auth.service.account.json.keyfile';
  const fieldsWith = (hadoop: boolean, conf: object) => reasonsAgainstSparkSubmit(
    { properties: SparkProperties.of({ [key]: '/mnt/key.json', ...conf }), application: APPLICATION }, { folders: [], packages: false, hadoop },
  ).map(({ field }) => field);

  expect(fieldsWith(true, {})).toEqual([key]);
  expect(fieldsWith(true, { 'spark.kubernetes.kerberos.tokenSecret.name': 's' })).toEqual([]);
  expect(fieldsWith(false, {})).toEqual([]);
});

describe('Kafka, for whose tokens spark-submit logs in', () => {
  const key = 'spark.kafka.clusters.c.kafka.client.id';

  test.each([TOKEN, `file://${TOKEN}`, '${directory:/var/run/secrets:token}', '${file:/a:b}', `Krb5LoginModule required keyTab="${TOKEN}";`])('%s is refused', value => {
    expect(fields({ [key]: value })).toEqual([key]);
    expect(fields({ [key]: value, 'spark.kubernetes.kerberos.tokenSecret.name': 's' })).toEqual([]);
  });

  test.each(['broker:9092,other:9092', 'https://idp/token', 'SASL_SSL', '/opt/files/trust.jks'])('%s is fine', value => {
    expect(fields({ [key]: value })).toEqual([]);
  });
});

test.each([
  'spark.eventLog.dir', 'spark.local.dir', 'spark.ssl.keyStore', 'spark.ssl.ui.trustStore', 'spark.authenticate.secret.file', 'spark.kubernetes.authenticate.driver.mounted.oauthTokenFile',
  'spark.kubernetes.authenticate.driver.mounted.caCertFile', 'spark.metrics.conf', 'spark.hadoop.fs.s3a.buffer.dir', 'spark.hadoop.fs.s3a.path.style.access',
  'spark.hadoop.fs.s3a.committer.staging.tmp.path', 'spark.hadoop.hive.metastore.warehouse.dir', 'spark.hadoop.fs.gs.marker.file.pattern', 'spark.myKeytab',
])('%s is read in the pods only', key => {
  expect(fields({ [key]: TOKEN, ...PATTERN })).toEqual([]);
});

test('a refusal says what would be done with the file', () => {
  expect(reasons({ 'spark.kubernetes.kerberos.krb5.path': '/etc/krb5.conf' })).toEqual([{
    field: 'spark.kubernetes.kerberos.krb5.path',
    value: '/etc/krb5.conf',
    reason: "names a file in the operator's container that spark-submit would put into a ConfigMap, and applications may only use files in /opt/files there",
    remedy: 'create the ConfigMap and name it in spark.kubernetes.kerberos.krb5.configMapName',
  }]);
});

test('a very long name does not take long', () => {
  const took = cpuTime();
  fields({ [`spark.hadoop.${'oauth2.token.file-keytab.'.repeat(20_000)}`]: TOKEN, 'spark.kafka.clusters.a': ' /'.repeat(200_000), ...PATTERN });
  expect(took()).toBeLessThan(1_000);
});
