/* Settings that make of storage something else: the operator's disk, or somebody who is told who the operator is. */
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { reasonsAgainstSparkSubmit } from '../../../src/plan/spark-submit/reasons-against';

/** Makes spark-submit look into storage. */
const PATTERN = { 'spark.jars': 's3a://bucket/*.jar' };

function fields(conf: { [key: string]: string }): string[] {
  const application = { type: 'java', resource: 'local:///app.jar', mainClass: 'Main', arguments: [] } as const;
  return reasonsAgainstSparkSubmit({ properties: SparkProperties.of(conf), application }, { folders: ['/opt/files'], packages: false }).map(({ field }) => field);
}

test('no scheme becomes the disk of the operator', () => {
  const settings = {
    'spark.hadoop.fs.foo.impl': 'org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme',
    'spark.hadoop.fs.viewfs.overload.scheme.target.foo.impl': 'org.apache.hadoop.fs.LocalFileSystem',
  };

  expect(fields({ 'spark.files': 'foo://x/var/run/secrets/*/*', ...settings })).toEqual(Object.keys(settings));
});

test.each([
  ['spark.kubernetes.file.upload.path', 'file:///tmp/uploads'],
  ['spark.hadoop.fs.viewfs.overload.scheme.target.s3a.impl', 'org.apache.hadoop.fs.s3a.S3AFileSystem'],
  ['spark.hadoop.fs.foo.impl', ' org.apache.hadoop.fs.RawLocalFileSystem '],
  ['spark.hadoop.fs.a.b.impl', 'org.apache.hadoop.hdfs.ViewDistributedFileSystem'],
  ['spark.hadoop.fs.foo.impl', 'org.apache.hadoop.fs.viewfs.NflyFSystem'],
  ['spark.hadoop.fs.foo.impl', 'org.apache.hadoop.hive.ql.io.ProxyLocalFileSystem'],
  ['spark.hadoop.fs.AbstractFileSystem.foo.impl', 'org.apache.hadoop.fs.local.RawLocalFs'],
  ['spark.hadoop.fs.azure.account.oauth.provider.type', ' org.apache.hadoop.fs.azurebfs.oauth2.WorkloadIdentityTokenProvider'],
  ['spark.hadoop.fs.azure.account.oauth.provider.type.me.dfs.core.windows.net', 'org.apache.hadoop.fs.azurebfs.oauth2.MsiTokenProvider'],
  ['spark.hadoop.fs.azure.account.oauth2.msi.authority', 'https://any.example/'],
  ['spark.hadoop.fs.azure.account.oauth2.msi.endpoint.me.dfs.core.windows.net', 'https://any.example/'],
  ['spark.hadoop.fs.adl.oauth2.access.token.provider.type', 'MSI'],
  ['spark.hadoop.fs.gs.storage.root.url', 'https://any.example/'],
  ['spark.hadoop.fs.gs.token.server.url', 'https://any.example/'],
])('%s = %s is refused, if storage is opened', (key, value) => {
  expect(fields({ [key]: value, ...PATTERN })).toEqual([key]);
  expect(fields({ [key]: value })).toEqual([]);
});

test.each([
  ['spark.kubernetes.file.upload.path', 's3a://bucket/uploads'],
  ['spark.hadoop.fs.s3a.impl', 'org.apache.hadoop.fs.s3a.S3AFileSystem'],
  ['spark.hadoop.fs.gs.impl', 'com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem'],
  ['spark.hadoop.fs.AbstractFileSystem.gs.impl', 'com.google.cloud.hadoop.fs.gcs.GoogleHadoopFS'],
  ['spark.hadoop.fs.abfss.impl', 'org.apache.hadoop.fs.azurebfs.SecureAzureBlobFileSystem'],
  ['spark.hadoop.fs.azure.account.oauth.provider.type', 'org.apache.hadoop.fs.azurebfs.oauth2.ClientCredsTokenProvider'],
  ['spark.hadoop.fs.adl.oauth2.access.token.provider.type', 'ClientCredential'],
])('%s = %s may be used', (key, value) => {
  expect(fields({ [key]: value, ...PATTERN })).toEqual([]);
});
