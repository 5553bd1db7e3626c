import fc from 'fast-check';
import type { Properties } from './properties';
import { anyText, labelName, labelValue, word } from './texts';

/** A volume as Spark's properties describe it, without the prefix. */
interface VolumeProperties {
  readonly type: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string | undefined>>;
}

const sizeLimit = fc.constantFrom('1Gi', '500M', '1024', '2T', '1.5Gi', '1e9', '0.5Gi', '10000000000');
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const mount = fc.record({
  'mount.readOnly': option(fc.constantFrom('true', 'false', 'TRUE')),
  'mount.subPath': option(fc.constantFrom('sub', 'a/b', '')),
});

/** Only Spark 4 knows it, and refuses it beside `mount.subPath`. */
const mountExpression = fc.record({ 'mount.readOnly': option(fc.constantFrom('true', 'false', 'TRUE')), 'mount.subPathExpr': option(fc.constantFrom('$(A)/b', 'x')) });

const OPTIONS: Readonly<Record<string, fc.Arbitrary<VolumeProperties['options']>>> = {
  hostPath: fc.record({ 'options.path': fc.constantFrom('/host', '/dev/x y'), 'options.type': option(fc.constantFrom('', 'Directory', 'DirectoryOrCreate', 'File')) }),
  emptyDir: fc.record({ 'options.medium': option(fc.constantFrom('Memory', '', 'HugePages')), 'options.sizeLimit': option(sizeLimit) }),
  nfs: fc.record({ 'options.path': fc.constantFrom('/export', '/'), 'options.server': fc.constantFrom('nfs.example', '10.0.0.1') }),
  persistentVolumeClaim: fc.record({
    'options.claimName': fc.constantFrom('OnDemand', 'my-claim', 'OnDemand-x', 'SPARK_EXECUTOR_ID-claim'),
    'options.storageClass': option(fc.constantFrom('fast', '')),
    'options.sizeLimit': option(sizeLimit),
  }),
};

const custom = fc.tuple(fc.constantFrom('label.', 'annotation.'), labelName, fc.oneof(labelValue, anyText))
  .map(([prefix, name, value]) => ({ [prefix + name]: value }));

const volume: fc.Arbitrary<Omit<VolumeProperties, 'name'>> = fc.constantFrom(...Object.keys(OPTIONS)).chain((type) => fc.record({
  type: fc.constant(type),
  options: fc.tuple(OPTIONS[type]!, fc.oneof(mount, mountExpression), type === 'persistentVolumeClaim' ? fc.oneof(custom, fc.constant({})) : fc.constant({}))
    .map(([own, mounted, labels]) => ({ ...own, ...mounted, ...labels })),
}));

/** Volumes of the driver, each mounted somewhere else; some have the names by which Spark finds local directories. */
export const driverVolumes: fc.Arbitrary<Properties> = fc.uniqueArray(
  fc.tuple(fc.constantFrom('data', 'scratch', 'v-1', 'spark-local-dir-1', 'spark-local-dir-x', 'checkpoints'), volume), { minLength: 1, maxLength: 5, selector: ([name]) => name },
).chain((volumes) => word.map((where) => Object.fromEntries(volumes.flatMap(([name, { type, options }], index) => (
  Object.entries({ 'mount.path': `/mnt/${where}/${index}`, ...options })
    .flatMap(([option_, value]) => (value === undefined ? [] : [[`spark.kubernetes.driver.volumes.${type}.${name}.${option_}`, value]]))
)))));
