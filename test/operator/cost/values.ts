import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts of about a length, made of what some code splits, resolves, matches or compares. */
export const TEXTS: readonly ((length: number, index: number) => string)[] = [
  (length) => 'x'.repeat(length),
  (_, index) => `${index}`,
  ...[
    '${spark.x.1}', '${spark.x.2}', '${spark.driver.memory}', '${env:HOME}', '${', '$(V1)', '$(V1)$(V2)', '$(', '$$(', 'a,', ',', 'a=b,', 'a:b:c,', '/a,', '"a b" ', "'a", '\\', '-Dspark.x=y ',
    '-XX:Flags=@a ', '9', '1 ', 'a-', '-', '.', 'a.', '*', '*a', '?', '\n', '\u0000', '𝒳', 'http://a/', '{{SPARK_VERSION}}', '{{$appName}}', '{{', '%', '1g', '0', ' ', '@', '#', '[', '(', '{"a":', 'é', 'password=',
  ].map((piece) => (length: number) => piece.repeat(Math.max(1, Math.floor(length / piece.length)))),
];

/** Names of entries, by which they are the same or not. */
export const NAMES: readonly ((index: number) => string)[] = [
  () => 'a',
  () => 'V1',
  (index) => `n${index % 3}`,
  (index) => `n${index}`,
  (index) => `V${index}`,
  (index) => `V${Math.floor(index / 2)}`,
  (index) => `spark-local-dir-${index}`,
  (index) => `${'n'.repeat(200)}${index}`,
];

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Every Spark property, and every prefix of one, that the operator's sources name. */
const KNOWN_KEYS = [...new Set(sourcesIn('src').flatMap((text) => text.match(/(?<=['`])spark\.[\w.]+/g) ?? []))].sort();

/** Keys of properties: those that mean something to the operator, and others. */
export const KEYS: readonly ((index: number) => string)[] = [
  (index) => KNOWN_KEYS[index % KNOWN_KEYS.length]!,
  (index) => `${KNOWN_KEYS[index % KNOWN_KEYS.length]}${KNOWN_KEYS[index % KNOWN_KEYS.length]!.endsWith('.') ? '' : '.'}n${index}`,
  (index) => `spark.x.${index}`,
  ...['driverEnv.V', 'driver.label.l', 'driver.annotation.a', 'executor.annotation.a', 'driver.service.label.s', 'node.selector.n', 'driver.secrets.s', 'executor.secretKeyRef.K', 'driver.volumes.emptyDir.v']
    .map((prefix) => (index: number) => `spark.kubernetes.${prefix}${index}`),
  (index) => `spark.kubernetes.executor.volumes.persistentVolumeClaim.v${Math.floor(index / 8)}.${['mount.path', 'mount.subPath', 'mount.readOnly', 'options.claimName', 'options.sizeLimit', 'options.storageClass', 'label.a', 'x'][index % 8]}`,
  (index) => `spark.hadoop.fs.s3a.bucket.b${index}.endpoint`,
  (index) => `spark.executorEnv.V${index}`,
  (index) => `${'spark.'.repeat(40)}${index}`,
];
