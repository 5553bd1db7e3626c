import { SubmissionError } from './errors';

/** What differs between Spark's versions in the objects that are created for a driver. */
export interface SparkFeatures {
  /** Label values may hold `{{APP_ID}}` and `{{EXECUTOR_ID}}` (4.0); annotation values may in every version. */
  readonly idsInLabels: boolean;
  /** `spark.driver.minMemoryOverhead` is honoured (4.0); before, the least overhead is always 384 MiB. */
  readonly minMemoryOverhead: boolean;
  /** Driver and Service have a port for Spark Connect (4.1, SPARK-52193). */
  readonly connectPort: boolean;
  /** The image may hold `{{SPARK_VERSION}}` (4.1). */
  readonly versionInImage: boolean;
  /** The Service says that the Spark Connect port speaks gRPC (4.2, SPARK-56275). */
  readonly connectAppProtocol: boolean;
  /** The driver's container says whether it may gain privileges; by default it may not (4.3, SPARK-57493). */
  readonly allowPrivilegeEscalation: boolean;
  /** The Service says whether it publishes a driver that is not ready; by default it does not (4.3, SPARK-58113). */
  readonly publishNotReadyAddresses: boolean;
}

/** A version of Spark and what it does. */
export interface SparkVersion {
  /** The version as written, such as `4.1.1` or `4.1.1-amzn-0`. */
  readonly text: string;
  /** The first number. */
  readonly major: number;
  /** The second number. */
  readonly minor: number;
  /** What this version does. A version newer than all that are known does what the newest known one does. */
  readonly features: SparkFeatures;
}

/** The oldest version whose objects native submission builds. */
const OLDEST = { major: 3, minor: 4 };

/** `4.1`, `4.1.1`, `4.1.1-amzn-0`, `3.5.1.0`; ends in a letter or digit, as it becomes a label value. */
const VERSION = /^(\d{1,4})\.(\d{1,4})(\.\d{1,4})?([-.]([0-9A-Za-z.-]*[0-9A-Za-z]))?$/;

/** A label value of Kubernetes is at most this long. */
const MAX_LABEL_LENGTH = 63;

/**
 * Reads a version of Spark.
 *
 * @throws SubmissionError if the text is no version, or older than 3.4
 */
export function parseSparkVersion(text: string, field = 'spec.sparkVersion'): SparkVersion {
  const match = VERSION.exec(text);
  if (!match || text.length > MAX_LABEL_LENGTH) {
    throw new SubmissionError({ field, value: text, reason: 'is not a version of Spark', remedy: 'write the version in the image, such as 4.1.1' });
  }
  const major = Number(match[1]);
  const minor = Number(match[2]);
  const since = (sinceMajor: number, sinceMinor: number) => major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
  if (!since(OLDEST.major, OLDEST.minor)) {
    throw new SubmissionError({
      field,
      value: text,
      reason: `is older than ${OLDEST.major}.${OLDEST.minor}, the oldest version that the operator submits`,
      remedy: 'use an image with a newer Spark',
    });
  }
  return {
    text,
    major,
    minor,
    features: {
      idsInLabels: since(4, 0),
      minMemoryOverhead: since(4, 0),
      connectPort: since(4, 1),
      versionInImage: since(4, 1),
      connectAppProtocol: since(4, 2),
      allowPrivilegeEscalation: since(4, 3),
      publishNotReadyAddresses: since(4, 3),
    },
  };
}
