import { DENIED_SPARK_CONF } from '../../../api/denied-conf';
import type { OnNote } from '../specification';

/** Properties of an application. */
export type Conf = Readonly<Record<string, string>>;

/** Fields that replace properties: `sparkConf` must not set these here. */
const MOVED: Readonly<Record<string, readonly [role: 'driver' | 'executor', field: string]>> = {
  'spark.kubernetes.authenticate.driver.serviceAccountName': ['driver', 'serviceAccount'],
  'spark.kubernetes.authenticate.executor.serviceAccountName': ['executor', 'serviceAccount'],
  'spark.kubernetes.driver.master': ['driver', 'kubernetesMaster'],
};

/** Properties that Apache's operator replaces, too, and those for its submission only. */
const DROPPED: Readonly<Record<string, string>> = {
  'spark.kubernetes.namespace': 'both operators use the namespace of the application',
  'spark.app.name': 'both operators use the name of the application',
};

const TEMPLATE_FILE = /^spark\.kubernetes\.(driver|executor)\.podTemplateFile$/;
const IMAGE = /^spark\.kubernetes\..*container\.image$/;

/** Properties of Apache's operator for applications that do not set them (SparkAppSubmissionWorker). */
export const APACHE_DEFAULTS: Conf = {
  'spark.authenticate': 'true',
  'spark.io.encryption.enabled': 'true',
  'spark.kubernetes.driver.annotateExitException': 'true',
  'spark.kubernetes.executor.useDriverPodIP': 'true',
};

/** Property that Apache's operator sets to false for applications without restarts. */
export const DELETE_EXECUTORS = 'spark.kubernetes.executor.deleteOnTermination';

/** Parts of the specification on which properties depend. */
export interface ConfContext {
  readonly sparkVersion: string;
  /** Whether a role has a template, which Apache's operator prefers to a file. */
  readonly hasTemplate: Readonly<Record<'driver' | 'executor', boolean>>;
  /** Whether Pods of executors stay after the application's end. */
  readonly keepsExecutors: boolean;
  readonly isRestarted: boolean;
}

/** Properties of the converted application, and the fields that replace the others. */
export interface ConvertedConf {
  /** Changes of `sparkConf`: undefined removes a property. */
  readonly changes: Readonly<Record<string, string | undefined>>;
  /** Properties to add: Apache's defaults. */
  readonly added: Conf;
  readonly driver: Readonly<Record<string, string | number>>;
  readonly executor: Readonly<Record<string, string | number>>;
}

/** Spark's number of executors without a setting; that of this operator is 1. */
const SPARK_INSTANCES = 2;

/** Converts the properties of an application. */
export function convertConf(conf: Conf, { sparkVersion, hasTemplate, keepsExecutors, isRestarted }: ConfContext, addNote: OnNote): ConvertedConf {
  const changes: Record<string, string | undefined> = {};
  const fields: Record<'driver' | 'executor', Record<string, string | number>> = { driver: {}, executor: {} };
  for (const [key, value] of Object.entries(conf)) {
    const note = (severity: Parameters<OnNote>[0], message: string) => addNote(severity, `spec.sparkConf[${key}]`, message);
    const [, template] = TEMPLATE_FILE.exec(key) ?? [];
    const [role, field] = MOVED[key] ?? [];
    const denied = DENIED_SPARK_CONF.find((each) => each.key === key);
    if (role && field) {
      fields[role][field] = value;
      changes[key] = undefined;
    } else if (key === 'spark.master' && value.startsWith('k8s://')) {
      changes[key] = undefined;
      note('note', 'is dropped: a driver uses the API server of its own cluster');
    } else if (key === 'spark.master') {
      changes[key] = undefined;
      note('error', 'cannot be converted: applications run on Kubernetes only here; remove it, and set executor.instances');
    } else if (key === 'spark.master.url.prefix') {
      changes[key] = undefined;
      note(value === 'k8s://' ? 'note' : 'warning', 'is dropped: the cluster manager is always Spark\'s for Kubernetes here');
    } else if (denied) {
      changes[key] = undefined;
      note('error', `cannot be converted: it ${denied.reason}; ${denied.remedy}`);
    } else if (DROPPED[key] !== undefined) {
      changes[key] = undefined;
      note('note', `is dropped: ${DROPPED[key]}`);
    } else if (key === 'spark.app.id') {
      changes[key] = undefined;
      note('warning', 'is dropped: each submission has an ID of its own here, which names its objects; it is in the status');
    } else if (template && hasTemplate[template as 'driver' | 'executor']) {
      changes[key] = undefined;
      note('note', `is dropped: ${template}Spec.podTemplateSpec takes precedence over it in Apache's operator`);
    } else if (IMAGE.test(key) && value.includes('{{SPARK_VERSION}}')) {
      changes[key] = value.replaceAll('{{SPARK_VERSION}}', sparkVersion);
    }
  }
  const isDynamic = conf['spark.dynamicAllocation.enabled']?.trim().toLowerCase() === 'true';
  if (!isDynamic && conf['spark.executor.instances'] === undefined && !isLocal(conf)) fields.executor.instances = SPARK_INSTANCES;
  const defaults = { ...APACHE_DEFAULTS, ...(keepsExecutors && !isDynamic && !isRestarted && { [DELETE_EXECUTORS]: 'false' }) };
  return { ...fields, changes, added: Object.fromEntries(Object.entries(defaults).filter(([key]) => conf[key] === undefined)) };
}

/** Whether the driver runs its tasks itself. */
function isLocal(conf: Conf): boolean {
  return conf['spark.kubernetes.driver.master']?.startsWith('local') === true;
}
