import { NAMESPACE, refuseDeniedConf, sparkConfField } from './denied-conf';
import { refuseDeniedOptions } from './denied-options';
import { SubmissionError } from '../errors';
import { applicationIdOf } from '../../model/application-id';
import { driverPodNameAndField } from '../identity';
import { setFastStart } from './fast-start';
import { DRIVER_POD_NAME } from '../../model/spec-facts';
import type { MainApplication } from './main-application';
import { mainApplication } from './main-resource';
import { monitoringWarnings, setMonitoringProperties } from './monitoring';
import { operatorLabels, setLabels } from './labels';
import { setLocalDirVolumes } from './local-dir-properties';
import { STOP_AT_FIRST, type Steps } from '../problems';
import { ROLES, type Role } from './role';
import { setSecrets } from './secret-properties';
import { setFields, setOverriddenFields } from './set-fields';
import { OPERATOR, SparkProperties } from './spark-conf';
import { type Problem, withoutEffect } from '../../model/problem';
import { setWebUIProperties } from './web-ui';
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../../api/labels';
import { DeployMode, type SparkApplicationSpec } from '../../api/spark-application';
import { withoutExecutorOnly } from '../../model/executor-only';
import { isSubdomain } from '../../rules/names';
import { setTemplateProperties } from '../pods/template-properties';

/** Parts of a SparkApplication for its submission. */
export interface SubmittedApplication {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    /** Generation of the specification. */
    readonly generation?: number;
    readonly labels?: { readonly [name: string]: string };
    readonly annotations?: { readonly [name: string]: string };
  };
  readonly spec: SparkApplicationSpec;
}

/** Identity of a submission of an application. */
export interface Submission {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Submission ID: a UUID, as in `status.submissionID`. */
  readonly submissionID: string;
  /** The operator's format of web UIs' URLs; none if it creates no Service for them. */
  readonly webUIUrlFormat?: string;
  /** See `SubmissionSettings`. @default false */
  readonly partialRestart?: boolean;
  /** The operator's labels of objects of this submission. @default - those of an application */
  readonly labels?: { readonly [name: string]: string };
}

/** Arguments of spark-submit for an application. */
export interface SubmissionProperties {
  /** The Spark properties. */
  readonly properties: SparkProperties;
  /** Program of the driver. */
  readonly application: MainApplication;
  /** Fields without the effect that users expect. */
  readonly warnings: readonly Problem[];
}

/** Address of the API server for drivers: Spark's default of `spark.kubernetes.driver.master`. */
const MASTER = 'k8s://https://kubernetes.default.svc';

const WAIT_FOR_COMPLETION = 'spark.kubernetes.submission.waitAppCompletion';

/**
 * Translates an application into Spark properties. Later ones take precedence: first fields that
 * are defaults for Spark, then `sparkConf`, then all other fields, and last the operator's
 * defaults. The order is that of kubeflow/spark-operator's arguments for spark-submit.
 *
 * @throws SubmissionError if the application cannot be submitted
 */
export function sparkProperties(
  application: SubmittedApplication, submission: Submission, steps: Steps = STOP_AT_FIRST,
): SubmissionProperties {
  const { metadata, spec } = application;
  const sparkConf = spec.sparkConf ?? {};
  refuseDeniedConf(sparkConf, metadata.namespace, steps);
  refuseDeniedOptions(spec, metadata.namespace, steps);

  const properties = new SparkProperties();
  properties.set(NAMESPACE, metadata.namespace, 'metadata.namespace');
  setOverriddenFields(properties, spec);
  for (const [key, value] of Object.entries(sparkConf)) {
    // Another namespace was refused above.
    if (key !== NAMESPACE) properties.set(key, value, sparkConfField(key));
  }
  setWebUIProperties(properties, application, submission.webUIUrlFormat, applicationIdOf(submission.submissionID));
  properties.set('spark.app.name', metadata.name, 'metadata.name');
  // The image of each role always takes precedence over this one.
  if (spec.image) {
    properties.set('spark.kubernetes.container.image', spec.image, 'spec.image');
  }
  properties.set(WAIT_FOR_COMPLETION, 'false', OPERATOR);
  properties.set('spark.master', MASTER, OPERATOR);
  const podName = driverPodNameAndField(application);
  steps.attempt(() => refuseInvalidPodName(podName.name, podName.field));
  properties.set(DRIVER_POD_NAME, podName.name, podName.field);
  setFields(properties, spec);
  for (const role of ROLES) {
    steps.attempt(() => setPod(properties, role, application, submission));
  }
  setExecutorDefault(properties);
  steps.attempt(() => setMonitoringProperties(properties, application));
  for (const role of ROLES) {
    const isLeft = role === 'executor' && submission.partialRestart;
    setTemplateProperties(properties, {
      role, spec: isLeft ? withoutExecutorOnly(spec.executor) : spec[role], application: spec,
      container: templateContainerName(properties, role),
    });
  }

  const fastStartWarnings = setFastStart(properties, spec);

  const main = mainApplication(spec);
  return {
    properties,
    application: { ...main.application, ...(spec.proxyUser ? { proxyUser: spec.proxyUser } : {}) },
    warnings: [
      ...properties.overridden, ...ineffectiveFields(spec), ...monitoringWarnings(application), ...fastStartWarnings,
      ...(main.warning ? [main.warning] : []),
    ],
  };
}

/**
 * Returns the name by which Spark finds its container in a template: the property's, otherwise
 * Spark's own.
 */
export function templateContainerName(properties: SparkProperties, role: Role): string {
  return properties.get(`spark.kubernetes.${role}.podTemplateContainerName`) ?? (role === 'driver' ? DRIVER_CONTAINER : EXECUTOR_CONTAINER);
}

/**
 * Sets the properties of a pod that depend on several fields.
 *
 * @throws SubmissionError if the volume of a local directory is missing
 */
function setPod(properties: SparkProperties, role: Role, { metadata, spec }: SubmittedApplication, submission: Submission): void {
  const { labels, secrets = [], volumeMounts = [] } = spec[role];
  setLabels(properties, role, {
    ofApplication: metadata.labels, ofPod: labels, ofOperator: submission.labels ?? operatorLabels({ ...metadata, ...submission }),
  });
  setSecrets(properties, role, secrets);
  setLocalDirVolumes(properties, role, volumeMounts, spec.volumes ?? []);
}

/**
 * Sets the default of one executor, unless the user or dynamic allocation sets a number. Spark's
 * default is two.
 */
function setExecutorDefault(properties: SparkProperties): void {
  if (properties.get('spark.dynamicAllocation.enabled')?.trim().toLowerCase() !== 'true') {
    properties.setIfMissing('spark.executor.instances', '1', 'spec.executor.instances');
  }
}

/**
 * Properties that Spark sets for each submission, whatever their value is
 * (KubernetesDriverBuilder's steps, SparkSubmit).
 */
const SET_BY_SPARK: readonly string[] = [
  'spark.app.id', 'spark.driver.host', 'spark.submit.deployMode', 'spark.kubernetes.submitInDriver', 'spark.kubernetes.resource.type',
];

/** Returns warnings about fields without effect. */
function ineffectiveFields(spec: SparkApplicationSpec): Problem[] {
  const { dynamicAllocation } = spec;
  return [
    ...Object.keys(spec.sparkConf ?? {}).flatMap((key): Problem[] => {
      if (!key.startsWith('spark.')) {
        return [withoutEffect(sparkConfField(key), ': Spark only takes properties that start with spark.')];
      }
      return SET_BY_SPARK.includes(key) ? [withoutEffect(sparkConfField(key), ': Spark sets it for each submission')] : [];
    }),
    // Manifests of older versions of kubeflow/spark-operator have these.
    ...(spec.mode === DeployMode.CLIENT
      ? [{
        ...withoutEffect('spec.mode', ': the driver of an application always runs in its own Pod, as in cluster mode'),
        severity: 'warning' as const,
      }]
      : []),
    ...(dynamicAllocation && !dynamicAllocation.enabled && Object.keys(dynamicAllocation).some(name => name !== 'enabled')
      ? [{
        ...withoutEffect('spec.dynamicAllocation', ' without enabled: true'),
        ...(dynamicAllocation.enabled === false && { severity: 'warning' as const }),
      }]
      : []),
    ...(['failureRetries', 'retryInterval'] as const).flatMap(field => (
      spec[field] === undefined
        ? []
        : [{ ...withoutEffect(`spec.${field}`, ': spec.restartPolicy takes precedence'), severity: 'warning' as const }]
    )),
  ];
}

/** Checks the name of the Pod: no rule checks one in `sparkConf`. */
function refuseInvalidPodName(name: string, field: string): void {
  if (!isSubdomain(name)) {
    throw new SubmissionError({
      field, value: name, reason: 'is not a valid name of a Pod', remedy: "write at most 253 lower-case letters, digits, '-' and '.'",
    });
  }
}
