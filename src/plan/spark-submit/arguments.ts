import { SubmissionError } from '../errors';
import { checkArgument } from '../properties/check-arguments';
import { NO_RESOURCE } from '../properties/main-application';
import type { MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';

/** The input for the arguments of spark-submit. */
export interface SparkSubmitInput {
  /** The Spark properties, from `sparkProperties`. */
  readonly properties: ReadonlySparkProperties;
  /** The main application of the driver. */
  readonly application: MainApplication;
  /** URL of the API server, with the prefix `k8s://`. */
  readonly master: string;
  /** Files with the pod templates. */
  readonly templates?: PodTemplatePaths;
}

/** Absolute paths of the pod templates; undefined if there is none. */
export interface PodTemplatePaths {
  readonly driver?: string;
  readonly executor?: string;
}

/**
 * Properties that the arguments set themselves, or that confuse spark-submit when they occur twice.
 */
const SAID_OTHERWISE = new Set(['spark.app.name', 'spark.master', 'spark.submit.deployMode']);

const WAIT = 'spark.kubernetes.submission.waitAppCompletion';

/**
 * Returns the arguments of spark-submit, in the order of kubeflow/spark-operator's. Each `--conf`
 * occurs once, ordered by its key. Dependencies are also properties, which spark-submit treats like
 * its options for them. spark-submit never waits for the end of the application, whatever
 * `sparkConf` sets. Pure.
 *
 * The first argument that is no option ends spark-submit's options. So no value of the user before
 * it can look like one.
 *
 * @throws SubmissionError if spark-submit would misinterpret a value
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

/** The container to customise; Spark uses the first one if there is none of this name. */
const CONTAINERS = { driver: 'spark-kubernetes-driver', executor: 'spark-kubernetes-executor' };

function setTemplate(conf: Map<string, string>, role: 'driver' | 'executor', path: string): void {
  const key = `spark.kubernetes.${role}.podTemplateFile`;
  conf.set(key, path);
  const container = `spark.kubernetes.${role}.podTemplateContainerName`;
  conf.set(container, conf.get(container) ?? CONTAINERS[role]);
}

/**
 * Rejects ambiguous properties. spark-submit splits at the first `=`: with one in its key, a
 * property would set another one.
 */
function refuseUnclearProperty(key: string, value: string, field: string): void {
  if (/[=\s\0]/.test(key)) {
    throw new SubmissionError({
      field, reason: "has a blank or '=' in its name, which spark-submit does not understand", remedy: 'correct the name',
    });
  }
  checkArgument(`${key}=${value}`, field);
}

function refuseAmbiguity({ resource }: MainApplication): void {
  // Neither an option nor one of the words that start a shell, such as pyspark-shell-main.
  if (resource !== NO_RESOURCE && !/^([a-z][a-z0-9+.-]+:|\/)/i.test(resource)) {
    throw new SubmissionError({
      field: 'spec.mainApplicationFile',
      value: resource,
      reason: 'is neither a URI nor an absolute path',
      remedy: 'write a URI such as local:///opt/app.py',
    });
  }
}
