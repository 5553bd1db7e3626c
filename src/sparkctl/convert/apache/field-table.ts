import type { ConversionNote } from '../specification';

/** Field of Apache's SparkApplication below `spec`, and what becomes of it. */
export interface ApacheField {
  /**
   * Path below `spec`. `[]` is an entry of a list. The content of Kubernetes' structs has no rows.
   */
  readonly path: string;
  /** Its counterpart, for docs/migrate/from-apache.md. @default - none */
  readonly becomes?: string;
  /** Note on each use of a field without a counterpart: the rest of a sentence, with the remedy. */
  readonly note?: { readonly severity: ConversionNote['severity']; readonly message: string };
}

const dropped = (path: string, message: string): ApacheField => ({ path, note: { severity: 'note', message: `is dropped: ${message}` } });
const lost = (path: string, message: string): ApacheField => ({ path, note: { severity: 'warning', message: `is dropped: ${message}` } });

const TOLERATIONS = 'applicationTolerations';
const RESTART = `${TOLERATIONS}.restartConfig`;
const TIMEOUTS = `${TOLERATIONS}.applicationTimeoutConfig`;
const INSTANCES = `${TOLERATIONS}.instanceConfig`;
const SERVICE = 'a Service of its own in the output; the driver is selected by this operator\'s labels';

/**
 * Counts of executors. One row of the page describes all three; each message has the whole reason.
 */
const counted = (path: string): ApacheField => ({
  ...lost(path, 'this operator does not count the executors of an application; a batch scheduler starts it when there is room for all, '
    + 'and spark.scheduler.minRegisteredResourcesRatio makes Spark wait for them'),
  becomes: 'none: see [numbers of executors](#without-a-counterpart)',
});

/**
 * All fields of the SparkApplication of spark.apache.org, v1 and v1beta1, as of
 * apache/spark-kubernetes-operator d5acafd (August 2026). The conversion and the table of
 * docs/migrate/from-apache.md derive from it.
 */
export const APACHE_FIELDS: readonly ApacheField[] = [
  // The program.
  { path: 'mainClass', becomes: '`mainClass`; dropped if it is `org.apache.spark.deploy.PythonRunner`' },
  { path: 'jars', becomes: '`mainApplicationFile`: the last; the others: `deps.jars`. Without a program: `spark-internal`' },
  { path: 'pyFiles', becomes: '`mainApplicationFile`: the first; `deps.pyFiles`. Ignored with `jars`, as there' },
  { path: 'sparkRFiles', becomes: '`mainApplicationFile`. Ignored with `jars` or `pyFiles`, as there' },
  { path: 'files', becomes: '`deps.files`, with a warning: Apache\'s operator ignores the field' },
  { path: 'driverArgs', becomes: '`arguments`' },
  { path: 'proxyUser', becomes: '`proxyUser`' },
  { path: 'deploymentMode', becomes: '`mode: cluster`. `ClientMode` too, with a warning: Apache\'s operator fails it' },
  { path: 'runtimeVersions.sparkVersion', becomes: '`sparkVersion`' },
  dropped('runtimeVersions.scalaVersion', 'neither operator uses it; the image has the version of Scala'),
  dropped('runtimeVersions.jdkVersion', 'neither operator uses it; the image has the version of Java'),

  // Settings.
  { path: 'sparkConf', becomes: '`sparkConf`, [with exceptions](#spark-properties)' },
  { path: 'driverSpec.podTemplateSpec', becomes: '`driver.template`' },
  { path: 'executorSpec.podTemplateSpec', becomes: '`executor.template`' },

  // Restarts and ends.
  { path: `${RESTART}.restartPolicy`, becomes: '`restartPolicy.type`; `OnInfrastructureFailure`: `OnFailure` for failed submissions only' },
  {
    path: `${RESTART}.maxRestartAttempts`,
    becomes: '`restartPolicy.onFailureRetries`, `onSubmissionFailureRetries`; `Always` has no limit here',
  },
  { path: `${RESTART}.maxRestartOnFailure`, becomes: 'the lower of both: `restartPolicy.onFailureRetries`' },
  { path: `${RESTART}.maxRestartOnSchedulingFailure`, becomes: 'the lower of both: `restartPolicy.onSubmissionFailureRetries`' },
  { path: `${RESTART}.restartBackoffMillis`, becomes: '`restartPolicy.onFailureRetryInterval`, and `backoff`, so that it does not grow' },
  { path: `${RESTART}.restartBackoffMillisForFailure`, becomes: '`restartPolicy.onFailureRetryInterval`' },
  { path: `${RESTART}.restartBackoffMillisForSchedulingFailure`, becomes: '`restartPolicy.onSubmissionFailureRetryInterval`' },
  lost(
    `${RESTART}.restartCounterResetMillis`,
    'this operator counts retries from the first attempt; raise restartPolicy.onFailureRetries, or write type: Always',
  ),
  { path: `${TOLERATIONS}.ttlAfterStopMillis`, becomes: '`timeToLiveSeconds`; a negative value is dropped, as it means for ever' },
  {
    path: `${TOLERATIONS}.resourceRetainPolicy`,
    becomes: 'nothing: the driver\'s Pod always stays until the application is deleted. `Always` also keeps executors\' Pods',
  },
  lost(
    `${TOLERATIONS}.resourceRetainDurationMillis`,
    'the driver\'s Pod stays until the application is deleted; timeToLiveSeconds deletes both',
  ),

  // Timeouts and thresholds.
  lost(`${TIMEOUTS}.driverStartTimeoutMillis`, 'it is the operator\'s --driver-start-timeout here, 5 minutes by default, for all applications'),
  lost(`${TIMEOUTS}.driverReadyTimeoutMillis`, 'a driver that runs has no such timeout here; activeDeadlineSeconds limits the whole attempt'),
  lost(
    `${TIMEOUTS}.executorStartTimeoutMillis`,
    'executors have no such timeout here; activeDeadlineSeconds limits the whole attempt, and a batch scheduler starts all or none',
  ),
  dropped(`${TIMEOUTS}.forceTerminationGracePeriodMillis`, 'this operator force-deletes no Pod of an application; pods have terminationGracePeriodSeconds'),
  dropped(`${TIMEOUTS}.terminationRequeuePeriodMillis`, 'this operator chooses when it retries a request'),
  counted(`${INSTANCES}.initExecutors`),
  counted(`${INSTANCES}.minExecutors`),
  counted(`${INSTANCES}.maxExecutors`),

  // Objects other than the driver.
  { path: 'configMapSpecs[].name', becomes: 'a ConfigMap of its own in the output' },
  { path: 'configMapSpecs[].labels', becomes: 'its labels' },
  { path: 'configMapSpecs[].annotations', becomes: 'its annotations' },
  { path: 'configMapSpecs[].data', becomes: 'its data' },
  { path: 'driverServiceIngressList[].serviceMetadata', becomes: SERVICE },
  { path: 'driverServiceIngressList[].serviceSpec', becomes: 'its specification' },
  { path: 'driverServiceIngressList[].ingressMetadata', becomes: 'an Ingress of its own in the output' },
  { path: 'driverServiceIngressList[].ingressSpec', becomes: 'its specification; without rules: all paths to the first port' },
  { path: 'driverHttpRouteList[].serviceMetadata', becomes: SERVICE },
  { path: 'driverHttpRouteList[].serviceSpec', becomes: 'its specification' },
  { path: 'driverHttpRouteList[].httpRouteMetadata', becomes: 'an HTTPRoute of its own in the output' },
  { path: 'driverHttpRouteList[].httpRouteSpec', becomes: 'its specification; without rules: all paths to the first port' },
  { path: 'driverGrpcRouteList[].serviceMetadata', becomes: SERVICE },
  { path: 'driverGrpcRouteList[].serviceSpec', becomes: 'its specification' },
  { path: 'driverGrpcRouteList[].grpcRouteMetadata', becomes: 'a GRPCRoute of its own in the output' },
  { path: 'driverGrpcRouteList[].grpcRouteSpec', becomes: 'its specification; without rules: all calls to the first port' },
];

/** A field that an application uses. */
export interface UsedField {
  /** Path from `spec`, with the indexes of lists. */
  readonly path: string;
  /** Its row; undefined for a field that Apache's API server drops. */
  readonly row: ApacheField | undefined;
}

/** Returns the fields of a specification that have a row, or that Apache's CRDs do not have. */
export function usedFields(spec: unknown): UsedField[] {
  return fieldsBelow(spec, '', 'spec');
}

function fieldsBelow(value: unknown, pattern: string, path: string): UsedField[] {
  const row = APACHE_FIELDS.find((each) => each.path === pattern);
  if (row) return value === null ? [] : [{ path, row }];
  if (Array.isArray(value)) return value.flatMap((each, index) => fieldsBelow(each, `${pattern}[]`, `${path}[${index}]`));
  if (pattern !== '' && !APACHE_FIELDS.some((each) => each.path.startsWith(`${pattern}.`) || each.path.startsWith(`${pattern}[]`))) {
    return [{ path, row }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => fieldsBelow(each, pattern ? `${pattern}.${name}` : name, `${path}.${name}`));
}
