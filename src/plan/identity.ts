import { createHash } from 'node:crypto';
import { DRIVER_SERVICE_SUFFIX, resourceNamePrefix } from './names';
import type { DriverSpec } from '../api/spark-pod';
import { applicationIdOf } from '../model/application-id';
import { DRIVER_POD_NAME } from '../model/spec-facts';

/** The key of one submission of one application. */
export interface SubmissionKey {
  /** `metadata.uid` of the application: a new application of the same name has another. */
  readonly uid: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The id of the submission (a UUID), as in `status.submissionID`. */
  readonly submissionID: string;
  /**
   * `metadata.generation` of the application: objects of an earlier specification must not be taken
   * for those of this one.
   */
  readonly generation: number;
  /** The version of the applied defaults of the cluster, for the same reason. @default - none */
  readonly defaultsVersion?: string;
}

/**
 * Names and ids of the objects of a submission. They follow from the submission alone. So a repeat
 * of an interrupted submission has the same names, and finds the objects that exist already.
 */
export interface SubmissionIdentity {
  /** Spark's id of the application: `spark-` and the submission id without dashes. */
  readonly applicationId: string;
  /** The prefix of the names of the created objects. */
  readonly resourcePrefix: string;
  /** The name of the driver's Service. */
  readonly serviceName: string;
  /** The name of the ConfigMap with the driver's properties. */
  readonly configMapName: string;
  /** The driver's folder for temporary files, unless `spark.local.dir` sets another. */
  readonly localDirectory: string;
}

/** Derives the names and ids of a submission. */
export function submissionIdentity(applicationName: string, key: SubmissionKey): SubmissionIdentity {
  const digest = createHash('sha256').update(
    `${key.uid}/${key.attempt}/${key.submissionID}/${key.generation}${key.defaultsVersion === undefined ? '' : `/${key.defaultsVersion}`}`,
  ).digest('hex');
  const id = digest.slice(0, 16);
  const resourcePrefix = resourceNamePrefix(applicationName, id);
  return {
    applicationId: applicationIdOf(key.submissionID),
    resourcePrefix,
    serviceName: `${resourcePrefix}${DRIVER_SERVICE_SUFFIX}`,
    configMapName: `spark-drv-${id}-conf-map`,
    localDirectory: `/var/data/spark-${uuidOf(digest.slice(16, 48))}`,
  };
}

/** Formats 32 hexadecimal digits as a UUID, as in Spark's name of the directory. */
function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The parts of an application that its driver's name depends on. */
export interface NamedApplication {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly driver: Pick<DriverSpec, 'podName'>;
    readonly sparkConf?: { readonly [DRIVER_POD_NAME]?: string };
  };
}

/**
 * Returns the name of the driver's Pod, which is the same for each attempt: `driver.podName`, else
 * the Spark property, else `<application>-driver`.
 */
export function driverPodName(application: NamedApplication): string {
  return driverPodNameAndField(application).name;
}

/** Returns the name of the driver's Pod and the field that sets it. */
export function driverPodNameAndField({ metadata, spec }: NamedApplication): { readonly name: string; readonly field: string } {
  if (spec.driver.podName) {
    return { name: spec.driver.podName, field: 'spec.driver.podName' };
  }
  const inSparkConf = spec.sparkConf?.[DRIVER_POD_NAME];
  if (inSparkConf) {
    return { name: inSparkConf, field: `spec.sparkConf[${DRIVER_POD_NAME}]` };
  }
  return { name: `${metadata.name}-driver`, field: 'metadata.name' };
}
