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
  /** URL of the API server, with the prefix `k8s://`. */
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
      setTemplate(conf, role, path);
    }
  }
  return conf;
}

/** The container that the customisation is about; Spark takes the first one if there is none of this name. */
const CONTAINERS = { driver: 'spark-kubernetes-driver', executor: 'spark-kubernetes-executor' };

function setTemplate(conf: Map<string, string>, role: 'driver' | 'executor', path: string): void {
  const key = `spark.kubernetes.${role}.podTemplateFile`;
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

function refuseAmbiguity({ resource, mainClass, proxyUser, arguments: args }: MainApplication): void {
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
