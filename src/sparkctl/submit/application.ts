import { apiVersionOf } from '../../api/kind';
import { SPARK_APPLICATION, SparkApplicationType } from '../../api/spark-application';
import type { Path } from '../../plan/paths';
import type { ManifestObject } from '../manifests/read';
import { fieldValueOf } from './field-values';
import type { Setting, SubmitRequest } from './request';

/** SparkApplication for a submission. */
export interface SubmittedApplication {
  readonly object: ManifestObject;
  /** Where each value comes from, by its field, such as `spec.driver.memory`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Notes on properties that have no effect. */
  readonly notes: readonly string[];
}

/** Values of a SparkApplication that are no Spark properties. */
export interface ApplicationFacts {
  readonly name: string;
  /** @default - that of the cluster */
  readonly namespace?: string;
  readonly sparkVersion: string;
  /** Pod templates by the property that names their file. */
  readonly templates?: ReadonlyMap<string, unknown>;
}

/** Number of executors without a setting (SchedulerBackendUtils). The operator's default is 1. */
const EXECUTORS = 2;

/** Properties that the command itself uses. */
const USED: readonly string[] = [
  'spark.master', 'spark.submit.deployMode', 'spark.app.name', 'spark.kubernetes.namespace', 'spark.kubernetes.context',
  'spark.kubernetes.submission.waitAppCompletion', 'spark.kubernetes.file.upload.path',
];

/** Properties for the login of spark-submit to the API server. */
const LOGIN = 'spark.kubernetes.authenticate.submission.';

/** Fields with a pod template, by the property that names its file. */
export const TEMPLATES: ReadonlyMap<string, Path> = new Map([
  ['spark.kubernetes.driver.podTemplateFile', ['driver', 'template']],
  ['spark.kubernetes.executor.podTemplateFile', ['executor', 'template']],
]);

/**
 * Returns the SparkApplication that does what spark-submit would do. A property becomes the field
 * that sets it, by the table of fields, and otherwise an entry of `sparkConf`. Pure.
 */
export function submittedApplication(request: SubmitRequest, facts: ApplicationFacts): SubmittedApplication {
  const { resource, mainClass, proxyUser } = request;
  const properties = new Map([...request.properties].filter(([key]) => !USED.includes(key) && !key.startsWith(LOGIN)));
  const origins = new Map<string, string>([['spec.mainApplicationFile', 'the application'], ['spec.mainClass', '--class'], ['metadata.name', '--name']]);
  const isOn = ([field, name]: Path) => properties.get(`spark.${field}.${name}`)?.value === 'true';
  const sparkConf: Record<string, string> = {};
  const fields: Record<string, unknown> = { driver: {}, executor: {} };
  for (const [key, { value, origin }] of [...properties].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const template = TEMPLATES.get(key);
    const field = template ? { path: template, value: facts.templates?.get(key) } : fieldValueOf(key, value, isOn);
    if (field) {
      put(fields, field.path, field.value);
      origins.set(`spec.${field.path.join('.')}`, origin);
    } else {
      sparkConf[key] = value;
      origins.set(`spec.sparkConf[${key}]`, origin);
    }
  }
  if (!properties.has('spark.executor.instances') && !isOn(['dynamicAllocation', 'enabled'])) put(fields, ['executor', 'instances'], EXECUTORS);
  const { deps, driver, executor, image, ...others } = fields;
  return {
    object: {
      apiVersion: apiVersionOf(SPARK_APPLICATION),
      kind: SPARK_APPLICATION.kind,
      metadata: { name: facts.name, ...(facts.namespace !== undefined && { namespace: facts.namespace }) },
      spec: {
        type: typeOf(resource),
        sparkVersion: facts.sparkVersion,
        ...(image !== undefined && { image }),
        ...(mainClass !== undefined && { mainClass }),
        mainApplicationFile: resource,
        ...(request.arguments.length > 0 && { arguments: request.arguments }),
        ...(deps !== undefined && { deps }),
        ...(Object.keys(sparkConf).length > 0 && { sparkConf }),
        ...others,
        ...(proxyUser !== undefined && { proxyUser }),
        driver,
        executor,
      },
    } as unknown as ManifestObject,
    origins,
    notes: [...request.properties].filter(([key]) => key.startsWith(LOGIN)).map(([, setting]) => loginNote(setting)),
  };
}

function loginNote({ origin }: Setting): string {
  return `${origin} has no effect: sparkctl logs in by the kubeconfig`;
}

function typeOf(resource: string): SparkApplicationType {
  if (resource.endsWith('.py')) return SparkApplicationType.PYTHON;
  return /\.R$/i.test(resource) ? SparkApplicationType.R : SparkApplicationType.JAVA;
}

/** Sets a value at a path, whose objects are created. */
function put(target: Record<string, unknown>, [name, ...others]: Path, value: unknown): void {
  if (others.length === 0) {
    target[name!] = value;
    return;
  }
  put((target[name!] ??= {}) as Record<string, unknown>, others, value);
}
