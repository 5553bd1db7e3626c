import { SubmissionError } from '../errors';
import { NO_RESOURCE } from '../properties/main-application';
import type { MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';

/** What spark-submit is to be told. */
export interface SparkSubmitInput {
  /** The Spark properties, as `sparkProperties` makes them. */
  readonly properties: ReadonlySparkProperties;
  /** What the driver runs. */
  readonly application: MainApplication;
  /** The API server, as `masterUrl` makes it. */
  readonly master: string;
  /** Files with the pod templates. */
  readonly templates?: PodTemplatePaths;
}

/** Where the pod templates are, as absolute paths; undefined: there is none. */
export interface PodTemplatePaths {
  readonly driver?: string;
  readonly executor?: string;
}

/** What the arguments themselves say, or what only confuses spark-submit when it is set twice. */
const SAID_OTHERWISE = new Set(['spark.app.name', 'spark.master', 'spark.submit.deployMode']);

const WAIT = 'spark.kubernetes.submission.waitAppCompletion';

/**
 * The arguments of spark-submit, in the order of kubeflow/spark-operator's. Each `--conf` stands there once, by its key;
 * dependencies are properties, too, which means the same to spark-submit as its options for them. It never waits for the
 * application to end, whatever `sparkConf` says. Pure.
 *
 * The first argument that is no option ends spark-submit's options, so that nothing of the user's may look like one before it.
 *
 * @throws SubmissionError if spark-submit would take a value for something else
 */
export function sparkSubmitArguments({ properties, application, master, templates }: SparkSubmitInput): string[] {
  refuseAmbiguity(application);
  const conf = confOf(properties, templates);
  const name = properties.get('spark.app.name');
  return [
    '--master', master,
    '--deploy-mode', 'cluster',
    ...(application.mainClass ? ['--class', application.mainClass] : []),
    ...(name === undefined ? [] : ['--name', name]),
    ...[...conf].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
    ...(application.proxyUser ? ['--proxy-user', application.proxyUser] : []),
    application.resource,
    ...application.arguments,
  ];
}

/** Maximum number of bytes of an argument, with its end (MAX_ARG_STRLEN of Linux). */
const MAX_ARGUMENT = 128 * 1024;

function rejectLong(argument: string, field: string): void {
  if (Buffer.byteLength(argument) >= MAX_ARGUMENT) {
    throw new SubmissionError({ field, reason: 'is too long for a command line, which holds 128 KiB a word', remedy: 'move it into a file' });
  }
}

/**
 * The API server for `--master`, from the variables that Kubernetes sets in each pod; undefined outside of one. An IPv6 address
 * gets brackets.
 */
export function masterUrl(environment: { readonly [name: string]: string | undefined }): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) {
    return undefined;
  }
  return `k8s://https://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

function confOf(properties: ReadonlySparkProperties, templates: PodTemplatePaths = {}): Map<string, string> {
  const conf = new Map<string, string>();
  for (const [key, value] of properties.entries()) {
    if (!key.startsWith('spark.') || SAID_OTHERWISE.has(key)) {
      continue; // spark-submit ignores other keys, with a warning
    }
    refuseUnclearProperty(key, value, properties.fieldOf(key));
    conf.set(key, value);
  }
  conf.set(WAIT, 'false');
  for (const role of ['driver', 'executor'] as const) {
    const path = templates[role];
    if (path !== undefined) {
      setTemplate(conf, properties, role, path);
    }
  }
  return conf;
}

/** The container that the customisation is about; Spark takes the first one if there is none of this name. */
const CONTAINERS = { driver: 'spark-kubernetes-driver', executor: 'spark-kubernetes-executor' };

function setTemplate(conf: Map<string, string>, properties: ReadonlySparkProperties, role: 'driver' | 'executor', path: string): void {
  const key = `spark.kubernetes.${role}.podTemplateFile`;
  if (conf.get(key)) {
    throw new SubmissionError({
      field: properties.fieldOf(key),
      value: conf.get(key),
      reason: "is not used: the operator gives spark-submit a template of its own, with the application's fields",
      remedy: `write the template into spec.${role}.template`,
    });
  }
  conf.set(key, path);
  const container = `spark.kubernetes.${role}.podTemplateContainerName`;
  conf.set(container, conf.get(container) ?? CONTAINERS[role]);
}

/** spark-submit splits at the first `=`: with one in its key, a property would set another one. A program's argument ends at a NUL. */
function refuseUnclearProperty(key: string, value: string, field: string): void {
  if (/[=\s\0]/.test(key)) {
    throw new SubmissionError({ field, reason: "has a blank or '=' in its name, which spark-submit does not understand", remedy: 'correct the name' });
  }
  if (value.includes('\0')) {
    throw new SubmissionError({ field, reason: 'holds a NUL character', remedy: 'remove it' });
  }
  rejectLong(`${key}=${value}`, field);
}

/**
 * With one of these as main class, spark-submit looks for options among the arguments of the application, too
 * (SparkSubmitCommandBuilder.specialClasses), and they could have it run the application inside the operator. In cluster mode it
 * runs none of them.
 */
const SPECIAL_CLASSES = new Set([
  'org.apache.spark.repl.Main',
  'org.apache.spark.sql.application.ConnectRepl',
  'org.apache.spark.sql.connect.service.SparkConnectServer',
  'org.apache.spark.sql.hive.thriftserver.HiveThriftServer2',
  'org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver',
]);

function refuseAmbiguity({ resource, mainClass, proxyUser, arguments: args }: MainApplication): void {
  if (mainClass !== undefined && SPECIAL_CLASSES.has(mainClass)) {
    throw new SubmissionError({
      field: 'spec.mainClass', value: mainClass, reason: 'is not run by spark-submit in cluster mode', remedy: 'write a class of your own that calls it',
    });
  }
  // Neither an option nor one of the words that start a shell, such as pyspark-shell-main.
  if (resource !== NO_RESOURCE && !/^([a-z][a-z0-9+.-]+:|\/)/i.test(resource)) {
    throw new SubmissionError({
      field: 'spec.mainApplicationFile',
      value: resource,
      reason: 'is neither a URI nor an absolute path',
      remedy: 'write a URI such as local:///opt/app.py',
    });
  }
  if ([resource, mainClass ?? '', proxyUser ?? '', ...args].some(text => text.includes('\0'))) {
    throw new SubmissionError({ field: 'spec.arguments', reason: 'hold a NUL character', remedy: 'remove it' });
  }
  args.forEach((arg, index) => rejectLong(arg, `spec.arguments[${index}]`));
}
