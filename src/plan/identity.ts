import { createHash } from 'node:crypto';
import { DRIVER_SERVICE_SUFFIX, resourceNamePrefix } from './names';
import type { DriverSpec } from '../api/spark-pod';
import { DRIVER_POD_NAME } from '../model/spec-facts';

/** What tells one submission of one application from all others. */
export interface SubmissionKey {
  /** `metadata.uid` of the application: a new application of the same name has another. */
  readonly uid: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id of the submission (a UUID), as in `status.submissionID`. */
  readonly submissionID: string;
  /** `metadata.generation` of the application: what was created of an earlier specification must not be taken for what this one needs. */
  readonly generation: number;
  /** Version of the defaults of the cluster that were applied, for the same reason. @default - none */
  readonly defaultsVersion?: string;
}

/**
 * Names and ids of what a submission creates. They follow from the submission alone: whoever repeats a submission that was
 * interrupted arrives at the same names, and finds what is there already.
 */
export interface SubmissionIdentity {
  /** Spark's id of the application: `spark-` and the submission id without dashes. */
  readonly applicationId: string;
  /** What the names of the created objects start with. */
  readonly resourcePrefix: string;
  /** Name of the driver's Service. */
  readonly serviceName: string;
  /** Name of the ConfigMap with the driver's properties. */
  readonly configMapName: string;
  /** Where the driver keeps temporary files unless `spark.local.dir` says otherwise. */
  readonly localDirectory: string;
}

/** Derives the names and ids of a submission. */
export function submissionIdentity(applicationName: string, key: SubmissionKey): SubmissionIdentity {
  const digest = createHash('sha256').update(`${key.uid}/${key.attempt}/${key.submissionID}/${key.generation}${key.defaultsVersion === undefined ? '' : `/${key.defaultsVersion}`}`).digest('hex');
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

/** Spark's id of an application that is submitted natively: `spark-` and the submission id without dashes. */
export function applicationIdOf(submissionID: string): string {
  return `spark-${submissionID.replaceAll('-', '')}`;
}

/** 32 hexadecimal digits in the form of a UUID, as Spark writes the directory. */
function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** An application, as far as its driver's name goes. */
export interface NamedApplication {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly driver: Pick<DriverSpec, 'podName'>;
    readonly sparkConf?: { readonly [DRIVER_POD_NAME]?: string };
  };
}

/**
 * The name of the driver's Pod, which is the same for each attempt: `driver.podName`, else the Spark property, else
 * `<application>-driver`.
 */
export function driverPodName(application: NamedApplication): string {
  return driverPodNameAndField(application).name;
}

/** The name of the driver's Pod and the field that decides it. */
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
