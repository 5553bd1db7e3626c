import { posix } from 'node:path';
import { dependencyUris, isFileOfSubmitter } from '../properties/dependencies';
import { NO_RESOURCE } from '../properties/main-application';
import type { SubmissionReason, SubmitterInput } from '../native/reasons-against';
import { HADOOP } from './references';

/** Properties whose values the JVM of spark-submit takes for files of its own machine. */
interface FileProperty {
  readonly matches: (key: string) => boolean;
  /** What it would do with the file, as the end of a sentence. */
  readonly use: string;
  readonly remedy: string;
  /** When it does so. By default always. */
  readonly when?: keyof SubmitterReads;
  /** What in the value are files. By default the value. */
  readonly files?: (value: string) => readonly string[];
}

/** What makes spark-submit read more than the files of the application. */
export interface SubmitterReads {
  /** Whether it opens a file system of Hadoop's, whichever it is: settings can lead from one to another. */
  readonly storage: boolean;
  /** Whether it fetches delegation tokens if the operator has a login with Kerberos (KerberosConfDriverFeatureStep). */
  readonly tokens: boolean;
}

const MOUNT = 'mount it into the pods from a Secret';
const FOR_STORAGE = 'let the submission need no storage: name the main class, and dependencies as local: or https: URIs';

const spark = (name: RegExp) => (key: string) => name.test(key);
/** Settings of Hadoop, by the end of their names: what is before it can be the name of a bucket. */
const ofHadoop = (end: RegExp) => (key: string) => HADOOP.test(key) && end.test(key);

/** How settings are called that hold keys, tokens and certificates. */
const FILE_NAMES = [
  /key-?tab(\.file)?$/,
  /(key|trust)-?store(\.(location|path|file))?$/,
  /(key|pem|password|credentials?|token|profile|config)[.-]?file(\.?path)?$/,
  /\.file\.(path|name)$/,
  /\.oauth2\.token\.file\./,
];

/**
 * The first row that fits counts. Nothing is said of files that only driver or executors read, as their paths are paths in the pods: with
 * cluster mode Spark's SecurityManager (`spark.ssl.*`, `spark.authenticate.*`), event log, plugins and the client of
 * `spark.kubernetes.authenticate.driver.mounted.*` do not exist in spark-submit. Hadoop's settings are read by whatever file system is opened.
 */
const FILE_PROPERTIES: readonly FileProperty[] = [
  { // SparkSubmit.prepareSubmitEnvironment, KerberosConfDriverFeatureStep
    matches: spark(/^spark\.(kerberos|yarn)\.keytab$/),
    use: 'log in with and put into a Secret',
    remedy: `${MOUNT} and write local:///path`,
  },
  { // KerberosConfDriverFeatureStep
    matches: spark(/^spark\.kubernetes\.kerberos\.krb5\.path$/),
    use: 'put into a ConfigMap',
    remedy: 'create the ConfigMap and name it in spark.kubernetes.kerberos.krb5.configMapName',
    files: value => [pathOnly(value)],
  },
  { // DriverKubernetesCredentialsFeatureStep; of oauthTokenFile only Spark's documentation says so
    matches: spark(/^spark\.kubernetes\.authenticate\.driver\.(caCert|clientCert|clientKey|oauthToken)File$/),
    use: 'put into a Secret',
    remedy: `${MOUNT}, and name its path in spark.kubernetes.authenticate.driver.mounted.*`,
    files: value => [pathOnly(value)],
  },
  { // SparkKubernetesClientFactory
    matches: spark(/^spark\.kubernetes\.authenticate\.submission\.(caCert|clientCert|clientKey|oauthToken)File$/),
    use: 'talk to the API server with',
    remedy: 'remove it: the operator submits as itself',
    files: value => [pathOnly(value)],
  },
  { // MavenUtils.loadIvySettings
    matches: spark(/^spark\.jars\.ivySettings$/),
    use: 'read as settings of Ivy',
    remedy: 'put the packages into the image',
  },
  { // KafkaTokenUtil.createAdminClientProperties, if spark-submit fetches delegation tokens; Kafka resolves ${file:…} and ${directory:…}
    matches: spark(/^spark\.kafka\.clusters\./),
    use: 'talk to Kafka with',
    remedy: 'have the driver log in: mount a keytab and set spark.kerberos.keytab to local:///path',
    when: 'tokens',
    files: pathsIn,
  },
  { // CredentialProviderFactory, KeyProviderFactory: lists of URIs, of which a scheme such as jceks has another URI in it
    matches: ofHadoop(/\.(security\.(credential|key)\.provider\.path|dfs\.encryption\.key\.provider\.uri)$/),
    use: 'take passwords and keys from',
    remedy: FOR_STORAGE,
    when: 'storage',
    files: value => value.split(',').map(uri => uri.trim()).filter(uri => uri !== '').flatMap(keystoreOf),
  },
  { // ShellDecryptionKeyProvider of hadoop-azure, ScriptBasedMapping: whole commands
    matches: ofHadoop(/\.(shellkeyprovider\.script(\..*)?|net\.topology\.(dependency\.)?script\.file\.name)$/),
    use: 'run',
    remedy: `remove it, or ${FOR_STORAGE}`,
    when: 'storage',
    files: value => [pathOnly(value)],
  },
  { // ViewFileSystem: folders under other names, so that their files do not look like local ones; a table from elsewhere can name any
    matches: spark(/^spark\.hadoop\.fs\.viewfs\.mounttable\.path$/),
    use: 'find folders of its own with',
    remedy: 'write the links as properties',
    when: 'storage',
    files: value => [pathOnly(value)],
  },
  { // ViewFileSystem
    matches: spark(/^spark\.hadoop\.fs\.viewfs\.mounttable\..*link/i),
    use: 'show under another name',
    remedy: 'link to storage',
    when: 'storage',
    files: value => value.split(',').map(uri => uri.trim()),
  },
  { // Keys, tokens and certificates of file systems and their clients: such as fs.gs.auth.service.account.json.keyfile (GoogleCredentials),
    // fs.azure.account.oauth2.token.file (WorkloadIdentityTokenProvider, which sends it to an address that is a setting, too), for an
    // account also with its name behind; ssl.client.keystore.location (SSLFactory), ldap.bind.password.file (LdapGroupsMapping), fs.sftp.keyfile
    matches: key => FILE_NAMES.some(end => ofHadoop(end)(key)),
    use: 'open storage with',
    remedy: FOR_STORAGE,
    when: 'storage',
  },
];

/**
 * Why spark-submit must not see a property: it would read a file outside of the folders whose files applications may use.
 *
 * @param field where the property was written
 * @param reads what spark-submit reads for the application
 * @param folders absolute paths
 */
export function filePropertyReasons(key: string, value: string, field: string, reads: SubmitterReads, folders: readonly string[]): SubmissionReason[] {
  const property = FILE_PROPERTIES.find(({ matches }) => matches(key));
  if (!property || (property.when && !reads[property.when])) {
    return [];
  }
  const files = property.files?.(value) ?? [value];
  return files.every(file => !isFileOfSubmitter(file) || isAllowedFile(file, folders)) ? [] : [{
    field, value, reason: `names a file in the operator's container that spark-submit would ${property.use}, and ${allowed(folders)}`, remedy: property.remedy,
  }];
}

/** Why spark-submit must not see the URI of an application's file: it would hand out one of the operator's. */
export function fileReasons(uri: string, field: string, folders: readonly string[]): SubmissionReason[] {
  return !isFileOfSubmitter(uri) || isAllowedFile(uri, folders) ? [] : [{
    field,
    value: uri,
    reason: `is a file in the operator's container, and ${allowed(folders)}`,
    remedy: 'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI',
  }];
}

function allowed(folders: readonly string[]): string {
  return folders.length === 0 ? 'applications may use none of its files' : `applications may only use files in ${folders.join(', ')} there`;
}

/** Whether a path, or a `file:` URI, lies in one of the folders, whatever it is decoded to. */
export function isAllowedFile(uri: string, folders: readonly string[]): boolean {
  const path = uri.replace(/^file:(\/\/)?(?=\/)/, '').split('#')[0]!;
  // Only what means the same to a file system, a URI and a pattern: nothing escaped, no alternatives, no way up.
  if (!/^(\/[\w.@+=*-]+)+$/.test(path) || path.split('/').some(part => part === '.' || part === '..')) {
    return false;
  }
  return folders.some(folder => path.startsWith(posix.join(folder, '/')));
}

/** Whether spark-submit opens a jar to look for its main class: Hadoop has no file system for `local:`. */
export function isReadByHadoop(resource: string): boolean {
  return resource !== NO_RESOURCE && !/^local:/i.test(resource);
}

/** By whichever of its names Spark knows a property (SparkConf.configsWithAlternatives), and of Hadoop where the default file system is and what opens it. */
const STORAGE_WITH_TOKENS = [
  'spark.kerberos.access.hadoopFileSystems', 'spark.yarn.access.hadoopFileSystems', 'spark.yarn.access.namenodes',
  'spark.yarn.kerberos.renewal.excludeHadoopFileSystems', 'spark.hadoop.fs.defaultFS', 'spark.hadoop.fs.default.name', 'spark.hadoop.fs.file.impl',
];
const OTHER_LOGINS = ['spark.kerberos.keytab', 'spark.yarn.keytab', 'spark.kubernetes.kerberos.tokenSecret.name'];

/**
 * What spark-submit reads for an application. It looks into storage for dependencies (DependencyUtils.resolveGlobPath) and for the main class,
 * uploads files to it (KubernetesUtils.uploadFileUri), and fetches tokens for it (HadoopFSDelegationTokenProvider), always for the default file
 * system as well.
 *
 * @param hadoop whether the operator has a configuration of Hadoop, which may have made storage the default file system
 */
export function submitterReads({ properties, application: { type, resource, mainClass } }: SubmitterInput, hadoop: boolean): SubmitterReads {
  const tokens = !OTHER_LOGINS.some(key => properties.get(key));
  const storage = dependencyUris(properties).some(({ uri }) => !/^(local|https?|ftp):/.test(uri))
    || (type === 'java' && !mainClass && isReadByHadoop(resource))
    || (resource !== NO_RESOURCE && isFileOfSubmitter(resource))
    || (tokens && (hadoop || STORAGE_WITH_TOKENS.some(key => properties.get(key))));
  return { storage, tokens };
}

/** For what is a path whatever it looks like. */
function pathOnly(value: string): string {
  return value.includes(':') ? `./${value}` : value;
}

/** The file of a store of keys; none if it is a server or lies in storage, as in `jceks://hdfs@host/path` (ProviderUtils.unnestUri). */
function keystoreOf(uri: string): string[] {
  if (/^(user:|(jceks|bcfks|kms):\/\/(?!file[@/])[a-z][a-z0-9+.-]+@)/i.test(uri)) {
    return [];
  }
  const file = /^[a-z]+:\/\/[^/]*(\/.*)$/is.exec(uri)?.[1];
  return [pathOnly(file ?? uri)];
}

/** Absolute paths, `file:` URIs and references in a text that is not only one of them. */
function pathsIn(value: string): string[] {
  return value.match(/\$\{|(?<![\w/.-])file:\S*|(?<![^\s"'=,:;({])\/(?!\/)[^\s"',;)}]*/gi) ?? [];
}
