import type { SubmissionReason } from '../native/reasons-against';

/** Settings that spark-submit must not open a file system of Hadoop's with. */
interface StorageSetting {
  readonly key: RegExp;
  /** Whether a value, without blanks around it, is harmless. By default none is. */
  readonly harmless?: (value: string) => boolean;
  readonly reason: string;
  readonly remedy: string;
}

const DISK = 'could give spark-submit the disk of the operator\'s container as storage';
const IDENTITY = 'could have spark-submit send who the operator is in its cloud to any host';
const NO_STORAGE = 'remove it, or let the submission need no storage: name the main class, and dependencies as local: or https: URIs';

const SETTINGS: readonly StorageSetting[] = [
  { // KubernetesUtils.uploadFileUri
    key: /^spark\.kubernetes\.file\.upload\.path$/,
    harmless: value => !/^file:/i.test(value),
    reason: 'is a folder in the operator\'s container, from where no pod can fetch what spark-submit writes there',
    remedy: 'write an s3a:, gs: or hdfs: URI',
  },
  { // ViewFileSystemOverloadScheme: the file system behind any scheme
    key: /^spark\.hadoop\.fs\.viewfs\.overload\.scheme\.target\./,
    reason: DISK,
    remedy: NO_STORAGE,
  },
  { // FileSystem.getFileSystemClass, AbstractFileSystem.createFileSystem: LocalFileSystem, RawLocalFs, ViewFileSystem, ProxyLocalFileSystem and their like
    key: /^spark\.hadoop\.fs\..*\.impl$/,
    harmless: value => !/local|view|proxy/i.test(value),
    reason: DISK,
    remedy: NO_STORAGE,
  },
  { // AbfsConfiguration.getTokenProvider: MsiTokenProvider and WorkloadIdentityTokenProvider log in as the pod of the operator, for accounts and
    // authorities that the application names; classes of others may. Those that are left have a login of the application's. For an account also
    // with its name behind.
    key: /^spark\.hadoop\.fs\.azure\.account\.oauth2?\.provider\.type(\.|$)/,
    harmless: value => /^org\.apache\.hadoop\.fs\.azurebfs\.oauth2\.(ClientCreds|UserPassword|RefreshTokenBased)TokenProvider$/.test(value),
    reason: IDENTITY,
    remedy: NO_STORAGE,
  },
  { // The same of AdlFileSystem.getAccessTokenProvider
    key: /^spark\.hadoop\.(fs\.adl|dfs\.adls)\.oauth2\.access\.token\.provider(\.type)?$/,
    harmless: value => /^(ClientCredential|RefreshToken)$/i.test(value),
    reason: IDENTITY,
    remedy: NO_STORAGE,
  },
  { // Where tokens are sent that the operator's own settings or the machine's metadata give: MsiTokenProvider, WorkloadIdentityTokenProvider;
    // of Google's connector HadoopCredentialsConfiguration, GoogleCloudStorageOptions
    key: /^spark\.hadoop\.(fs\.azure\.account\.oauth2\.msi\.(authority|endpoint)(\..*)?|fs\.gs\.(storage\.root\.url|grpc\.server\.address)|(fs\.gs|google\.cloud)\.token\.server\.url)$/,
    reason: IDENTITY,
    remedy: NO_STORAGE,
  },
];

/**
 * Why spark-submit must not see a setting if it opens storage: with it, storage would be the operator's own disk, whatever its
 * URIs look like, or learn who the operator is.
 *
 * @param field where the property was written
 */
export function storageSettingReasons(key: string, value: string, field: string): SubmissionReason[] {
  const setting = SETTINGS.find(candidate => candidate.key.test(key) && !candidate.harmless?.(value.trim()));
  return setting ? [{ field, value, reason: setting.reason, remedy: setting.remedy }] : [];
}
