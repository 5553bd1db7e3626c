import { UsageError } from '../../text/usage-error';
import { allOf, lastOf, type SubmitLine } from './command-line';
import { OPTION_PROPERTIES } from './options';
import type { Environment, PropertiesFile } from './properties-files';

/** Spark property, and where it comes from. */
export interface Setting {
  readonly value: string;
  /** Words for messages, such as `--driver-memory` or `spark.ui.port in spark-defaults.conf`. */
  readonly origin: string;
}

/** Submission as spark-submit understands it. */
export interface SubmitRequest {
  /** The application: a path or a URI. */
  readonly resource: string;
  readonly mainClass?: string;
  readonly arguments: readonly string[];
  readonly proxyUser?: string;
  /** Name for users: that of the option, else the class, else the file. */
  readonly name: string;
  /** The Spark properties that apply. All keys begin with `spark.`. */
  readonly properties: ReadonlyMap<string, Setting>;
  /** Notes on options and properties without effect. */
  readonly notes: readonly string[];
}

/** Options that the launcher of spark-submit turns into `--conf`, so that the last one applies. */
const LAUNCHER_OPTIONS = ['driver-memory', 'driver-java-options', 'driver-class-path', 'driver-library-path'] as const;

/** Other properties and variables that apply if the command line and files do not set one. */
const FALLBACKS: readonly (readonly [property: string, others: readonly string[]])[] = [
  ['spark.master', ['$MASTER']],
  ['spark.submit.deployMode', ['$DEPLOY_MODE']],
  ['spark.driver.memory', ['$SPARK_DRIVER_MEMORY']],
  ['spark.executor.memory', ['$SPARK_EXECUTOR_MEMORY']],
  ['spark.executor.cores', ['$SPARK_EXECUTOR_CORES']],
  ['spark.kerberos.keytab', ['spark.yarn.keytab']],
  ['spark.kerberos.principal', ['spark.yarn.principal']],
];

/**
 * Combines a command line, files and variables with the precedence of spark-submit: options, then
 * `--conf`, then files, then variables. Sources: SparkSubmitCommandBuilder, SparkSubmitArguments
 * and SparkSubmit.prepareSubmitEnvironment.
 *
 * @throws {UsageError} if spark-submit would reject it
 */
export function requestOf(line: SubmitLine, files: readonly PropertiesFile[], environment: Environment): SubmitRequest {
  refuseOtherActions(line);
  const { resource, arguments: args } = line;
  if (resource === undefined) {
    throw new UsageError('the application is missing; name a jar, a Python file or an R file after the options');
  }
  const properties = new Map<string, Setting>();
  const notes: string[] = [];
  const set = (key: string, setting: Setting) => {
    if (key.startsWith('spark.')) properties.set(key, setting);
    else notes.push(`${setting.origin} has no effect: Spark only takes properties that start with spark.`);
  };
  for (const { path, properties: read } of files.toReversed()) {
    for (const [key, value] of read) set(key, { value, origin: `${key} in ${path}` });
  }
  const launcher: readonly string[] = LAUNCHER_OPTIONS;
  for (const { name, value } of line.options) {
    if (name === 'conf') set(...confOf(value));
    else if (launcher.includes(name)) set(propertyOf(name), { value, origin: `--${name}` });
  }
  for (const name of Object.keys(OPTION_PROPERTIES) as (keyof typeof OPTION_PROPERTIES)[]) {
    const value = launcher.includes(name) ? undefined : lastOf(line, name);
    if (value !== undefined) set(propertyOf(name), { value, origin: `--${name}` });
  }
  for (const [property, others] of FALLBACKS) {
    if (properties.has(property)) continue;
    const setting = others.map((other) => otherOf(other, properties, environment)).find((found) => found !== undefined);
    if (setting) properties.set(property, setting);
  }
  const mainClass = lastOf(line, 'class');
  const proxyUser = lastOf(line, 'proxy-user');
  check(properties, proxyUser);
  return {
    resource, mainClass, arguments: args, proxyUser, properties,
    name: properties.get('spark.app.name')?.value ?? mainClass ?? resource.replace(/\/+$/, '').replace(/^.*\//s, ''),
    notes: [...notes, ...ineffective(line)],
  };
}

function confOf(text: string): readonly [key: string, setting: Setting] {
  const equals = text.indexOf('=');
  if (equals < 0) throw new UsageError(`--conf ${text}: it has no =; write --conf KEY=VALUE`);
  const key = text.slice(0, equals);
  return [key, { value: text.slice(equals + 1), origin: `--conf ${key}` }];
}

function propertyOf(name: string): string {
  return OPTION_PROPERTIES[name as keyof typeof OPTION_PROPERTIES]!;
}

function otherOf(other: string, properties: ReadonlyMap<string, Setting>, environment: Environment): Setting | undefined {
  if (!other.startsWith('$')) return properties.get(other);
  const value = environment[other.slice(1)];
  return value ? { value, origin: other } : undefined;
}

const NO_EFFECT = {
  'queue': 'it is for YARN; queues of batch schedulers are in spec.batchSchedulerOptions',
  'total-executor-cores': 'it is for a standalone cluster; use --num-executors and --executor-cores',
  'supervise': 'it is for a standalone cluster; spec.restartPolicy restarts an application',
} as const;

function ineffective(line: SubmitLine): string[] {
  return Object.entries(NO_EFFECT).flatMap(([name, reason]) => (
    allOf(line, name as keyof typeof NO_EFFECT).length > 0 ? [`--${name} has no effect: ${reason}`] : []
  ));
}

const OTHER_ACTIONS = {
  kill: 'sparkctl submit only submits; stop an application with sparkctl suspend or sparkctl delete',
  status: 'sparkctl submit only submits; sparkctl status prints the state of an application',
  remote: 'it is for clients of Spark Connect; run the client itself, or omit the option to run a driver in the cluster',
} as const;

function refuseOtherActions(line: SubmitLine): void {
  for (const [name, reason] of Object.entries(OTHER_ACTIONS)) {
    const value = lastOf(line, name as keyof typeof OTHER_ACTIONS);
    if (value !== undefined) throw new UsageError(`--${name} ${value}: ${reason}`);
  }
}

const COUNTS = ['spark.driver.cores', 'spark.executor.cores', 'spark.executor.instances'] as const;
const SIZES = ['spark.driver.memory', 'spark.executor.memory'] as const;

function check(properties: ReadonlyMap<string, Setting>, proxyUser: string | undefined): void {
  const refuse = ({ origin, value }: Setting, reason: string) => { throw new UsageError(`${origin} ${value}: ${reason}`); };
  const given = (key: string, test: (setting: Setting) => void) => {
    const setting = properties.get(key);
    if (setting) test(setting);
  };
  const isDynamic = properties.get('spark.dynamicAllocation.enabled')?.value.toLowerCase() === 'true';
  for (const key of COUNTS) {
    given(key, (setting) => {
      const isCount = /^\+?\d{1,10}$/.test(setting.value) && Number(setting.value) > 0 && Number(setting.value) < 2 ** 31;
      if (!isCount && !(isDynamic && key === 'spark.executor.instances')) refuse(setting, 'write a whole number of at least 1');
    });
  }
  for (const key of SIZES) {
    given(key, (setting) => {
      if (!/^\s*0*[1-9]\d*(b|[kmgtp]i?b?)?\s*$/i.test(setting.value)) refuse(setting, 'write a size such as 512m or 4g');
    });
  }
  given('spark.submit.deployMode', (setting) => {
    if (setting.value === 'client') {
      refuse(setting, 'the driver would run on this machine, where sparkctl has no Spark; omit it, and the driver runs in the cluster');
    }
    if (setting.value !== 'cluster') refuse(setting, 'write cluster');
  });
  given('spark.master', (setting) => {
    if (!/^k8s:\/\/./.test(setting.value)) refuse(setting, 'sparkctl submits to Kubernetes; omit it, or write k8s:// and the URL of the API server');
  });
  given('spark.remote', (setting) => refuse(setting, OTHER_ACTIONS.remote));
  given('spark.kerberos.principal', (setting) => {
    if (proxyUser !== undefined) refuse(setting, `spark-submit does not combine it with --proxy-user ${proxyUser}; omit one of them`);
  });
}
