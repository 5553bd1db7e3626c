import type { Severity } from '../model/problem';

/** Differences between Spark's versions in the objects of a driver, and in spark-submit's input. */
export interface SparkFeatures {
  /**
   * Label values can contain `{{APP_ID}}` and `{{EXECUTOR_ID}}` (4.0); annotation values can in
   * every version.
   */
  readonly idsInLabels: boolean;
  /**
   * `spark.driver.minMemoryOverhead` has an effect (4.0); before, the minimum overhead is always
   * 384 MiB.
   */
  readonly minMemoryOverhead: boolean;
  /** Volumes can have `mount.subPathExpr` (4.0). */
  readonly subPathExpr: boolean;
  /** Volumes of type `hostPath` can have `options.type` (4.0). */
  readonly hostPathType: boolean;
  /** Created claims can have labels and annotations of users (4.0). */
  readonly claimLabels: boolean;
  /** Volumes smaller than 1 KiB are rejected (4.0). */
  readonly volumeSizeCheck: boolean;
  /**
   * Claims are for one pod by default, not for one node (4.0: the default of
   * `spark.kubernetes.legacy.useReadWriteOnceAccessMode`).
   */
  readonly readWriteOncePod: boolean;
  /** Driver and Service have a port for Spark Connect (4.1, SPARK-52193). */
  readonly connectPort: boolean;
  /** The image can contain `{{SPARK_VERSION}}` (4.1). */
  readonly versionInImage: boolean;
  /** `spark.kubernetes.driver.pod.excludedFeatureSteps` has an effect (4.1). */
  readonly excludedFeatureSteps: boolean;
  /** `spark.kubernetes.pyspark.pythonVersion` is ignored (4.1); before, it has to be 3. */
  readonly anyPythonVersion: boolean;
  /** The Service declares gRPC for the Spark Connect port (4.2, SPARK-56275). */
  readonly connectAppProtocol: boolean;
  /**
   * A NetworkPolicy restricts connections to executors to their own application (4.2, SPARK-55653).
   */
  readonly networkPolicy: boolean;
  /** Sizes can have the units of Kubernetes, such as `4Gi` and `4GiB` (4.2). */
  readonly binaryUnits: boolean;
  /**
   * The driver's container sets whether it can gain privileges; by default it cannot (4.3,
   * SPARK-57493).
   */
  readonly allowPrivilegeEscalation: boolean;
  /**
   * The Service sets whether it publishes a driver that is not ready; by default it does not (4.3,
   * SPARK-58113).
   */
  readonly publishNotReadyAddresses: boolean;
  /** `SPARK_USER` is the proxy user as written (4.3); before, its Kerberos realm is removed. */
  readonly wholeProxyUser: boolean;
}

/** A version of Spark and its features. */
export interface SparkVersion {
  /**
   * The version as written, such as `4.1.1` or `4.1.1-amzn-0`. It can be any text: see
   * `sparkVersionLabel`.
   */
  readonly text: string;
  /** Features of this version. */
  readonly features: SparkFeatures;
  /**
   * A warning if the features are those of another version: the rest of a sentence that starts with
   * the field.
   */
  readonly warning?: string;
  /** Severity of the warning. @default 'warning' */
  readonly severity?: Severity;
}

/**
 * The first version with each feature, compared with the classes of 3.5.8, 4.0.2, 4.1.1, 4.2.1 and
 * 4.3.0.
 */
const SINCE: { readonly [feature in keyof SparkFeatures]: readonly [major: number, minor: number] } = {
  idsInLabels: [4, 0],
  minMemoryOverhead: [4, 0],
  subPathExpr: [4, 0],
  hostPathType: [4, 0],
  claimLabels: [4, 0],
  volumeSizeCheck: [4, 0],
  readWriteOncePod: [4, 0],
  connectPort: [4, 1],
  versionInImage: [4, 1],
  excludedFeatureSteps: [4, 1],
  anyPythonVersion: [4, 1],
  connectAppProtocol: [4, 2],
  networkPolicy: [4, 2],
  binaryUnits: [4, 2],
  allowPrivilegeEscalation: [4, 3],
  publishNotReadyAddresses: [4, 3],
  wholeProxyUser: [4, 3],
};

/** The first version whose drivers start with the current container arguments. */
const FIRST_ON_KUBERNETES = [3, 0] as const;

const OLDEST = [3, 5] as const;
const NEWEST = [4, 3] as const;

/**
 * A version, such as `4.1`, `4.1.1`, `v4.1.1` or `4.1.1-amzn-0`. Only the first two numbers matter.
 */
const VERSION = /^v?(\d{1,6})\.(\d{1,6})(?!\d)/i;

/**
 * Reads a version of Spark. It rejects nothing: the version is often wrong, and rarely matters.
 * Versions before 3.5 have the features of 3.5. Unknown later versions, and invalid ones, have
 * those of the newest known version.
 */
export function parseSparkVersion(text: string): SparkVersion {
  const match = VERSION.exec(text.trim());
  const [major, minor] = match ? [Number(match[1]), Number(match[2])] : NEWEST;
  const since = ([sinceMajor, sinceMinor]: readonly [number, number]) => (
    major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
  );
  const features = Object.fromEntries(Object.entries(SINCE).map(([feature, first]) => [feature, since(first)])) as unknown as SparkFeatures;

  const is = `is ${JSON.stringify(text)},`;
  if (!match) {
    return {
      text, features, severity: 'ineffective',
      warning: `${is} not a version of Spark: the driver is created as by Spark ${NEWEST.join('.')}; `
        + 'write the version in the image, such as 4.1.1',
    };
  }
  if (!since(OLDEST)) {
    const severity = since(FIRST_ON_KUBERNETES) ? undefined : 'ineffective';
    return {
      text, features, severity, warning: `${is} older than all known versions: the driver is created as by Spark ${OLDEST.join('.')}`,
    };
  }
  if (since(NEWEST) && (major !== NEWEST[0] || minor !== NEWEST[1])) {
    return { text, features, warning: `${is} newer than all known versions: the driver is created as by Spark ${NEWEST.join('.')}` };
  }
  if (text !== text.trim() || /^v/i.test(text)) {
    return {
      text, features, severity: 'ineffective',
      warning: `${is} not how Spark writes its version; write ${text.trim().replace(/^v/i, '')}`,
    };
  }
  return { text, features };
}

/** The maximum length of a label value in Kubernetes. */
const MAX_LABEL_LENGTH = 63;

/**
 * Returns the version as a label value: the text without invalid characters. Empty if nothing is
 * left, which is also valid.
 */
export function sparkVersionLabel({ text }: SparkVersion): string {
  return text.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '').slice(0, MAX_LABEL_LENGTH).replace(/[^A-Za-z0-9]+$/, '');
}
