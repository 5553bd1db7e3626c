import { refuseDeniedConf, sparkConfField } from './denied-conf';
import { refuseDeniedOptions } from './denied-options';
import { setDependencies } from './dependencies';
import { SubmissionError } from '../errors';
import { applicationIdOf, driverPodNameAndField } from '../identity';
import { DRIVER_POD_NAME } from '../../model/spec-facts';
import type { MainApplication } from './main-application';
import { mainApplication } from './main-resource';
import { monitoringWarnings, setMonitoringProperties } from './monitoring';
import { operatorLabels, setEach, setPodProperties } from './pod-properties';
import { STOP_AT_FIRST, type Steps } from '../problems';
import type { Role } from './role';
import { SparkProperties } from './spark-conf';
import { type Problem, withoutEffect } from '../../model/problem';
import { setWebUIProperties } from './web-ui';
import type { DynamicAllocationSpec } from '../../api/dynamic-allocation';
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../../api/labels';
import { DeployMode, type SparkApplicationSpec } from '../../api/spark-application';
import { isSubdomain } from '../../rules/names';
import { setTemplateProperties } from '../pods/template-properties';

/** A SparkApplication, as far as its submission goes. */
export interface SubmittedApplication {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    /** Counts the versions of the specification. */
    readonly generation?: number;
    readonly labels?: { readonly [name: string]: string };
    readonly annotations?: { readonly [name: string]: string };
  };
  readonly spec: SparkApplicationSpec;
}

/** Which submission of an application. */
export interface Submission {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id of the submission: a UUID, the one in `status.submissionID`. */
  readonly submissionID: string;
  /** The operator's format of URLs under which web UIs are reached; none if it makes no Service for them. */
  readonly webUIUrlFormat?: string;
  /** The operator's labels of all that belongs to it. @default - those of an application */
  readonly labels?: { readonly [name: string]: string };
}

/** What spark-submit would be told about an application. */
export interface SubmissionProperties {
  /** The Spark properties. */
  readonly properties: SparkProperties;
  /** What the driver runs. */
  readonly application: MainApplication;
  /** What the user wrote without the effect that it seems to have. */
  readonly warnings: readonly Problem[];
}

/** The API server as a driver reaches it: Spark's default of `spark.kubernetes.driver.master`. */
const MASTER = 'k8s://https://kubernetes.default.svc';

const WAIT_FOR_COMPLETION = 'spark.kubernetes.submission.waitAppCompletion';

/** Who sets what users have no field for. */
const OPERATOR = 'the operator';

/**
 * Translates an application into Spark properties. What comes later wins: fields that are defaults in Spark's eyes, then
 * `sparkConf`, then all other fields; last, defaults for what nobody set. The order is that of kubeflow/spark-operator's
 * arguments for spark-submit.
 *
 * @throws SubmissionError if the application cannot be submitted as it is written
 */
export function sparkProperties(application: SubmittedApplication, submission: Submission, steps: Steps = STOP_AT_FIRST): SubmissionProperties {
  const { metadata, spec } = application;
  const sparkConf = spec.sparkConf ?? {};
  refuseDeniedConf(sparkConf, metadata.namespace, steps);
  refuseDeniedOptions(spec, metadata.namespace, steps);

  const properties = new SparkProperties();
  setWhatSparkConfOverrides(properties, application);
  for (const [key, value] of Object.entries(sparkConf)) {
    properties.set(key, value, sparkConfField(key));
  }
  setWebUIProperties(properties, application, submission.webUIUrlFormat, applicationIdOf(submission.submissionID));
  properties.set('spark.app.name', metadata.name, 'metadata.name');
  // The image of each role wins over this one in any case.
  if (spec.image) {
    properties.set('spark.kubernetes.container.image', spec.image, 'spec.image');
  }
  properties.set(WAIT_FOR_COMPLETION, 'false', OPERATOR);
  setEach(properties, 'spark.hadoop.', spec.hadoopConf, 'spec.hadoopConf');
  setDependencies(properties, spec.deps);
  properties.set('spark.master', MASTER, OPERATOR);
  setDriver(properties, application, submission, steps);
  steps.attempt(() => setExecutor(properties, application, submission));
  setEach(properties, 'spark.kubernetes.node.selector.', spec.nodeSelector, 'spec.nodeSelector');
  setDynamicAllocation(properties, spec.dynamicAllocation);
  setExecutorDefault(properties);
  steps.attempt(() => setMonitoringProperties(properties, application));
  for (const role of ['driver', 'executor'] as const) {
    setTemplateProperties(properties, { role, spec: spec[role], application: spec, container: templateContainerName(properties, role) });
  }
  steps.attempt(() => refuseMissingExecutorImage(properties));

  const main = mainApplication(spec);
  return {
    properties,
    application: { ...main.application, ...(spec.proxyUser ? { proxyUser: spec.proxyUser } : {}) },
    warnings: [...properties.overridden, ...ineffectiveFields(spec), ...monitoringWarnings(application), ...(main.warning ? [main.warning] : [])],
  };
}

/** By which name Spark looks for its container in a template: the property's, else that which it gives it itself. */
export function templateContainerName(properties: SparkProperties, role: Role): string {
  return properties.get(`spark.kubernetes.${role}.podTemplateContainerName`) ?? (role === 'driver' ? DRIVER_CONTAINER : EXECUTOR_CONTAINER);
}

/** Settings of the whole application which `sparkConf` may refine. */
function setWhatSparkConfOverrides(properties: SparkProperties, { metadata, spec }: SubmittedApplication): void {
  const set = (key: string, value: string | undefined, field: string) => {
    if (value) {
      properties.set(key, value, field);
    }
  };
  set('spark.kubernetes.namespace', metadata.namespace, 'metadata.namespace');
  set('spark.kubernetes.container.image.pullPolicy', spec.imagePullPolicy, 'spec.imagePullPolicy');
  set('spark.kubernetes.container.image.pullSecrets', spec.imagePullSecrets?.join(','), 'spec.imagePullSecrets');
  set('spark.kubernetes.pyspark.pythonVersion', spec.pythonVersion, 'spec.pythonVersion');
  set('spark.kubernetes.memoryOverheadFactor', spec.memoryOverheadFactor, 'spec.memoryOverheadFactor');
}

function setDriver(properties: SparkProperties, application: SubmittedApplication, submission: Submission, steps: Steps): void {
  const { metadata, spec } = application;
  const podName = driverPodNameAndField(application);
  steps.attempt(() => refuseInvalidPodName(podName.name, podName.field));
  properties.set(DRIVER_POD_NAME, podName.name, podName.field);
  steps.attempt(() => setPodProperties(properties, {
    role: 'driver',
    spec: spec.driver,
    image: spec.image,
    volumes: spec.volumes ?? [],
    applicationLabels: metadata.labels ?? {},
    operatorLabels: submission.labels ?? operatorLabels({ ...metadata, ...submission }),
  }));
  if (spec.driver.kubernetesMaster) {
    properties.set('spark.kubernetes.driver.master', spec.driver.kubernetesMaster, 'spec.driver.kubernetesMaster');
  }
  setEach(properties, 'spark.kubernetes.driver.service.label.', spec.driver.serviceLabels, 'spec.driver.serviceLabels');
  setEach(properties, 'spark.kubernetes.driver.service.annotation.', spec.driver.serviceAnnotations, 'spec.driver.serviceAnnotations');
}

function setExecutor(properties: SparkProperties, { metadata, spec }: SubmittedApplication, submission: Submission): void {
  const { instances, deleteOnTermination } = spec.executor;
  setPodProperties(properties, {
    role: 'executor',
    spec: spec.executor,
    image: spec.image,
    volumes: spec.volumes ?? [],
    applicationLabels: metadata.labels ?? {},
    operatorLabels: submission.labels ?? operatorLabels({ ...metadata, ...submission }),
  });
  if (instances !== undefined) {
    properties.set('spark.executor.instances', String(instances), 'spec.executor.instances');
  }
  if (deleteOnTermination !== undefined) {
    properties.set('spark.kubernetes.executor.deleteOnTermination', String(deleteOnTermination), 'spec.executor.deleteOnTermination');
  }
}

/** Without `enabled: true` the other fields say nothing, and `sparkConf` decides. */
function setDynamicAllocation(properties: SparkProperties, allocation: DynamicAllocationSpec | undefined): void {
  if (!allocation?.enabled) {
    return;
  }
  const set = (key: string, field: keyof DynamicAllocationSpec, value: number | boolean | undefined) => {
    if (value !== undefined) {
      properties.set(`spark.dynamicAllocation.${key}`, String(value), `spec.dynamicAllocation.${field}`);
    }
  };
  set('enabled', 'enabled', true);
  set('initialExecutors', 'initialExecutors', allocation.initialExecutors);
  set('minExecutors', 'minExecutors', allocation.minExecutors);
  set('maxExecutors', 'maxExecutors', allocation.maxExecutors);
  set('shuffleTracking.enabled', 'shuffleTrackingEnabled', allocation.shuffleTrackingEnabled ?? true);
  set('shuffleTracking.timeout', 'shuffleTrackingTimeout', allocation.shuffleTrackingTimeout);
}

/** One executor, unless the user or dynamic allocation decides. Spark's own default is two. */
function setExecutorDefault(properties: SparkProperties): void {
  if (properties.get('spark.dynamicAllocation.enabled')?.trim().toLowerCase() !== 'true') {
    properties.setIfMissing('spark.executor.instances', '1', 'spec.executor.instances');
  }
}

/** What Spark sets itself for each submission, whatever it is told (KubernetesDriverBuilder's steps, SparkSubmit). */
const SET_BY_SPARK: readonly string[] = [
  'spark.app.id', 'spark.driver.host', 'spark.submit.deployMode', 'spark.kubernetes.submitInDriver', 'spark.kubernetes.resource.type',
];

/** What is written but says nothing. */
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
      ? [{ ...withoutEffect('spec.mode', ': the driver of an application always runs in a Pod of its own, as in cluster mode'), severity: 'warning' as const }]
      : []),
    ...(dynamicAllocation && !dynamicAllocation.enabled && Object.keys(dynamicAllocation).some(name => name !== 'enabled')
      ? [withoutEffect('spec.dynamicAllocation', ' without enabled: true')]
      : []),
    ...(['failureRetries', 'retryInterval'] as const).flatMap(field => (
      spec[field] === undefined ? [] : [{ ...withoutEffect(`spec.${field}`, ': spec.restartPolicy decides'), severity: 'warning' as const }]
    )),
  ];
}

/** The driver would find out only after it has started. */
function refuseMissingExecutorImage(properties: SparkProperties): void {
  if (!properties.get('spark.kubernetes.executor.container.image') && !properties.get('spark.kubernetes.container.image')) {
    throw new SubmissionError({
      field: 'spec.image', reason: 'is missing, and spec.executor.image too', remedy: 'name the image of driver and executors, such as apache/spark:4.1.1',
    });
  }
}

/** A name in `sparkConf` has been checked by nobody. */
function refuseInvalidPodName(name: string, field: string): void {
  if (!isSubdomain(name)) {
    throw new SubmissionError({
      field, value: name, reason: 'does not make the name of a Pod', remedy: "write at most 253 lower-case letters, digits, '-' and '.'",
    });
  }
}
