import { refuseDeniedConf, sparkConfField } from './denied-conf';
import { refuseUnreachableDependencies, setDependencies } from './dependencies';
import { SubmissionError } from './errors';
import { DRIVER_POD_NAME, driverPodNameAndField } from './identity';
import type { MainApplication } from './main-application';
import { mainApplication } from './main-resource';
import { operatorLabels, setEach, setPodProperties } from './pod-properties';
import { SparkProperties } from './spark-conf';
import type { DynamicAllocationSpec, SparkApplicationSpec } from '../../api/spark-application';

/** A SparkApplication, as far as its submission goes. */
export interface SubmittedApplication {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    /** Counts the versions of the specification. */
    readonly generation?: number;
    readonly labels?: { readonly [name: string]: string };
  };
  readonly spec: SparkApplicationSpec;
}

/** What spark-submit would be told about an application. */
export interface SubmissionProperties {
  /** The Spark properties. */
  readonly properties: SparkProperties;
  /** What the driver runs. */
  readonly application: MainApplication;
}

/** The API server as a driver reaches it: Spark's default of `spark.kubernetes.driver.master`. */
const MASTER = 'k8s://https://kubernetes.default.svc';

/**
 * Translates an application into Spark properties. What comes later wins: fields that are defaults in Spark's eyes, then
 * `sparkConf`, then all other fields; last, defaults for what nobody set. The order is that of kubeflow/spark-operator's
 * arguments for spark-submit.
 *
 * @throws SubmissionError if the application cannot be submitted as it is written
 */
export function sparkProperties(application: SubmittedApplication, submissionID: string): SubmissionProperties {
  const { metadata, spec } = application;
  const sparkConf = spec.sparkConf ?? {};
  refuseDeniedConf(sparkConf, metadata.namespace);

  const properties = new SparkProperties();
  setWhatSparkConfOverrides(properties, application);
  for (const [key, value] of Object.entries(sparkConf)) {
    properties.set(key, value, sparkConfField(key));
  }
  setEach(properties, 'spark.hadoop.', spec.hadoopConf, 'spec.hadoopConf');
  setDependencies(properties, spec.deps);
  properties.set('spark.master', MASTER, 'spec');
  setDriver(properties, application, submissionID);
  setExecutor(properties, application, submissionID);
  setEach(properties, 'spark.kubernetes.node.selector.', spec.nodeSelector, 'spec.nodeSelector');
  setDynamicAllocation(properties, spec.dynamicAllocation);
  setExecutorDefault(properties);

  refuseUnreachableDependencies(properties);
  refuseMissingExecutorImage(properties);
  return { properties, application: mainApplication(spec) };
}

function setWhatSparkConfOverrides(properties: SparkProperties, { metadata, spec }: SubmittedApplication): void {
  const set = (key: string, value: string | undefined, field: string) => {
    if (value) {
      properties.set(key, value, field);
    }
  };
  set('spark.app.name', metadata.name, 'metadata.name');
  set('spark.kubernetes.namespace', metadata.namespace, 'metadata.namespace');
  set('spark.kubernetes.container.image', spec.image, 'spec.image');
  set('spark.kubernetes.container.image.pullPolicy', spec.imagePullPolicy, 'spec.imagePullPolicy');
  set('spark.kubernetes.container.image.pullSecrets', spec.imagePullSecrets?.join(','), 'spec.imagePullSecrets');
  set('spark.kubernetes.memoryOverheadFactor', spec.memoryOverheadFactor, 'spec.memoryOverheadFactor');
  set('spark.kubernetes.submission.waitAppCompletion', 'false', 'spec');
}

function setDriver(properties: SparkProperties, application: SubmittedApplication, submissionID: string): void {
  const { metadata, spec } = application;
  const podName = driverPodNameAndField(application);
  refuseInvalidPodName(podName.name, podName.field);
  properties.set(DRIVER_POD_NAME, podName.name, podName.field);
  setPodProperties(properties, {
    role: 'driver',
    spec: spec.driver,
    image: spec.image,
    environmentPrefix: 'spark.kubernetes.driverEnv.',
    applicationLabels: metadata.labels ?? {},
    operatorLabels: operatorLabels(metadata.name, submissionID),
  });
  if (spec.driver.serviceAccount) {
    properties.set('spark.kubernetes.authenticate.driver.serviceAccountName', spec.driver.serviceAccount, 'spec.driver.serviceAccount');
  }
}

function setExecutor(properties: SparkProperties, { metadata, spec }: SubmittedApplication, submissionID: string): void {
  const { instances, serviceAccount, deleteOnTermination } = spec.executor;
  setPodProperties(properties, {
    role: 'executor',
    spec: spec.executor,
    image: spec.image,
    environmentPrefix: 'spark.executorEnv.',
    applicationLabels: metadata.labels ?? {},
    operatorLabels: operatorLabels(metadata.name, submissionID),
  });
  if (instances !== undefined) {
    properties.set('spark.executor.instances', String(instances), 'spec.executor.instances');
  }
  if (serviceAccount) {
    properties.set('spark.kubernetes.authenticate.executor.serviceAccountName', serviceAccount, 'spec.executor.serviceAccount');
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
}

/** One executor, unless the user or dynamic allocation decides. Spark's own default is two. */
function setExecutorDefault(properties: SparkProperties): void {
  if (properties.get('spark.dynamicAllocation.enabled')?.trim().toLowerCase() !== 'true') {
    properties.setIfMissing('spark.executor.instances', '1', 'spec.executor.instances');
  }
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
  if (name.length > 253 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)) {
    throw new SubmissionError({
      field, value: name, reason: 'does not make the name of a Pod', remedy: "write at most 253 lower-case letters, digits, '-' and '.'",
    });
  }
}
