import fc from 'fast-check';
import type { CommandLine } from '../../../tools/real-spark/submit-parser';
import { anyText } from './texts';

const MASTER = 'k8s://https://api.example:6443';
/** Where `spark-defaults.conf` is looked for. */
const FOLDER = 'conf';

const size = fc.constantFrom('512m', '1g', '2G', '1024', '3gb', ' 1g ', '0', '1.5g', '-1g', '1x', '');
const count = fc.constantFrom('1', '2', '30', '0', '-1', 'x', '1.0', '+2', '');
const uri = fc.constantFrom('a.jar', 'lib/b.zip', 'local:///opt/c.jar', 'https://example.org/d.jar', 's3a://jobs/e.py', 'file:/tmp/f.py', '/abs/g.egg', 'sub/../h.txt');
const uris = fc.array(uri, { minLength: 1, maxLength: 3 }).map((list) => list.join());
const text = anyText.filter((value) => !value.includes('\0'));

/** Values of options with a value, by their name. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '--name': fc.constantFrom('etl', 'My ETL', '-x', '--class', ''),
  '--class': fc.constantFrom('org.example.Etl', 'Main'),
  '--jars': uris, '--files': uris, '--archives': fc.oneof(uris, fc.constant('lib/b.zip#folder')), '--py-files': uris,
  '--packages': fc.constantFrom('g:a:1', 'g:a:1,g:b:2'), '--exclude-packages': fc.constantFrom('g:c'), '--repositories': fc.constantFrom('https://example.org/m2'),
  '--driver-memory': size, '--executor-memory': size, '--driver-cores': count, '--executor-cores': count, '--num-executors': count, '--total-executor-cores': fc.constantFrom('4'),
  '--driver-java-options': fc.constantFrom('-Dx=y', '-Dx=y -Dz="a b"', '--conf'), '--driver-class-path': fc.constantFrom('/x', 'a:b'), '--driver-library-path': fc.constantFrom('/y'),
  '--proxy-user': fc.constantFrom('joe'), '--principal': fc.constantFrom('joe@EXAMPLE'), '--queue': fc.constantFrom('q'),
  '--properties-file': fc.constantFrom('mine.conf', 'absent.conf'),
};

const key = fc.constantFrom(
  'spark.a', 'spark.b.c', 'sparkle', 'a.b', 'spark.app.name', 'spark.executor.memory', 'spark.driver.memory', 'spark.driver.extraJavaOptions', 'spark.driver.extraClassPath', 'spark.executor.cores', 'spark.executor.instances',
  'spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives', 'spark.jars.excludes', 'spark.kerberos.principal', 'spark.yarn.principal', 'spark.dynamicAllocation.enabled', 'spark.hadoop.a', 'spark.kubernetes.namespace',
);

const valueOf = (name: string): fc.Arbitrary<string> => {
  if (/memory$/.test(name)) return size;
  if (/cores$|instances$/.test(name)) return count;
  if (/jars$|[fF]iles$|archives$/.test(name)) return uris;
  if (name === 'spark.dynamicAllocation.enabled') return fc.constantFrom('true', 'false', 'TRUE');
  return text;
};

const setting = key.chain((name) => valueOf(name).map((value) => [name, value] as const));

/** An option and its value, as two words or as one. */
const withValue = (name: string, value: string, isOneWord: boolean) => (isOneWord ? [`${name}=${value}`] : [name, value]);

/** Options that only new versions have. */
const NEW = fc.constantFrom(['--load-spark-defaults'], ['--extra-properties-file', 'mine.conf'], ['--extra-properties-file=other.conf']);

const option = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...Object.keys(VALUES)).chain((name) => fc.tuple(VALUES[name]!, fc.boolean()).map(([value, isOneWord]) => withValue(name, value, isOneWord))),
  },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('--conf', '-c'), setting, fc.boolean()).map(([name, [property, value], isOneWord]) => withValue(name, `${property}=${value}`, isOneWord && name !== '-c')) },
  { weight: 2, arbitrary: fc.constantFrom(['--verbose'], ['-v'], ['--supervise'], ['--verbose=false']) },
  { weight: 1, arbitrary: fc.constantFrom(['--unknown'], ['-x'], ['--conf', 'spark.a'], ['--name=']) },
);

const lines = fc.array(fc.tuple(setting, fc.constantFrom('=', ' ', ' = ', ':')), { maxLength: 4 })
  .map((list) => list.map(([[name, value], separator]) => `${name}${separator}${value.replace(/[\\\r\n\u2028\u2029]/g, '')}\n`).join('') + '# comment\n');

const application = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('etl.py', 'jobs/etl.py', 'local:///opt/etl.py', 's3a://jobs/etl.py', 'etl.R').map((resource) => [resource]) },
  // A class of its own: spark-submit would open the jar to find one.
  { weight: 10, arbitrary: fc.constantFrom('local:///opt/etl.jar', 'etl.jar', 'spark-internal').map((resource) => ['--class', 'org.example.Etl', resource]) },
  { weight: 1, arbitrary: fc.constantFrom([], ['--name'], ['--jars']) },
);

/** Where the master and the deploy mode come from: spark-submit needs both. */
const cluster = fc.constantFrom<Pick<CommandLine, 'argv' | 'environment'>>(
  { argv: ['--master', MASTER, '--deploy-mode', 'cluster'], environment: {} },
  { argv: [`--master=${MASTER}`, '--conf', 'spark.submit.deployMode=cluster'], environment: {} },
  { argv: ['--conf', `spark.master=${MASTER}`], environment: { DEPLOY_MODE: 'cluster' } },
  { argv: ['--deploy-mode=cluster'], environment: { MASTER } },
);

const variables = fc.record({
  SPARK_DRIVER_MEMORY: size.filter((value) => value !== ''), SPARK_EXECUTOR_MEMORY: fc.constant('7g'), SPARK_EXECUTOR_CORES: fc.constant('7'), SPARK_CONF_DIR: fc.constant(FOLDER), SPARK_HOME: fc.constant('home'),
}, { requiredKeys: [] });

/**
 * Command lines of spark-submit for Kubernetes, some of which it refuses.
 *
 * @param isNewest whether they have the options of the newest version
 */
export const commandLine = (isNewest: boolean): fc.Arbitrary<CommandLine> => fc.record({
  cluster, options: fc.array(isNewest ? fc.oneof({ weight: 5, arbitrary: option }, { weight: 1, arbitrary: NEW }) : option, { maxLength: 6 }), application, rest: fc.array(fc.oneof(text, fc.constantFrom('--conf', '-v', '--help', 'a')), { maxLength: 3 }), variables, mine: lines, other: lines, defaults: lines, ofHome: lines,
}).map(({ cluster: { argv, environment }, options, application: words, rest, variables: others, mine, other, defaults, ofHome }) => ({
  argv: [...argv, ...options.flat(), ...words, ...rest],
  environment: { ...environment, ...others },
  files: { 'mine.conf': mine, 'other.conf': other, [`${FOLDER}/spark-defaults.conf`]: defaults, 'home/conf/spark-defaults.conf': ofHome },
}));
