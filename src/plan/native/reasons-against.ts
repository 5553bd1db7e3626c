import { dependencyUris, isFileOfSubmitter, isPattern, isUri } from '../properties/dependencies';
import type { SubmissionErrorDetails } from '../errors';
import { NO_RESOURCE } from '../properties/main-application';
import type { MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';

/**
 * Reason why an application cannot be submitted in a certain way: the field, the obstacle and the
 * remedy.
 */
export type SubmissionReason = SubmissionErrorDetails;

/** Parts of a submission on which the choice of the submitter depends. */
export interface SubmitterInput {
  readonly properties: ReadonlySparkProperties;
  readonly application: MainApplication;
}

/**
 * Returns all reasons why an application cannot be submitted natively: those that make spark-submit
 * use files, logins and code of its machine. Pure.
 */
export function reasonsAgainstNative({ properties, application }: SubmitterInput): SubmissionReason[] {
  return [...mainFileReasons(application), ...dependencyReasons(properties), ...obstaclesOf(properties, 'native')];
}

/** Reason for a file on the submitting machine, which only spark-submit could read. */
export const LOCAL_FILE = {
  reason: 'is a file of your machine, which the operator cannot read',
  remedy: 'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI',
};

const NO_URI = {
  reason: 'is not a URI for Java, so Spark treats it as a file on the machine that submits',
  remedy: 'encode characters such as spaces, [ and { as %20, %5B and %7B',
};

function fileReason(uri: string): typeof LOCAL_FILE {
  return /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(uri) && !isUri(uri) ? NO_URI : LOCAL_FILE;
}

function mainFileReasons({ type, resource, mainClass }: MainApplication): SubmissionReason[] {
  const reasons: SubmissionReason[] = [];
  if (resource !== NO_RESOURCE && isFileOfSubmitter(resource)) {
    reasons.push({ field: 'spec.mainApplicationFile', value: resource, ...fileReason(resource) });
  }
  if (type === 'java' && !mainClass) {
    reasons.push({
      field: 'spec.mainClass',
      reason: 'is missing: the operator does not open the jar to look for it',
      remedy: 'name the class with the main method',
    });
  }
  return reasons;
}

function dependencyReasons(properties: ReadonlySparkProperties): SubmissionReason[] {
  return dependencyUris(properties).flatMap(({ uri, field }): SubmissionReason[] => {
    if (isFileOfSubmitter(uri)) {
      return [{ field, value: uri, ...fileReason(uri) }];
    }
    return isPattern(uri) ? [
      { field, value: uri, reason: 'is a pattern, which the operator cannot expand', remedy: 'name each file' },
    ] : [];
  });
}

/** Property that makes spark-submit do something that the operator does not do. */
interface Obstacle {
  /** Keys; one that ends in a dot is a prefix. */
  readonly keys: readonly string[];
  /** Whether the obstacle exists for a value. @default - for every value, even an empty one */
  readonly applies?: (value: string, properties: ReadonlySparkProperties) => boolean;
  readonly reason: string;
  readonly remedy: string;
  /**
   * Whether spark-submit fails as well, because the driver's service account lacks a permission.
   * @default false
   */
  readonly alsoForSparkSubmit?: true;
}

const KEYTABS = ['spark.kerberos.keytab', 'spark.yarn.keytab'];
const KRB5_FILE = 'spark.kubernetes.kerberos.krb5.path';
const TOKEN_SECRET = 'spark.kubernetes.kerberos.tokenSecret.name';

/**
 * Obstacles. Sources: the feature steps of these names, SparkSubmit.prepareSubmitEnvironment,
 * SparkKubernetesClientFactory.
 */
const OBSTACLES: readonly Obstacle[] = [
  {
    keys: ['spark.kubernetes.driver.pod.featureSteps'],
    applies: isNotBlank,
    reason: 'names code that would run inside the submitter',
    remedy: 'remove it and describe the pod in spec.driver',
  },
  {
    keys: ['spark.kubernetes.driver.podTemplateFile'],
    applies: isNotBlank, // the operator sets it
    reason: 'is a file that the submitter would read',
    remedy: 'write the template into spec.driver.template',
    alsoForSparkSubmit: true,
  },
  {
    keys: ['spark.kubernetes.executor.podTemplateFile'],
    applies: isNotBlank, // the operator sets it
    reason: 'is a file that the submitter would read',
    remedy: 'write the template into spec.executor.template',
    alsoForSparkSubmit: true,
  },
  {
    keys: [KRB5_FILE],
    applies: value => !isNotBlank(value), // KerberosConfDriverFeatureStep reads even the file of an empty path
    reason: 'names no file',
    remedy: 'remove it, or name a ConfigMap with the file in spark.kubernetes.kerberos.krb5.configMapName',
    alsoForSparkSubmit: true,
  },
  {
    keys: [KRB5_FILE],
    reason: 'is a file that the submitter would put into a ConfigMap',
    remedy: 'create the ConfigMap and name it in spark.kubernetes.kerberos.krb5.configMapName',
  },
  {
    keys: KEYTABS,
    applies: value => !value.startsWith('local:'), // Utils.isLocalUri: a path in the driver
    reason: 'is a file that the submitter would log in with and put into a Secret',
    remedy: 'mount it from a Secret and write local:///path',
    alsoForSparkSubmit: true,
  },
  {
    keys: ['spark.hadoop.hadoop.security.authentication'],
    applies: (value, properties) => value === 'kerberos' && ![...KEYTABS, TOKEN_SECRET].some(key => properties.get(key)),
    reason: 'makes the submitter fetch delegation tokens with a login of its own',
    remedy: `name a Secret with tokens in ${TOKEN_SECRET}, or mount a keytab and set spark.kerberos.keytab to local:///path`,
    alsoForSparkSubmit: true,
  },
  {
    keys: ['spark.kubernetes.authenticate.submission.'],
    applies: isNotBlank,
    reason: 'is an identity to submit with, which the operator does not use',
    remedy: 'remove it',
    alsoForSparkSubmit: true,
  },
  {
    keys: ['spark.kubernetes.context'],
    applies: isNotBlank,
    reason: 'is a context of a kubeconfig on the machine that submits',
    remedy: 'remove it',
    alsoForSparkSubmit: true,
  },
  {
    keys: ['caCertFile', 'clientCertFile', 'clientKeyFile', 'oauthToken'].map(name => `spark.kubernetes.authenticate.driver.${name}`),
    reason: 'is a credential that the submitter would put into a Secret',
    remedy: 'set spec.driver.serviceAccount, or mount it from a Secret and name its path in spark.kubernetes.authenticate.driver.mounted.*',
    alsoForSparkSubmit: true,
  },
];

function isNotBlank(value: string): boolean {
  return value.trim() !== '';
}

/**
 * Properties in which the submitter resolves references: those that it reads as entries of Spark's
 * configuration (ConfigEntry). All others reach the driver unchanged.
 */
const RESOLVED = new RegExp(`^spark\\.(${[
  'driver\\.(memoryOverhead|memoryOverheadFactor|minMemoryOverhead)',
  'kerberos\\.(keytab|principal)',
  'kubernetes\\.(driver\\.)?container\\.image',
  'kubernetes\\.(driver\\.)?scheduler\\.name',
  'kubernetes\\.(driver\\.)?securityContext\\.allowPrivilegeEscalation',
  'kubernetes\\.authenticate\\.driver\\.serviceAccountName',
  'kubernetes\\.configMap\\.maxSize',
  'kubernetes\\.container\\.image\\.(pullPolicy|pullSecrets)',
  'kubernetes\\.driver\\.(limit|request)\\.cores',
  'kubernetes\\.driver\\.pod\\.(excludedFeatureSteps|name)',
  'kubernetes\\.driver\\.podTemplateContainerName',
  'kubernetes\\.driver\\.service\\.(ipFamilies|ipFamilyPolicy|publishNotReadyAddresses)',
  'kubernetes\\.hadoop\\.configMapName',
  'kubernetes\\.kerberos\\.(krb5\\.configMapName|tokenSecret\\.(itemKey|name))',
  'kubernetes\\.legacy\\.useReadWriteOnceAccessMode',
  'kubernetes\\.local\\.dirs\\.tmpfs',
  'kubernetes\\.memoryOverheadFactor',
  'kubernetes\\.pyspark\\.pythonVersion',
  'kubernetes\\.submission\\.(connection|request)Timeout',
  'kubernetes\\.trust\\.certificates',
  'pyspark\\.(driver\\.)?python',
  'ui\\.port',
  'yarn\\.(keytab|principal|driver\\.memoryOverhead)',
].join('|')})$`);

/** Whether the submitter resolves references in a property. */
export function isResolved(key: string): boolean {
  return RESOLVED.test(key);
}

/** Returns the reasons by properties why an application cannot be submitted in one way. */
export function obstaclesOf(properties: ReadonlySparkProperties, mode: 'native' | 'spark-submit'): SubmissionReason[] {
  const obstacles = mode === 'native' ? OBSTACLES : OBSTACLES.filter(({ alsoForSparkSubmit }) => alsoForSparkSubmit);
  return properties.entries().flatMap(([key, value]): SubmissionReason[] => {
    const field = properties.fieldOf(key);
    const obstacle = obstacles.find(({ keys, applies }) => (
      keys.some(known => (known.endsWith('.') ? key.startsWith(known) : key === known)) && (applies?.(value, properties) ?? true)
    ));
    if (obstacle) {
      return [{ field, value, reason: obstacle.reason, remedy: obstacle.remedy }];
    }
    const resolved = mode === 'native' && isResolved(key) ? properties.resolved(key) : value;
    return typeof resolved === 'object' ? [{ field, value, ...resolved }] : [];
  });
}
