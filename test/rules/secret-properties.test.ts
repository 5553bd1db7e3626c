import { secretViolations } from '../../src/rules/secret-properties';

const isRefused = (key: string, value: string) => secretViolations('hadoopConf', { [key]: value }, 'write it elsewhere').length > 0;

test.each([
  ['fs.s3a.secret.key', 'hunter2', true],
  ['spark.ssl.historyServer.keyStorePassword', 'hunter2', true],
  ['fs.azure.account.key.account.dfs.core.windows.net', 'hunter2', true],
  ['fs.azure.account.key.account', 'hunter2', true],
  ['spark.hadoop.fs.azure.account.key.account.privatelink.example.org', 'hunter2', true],
  ['fs.azure.account.keyprovider.account.dfs.core.windows.net', 'org.example.Keys', false],
  ['fs.azure.sas.container.account.blob.core.windows.net', 'sv=1&sig=abc', true],
  ['fs.azure.sas.container.account', 'sv=1&sig=abc', true],
  ['fs.azure.sas.fixed.token', 'sv=1&sig=abc', true],
  ['fs.azure.sas.token.provider.type', 'org.example.Tokens', false],
  ['fs.azure.sas.token.provider.type.account.dfs.core.windows.net', 'org.example.Tokens', false],
  ['fs.azure.sas.token.renew.period.for.streams', '120', false],
  ['fs.s3a.encryption.key', 'aHVudGVyMg==', true],
  ['fs.s3a.encryption.key', 'alias/spark/logs', false],
  ['fs.s3a.encryption.key', 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab', false],
  ['spark.hadoop.fs.s3a.bucket.logs.encryption.key', '1234abcd-12ab-34cd-56ef-1234567890ab', false],
  ['fs.s3a.server-side-encryption.key', 'mrk-1234abcd12ab34cd56ef1234567890ab', false],
  ['fs.s3a.secret.key', '1234abcd-12ab-34cd-56ef-1234567890ab', true],
  ['fs.s3a.secret.key', '${env.SECRET}', false],
  ['fs.s3a.connection.maximum', '100', false],
])('%s = %s is a secret: %p', (key, value, expected) => expect(isRefused(key, value)).toBe(expected));
