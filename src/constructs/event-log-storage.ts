import { Size } from 'cdk8s';
import { refuseArguments } from '../props/_check';
import {
  endpointProperties, EVENT_LOG_FOLDER, EventLogSpec, GKE_METADATA, hadoop, KEY_FOLDER, NONE, objectStore, s3Traffic, secretVariable, secretVariables,
  wrongEndpoint, wrongMountedSecret, wrongPart,
} from './_event-logs';
import { found, wrongName } from '../props/_names';
import { HTTPS } from './_network-policies';
import { sizeQuantity, wrongKibibytes } from './_quantity';
import { ObjectStoreOptions, SecretEntry, VolumeAccess } from './event-log-options';

/** A volume claim that is there. */
export interface EventLogClaimOptions {
  /**
   * Folder of the volume.
   *
   * @default - all of it
   */
  readonly subPath?: string;

  /**
   * Who may use it at the same time. With `READ_WRITE_ONCE` the history server ends before a new one starts.
   *
   * @default VolumeAccess.READ_WRITE_MANY
   */
  readonly access?: VolumeAccess;
}

/** A volume claim that is created with the history server. */
export interface NewEventLogClaimOptions {
  /** Size of the volume. */
  readonly size: Size;

  /**
   * Name of the claim.
   *
   * @default - `<name of the history server>-event-logs`
   */
  readonly claimName?: string;

  /**
   * Name of the StorageClass. Most can only do `READ_WRITE_ONCE`.
   *
   * @default - the cluster's
   */
  readonly storageClassName?: string;

  /**
   * Who may use it at the same time. With `READ_WRITE_ONCE` the history server ends before a new one starts.
   *
   * @default VolumeAccess.READ_WRITE_MANY
   */
  readonly access?: VolumeAccess;
}

/** A bucket of S3, or of a store that speaks as S3 does. */
export interface S3Options extends ObjectStoreOptions {
  /**
   * URL of the store, such as `http://minio.minio.svc:9000`. The history server may reach this port; if the port of its pods is another one, add it in `egress`.
   *
   * @default - that of AWS
   */
  readonly endpoint?: string;

  /**
   * Region of the bucket.
   *
   * @default - as the connector finds it
   */
  readonly region?: string;

  /**
   * Whether the bucket stands in the path of URLs and not in their host, as MinIO and Ceph want it.
   *
   * @default false
   */
  readonly pathStyleAccess?: boolean;

  /**
   * Name of a Secret with the keys `access-key-id` and `secret-access-key`, in the namespace of the history server, and in those of the applications.
   *
   * @default - the connector's own ways, such as an identity of the service account
   */
  readonly credentialsSecretName?: string;

  /**
   * Class that finds the credentials.
   *
   * @default - with a role of the history server's service account (`eks.amazonaws.com/role-arn`) and Spark 4, whose Hadoop 3.4 has version 2 of the AWS SDK,
   * `software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider`, unless `hadoopConf` or `hadoopSecrets` say how to log in; else the
   * connector's own list, in which it is not
   */
  readonly credentialsProvider?: string;
}

/** A bucket of Google Cloud Storage. */
export interface GcsOptions extends ObjectStoreOptions {
  /**
   * Name of a Secret with a service account's key, in `key.json`, in the namespace of the history server, and in those of the applications. They then use it
   * for all that they do with Google Cloud Storage. At most 56 characters and no dots, as Spark calls its volume `<name>-volume`.
   *
   * @default - the connector's own ways, such as an identity of the service account
   */
  readonly keySecretName?: string;
}

/** A container of Azure Data Lake Storage. */
export interface AzureOptions extends ObjectStoreOptions {
  /**
   * Name of a Secret with the key of the storage account, in `account-key`, in the namespace of the history server, and in those of the applications.
   *
   * @default - as `hadoopConf` and `hadoopSecrets` say it
   */
  readonly keySecretName?: string;
}

/** Where event logs are kept: a volume or an object store. */
export class EventLogStorage {
  /**
   * A volume of a claim that is there. Applications have to run in its namespace.
   *
   * @param claimName name of the claim
   * @param options which part of it
   */
  public static claim(claimName: string, options: EventLogClaimOptions = {}): EventLogStorage {
    const { subPath, access } = options;
    const isOutside = subPath !== undefined && (subPath === '' || subPath.startsWith('/') || subPath.split('/').includes('..'));
    refuseArguments('EventLogStorage.claim', [wrongName('claimName', claimName), isOutside ? { path: 'subPath', value: subPath, reason: 'is not a folder of the volume, such as spark/events' } : undefined]);
    return new EventLogStorage({ ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name: claimName, subPath, access } });
  }

  /**
   * A volume of a claim that is created with the history server, in its namespace. Applications have to run there.
   *
   * @param options size and kind of the volume
   */
  public static newClaim(options: NewEventLogClaimOptions): EventLogStorage {
    const { size, claimName, storageClassName, access = VolumeAccess.READ_WRITE_MANY } = options;
    refuseArguments('EventLogStorage.newClaim', found([wrongKibibytes('size', size), wrongName('claimName', claimName)]));
    const manifest = { accessModes: [access], resources: { requests: { storage: sizeQuantity(size) } }, ...(storageClassName !== undefined && { storageClassName }) };
    return new EventLogStorage((server) => ({ ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name: claimName ?? `${server}-event-logs`, access, manifest } }));
  }

  /**
   * A bucket of S3, or of a store that speaks as S3 does. Needs images with the connector (`hadoop-aws`).
   *
   * @param bucket name of the bucket
   * @param options where it is, and who may use it
   */
  public static s3(bucket: string, options: S3Options = {}): EventLogStorage {
    const { endpoint, region, pathStyleAccess, credentialsSecretName: secretName, credentialsProvider } = options;
    refuseArguments('EventLogStorage.s3', [wrongPart('bucket', bucket), wrongEndpoint('endpoint', endpoint), wrongName('credentialsSecretName', secretName), ...endpointProperties(bucket, options)]);
    // Of this bucket only, so that the application's own settings of S3 stay as they are.
    const own = (key: string) => `spark.hadoop.fs.s3a.bucket.${bucket}.${key}`;
    const conf = {
      [own('endpoint')]: endpoint,
      [own('endpoint.region')]: region,
      [own('path.style.access')]: pathStyleAccess === undefined ? undefined : String(pathStyleAccess),
      [own('aws.credentials.provider')]: credentialsProvider ?? (secretName && 'org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider'),
      ...(secretName && { [own('access.key')]: secretVariable('ACCESS_KEY_ID'), [own('secret.key')]: secretVariable('SECRET_ACCESS_KEY') }),
    };
    const secretEnv = secretVariables(secretName, { ACCESS_KEY_ID: 'access-key-id', SECRET_ACCESS_KEY: 'secret-access-key' });
    const credentialsProperty = secretName === undefined && credentialsProvider === undefined ? own('aws.credentials.provider') : undefined;
    const traffic = s3Traffic(endpoint, secretName !== undefined);
    return new EventLogStorage(objectStore({ uri: `s3a://${bucket}/`, connector: 'hadoop-aws', conf, secretEnv, credentialsProperty, traffic }, options));
  }

  /**
   * A bucket of Google Cloud Storage. Needs images with the connector (`gcs-connector`).
   *
   * @param bucket name of the bucket
   * @param options who may use it
   */
  public static gcs(bucket: string, options: GcsOptions = {}): EventLogStorage {
    const { keySecretName } = options;
    refuseArguments('EventLogStorage.gcs', [wrongPart('bucket', bucket), wrongMountedSecret('keySecretName', keySecretName)]);
    const conf = {
      'spark.hadoop.fs.gs.impl': 'com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem',
      ...(keySecretName && { 'spark.hadoop.fs.gs.auth.type': 'SERVICE_ACCOUNT_JSON_KEYFILE', 'spark.hadoop.fs.gs.auth.service.account.json.keyfile': `${KEY_FOLDER}/key.json` }),
    };
    const secretFiles: { [secretName: string]: string } = keySecretName === undefined ? {} : { [keySecretName]: KEY_FOLDER };
    const traffic = [HTTPS, ...(keySecretName === undefined ? GKE_METADATA : [])];
    return new EventLogStorage(objectStore({ uri: `gs://${bucket}/`, connector: 'gcs-connector', conf, secretFiles, traffic }, options));
  }

  /**
   * A container of Azure Data Lake Storage. Needs images with the connector (`hadoop-azure`).
   *
   * @param container name of the container
   * @param account name of the storage account
   * @param options who may use it
   */
  public static azure(container: string, account: string, options: AzureOptions = {}): EventLogStorage {
    const { keySecretName: secretName } = options;
    refuseArguments('EventLogStorage.azure', [wrongPart('container', container), wrongPart('account', account), wrongName('keySecretName', secretName)]);
    const host = `${account}.dfs.core.windows.net`;
    const conf: { [key: string]: string } = secretName === undefined ? {} : { [`spark.hadoop.fs.azure.account.key.${host}`]: secretVariable('ACCOUNT_KEY') };
    const secretEnv = secretVariables(secretName, { ACCOUNT_KEY: 'account-key' });
    return new EventLogStorage(objectStore({ uri: `abfss://${container}@${host}/`, connector: 'hadoop-azure', conf, secretEnv, traffic: [HTTPS] }, options));
  }

  /**
   * Any other file system that Hadoop knows, such as `hdfs://namenode:8020/spark-events`.
   *
   * @param uri where Spark writes and reads
   * @param hadoopConf properties of its connector; they stand in ConfigMaps, so that secrets are refused
   * @param hadoopSecrets properties of its connector that are secrets, and the entries of Secrets where they are
   */
  public static uri(uri: string, hadoopConf: { [key: string]: string } = {}, hadoopSecrets: { [key: string]: SecretEntry } = {}): EventLogStorage {
    refuseArguments('EventLogStorage.uri', [/^[a-z][a-z0-9+.-]*:\/\/?[^\s]+$/.test(uri) && !uri.startsWith('file:') ? undefined : { path: 'uri', value: uri, reason: 'is not a URI of a file system that drivers and history server share, such as hdfs://namenode:8020/spark-events' }]);
    return new EventLogStorage({ ...NONE, uri, ...hadoop(hadoopConf, hadoopSecrets) });
  }

  private constructor(private readonly spec: EventLogSpec | ((server: string) => EventLogSpec)) {}

  /**
   * @param server name of the history server
   * @internal
   */
  public _toSpec(server: string): EventLogSpec {
    return typeof this.spec === 'function' ? this.spec(server) : this.spec;
  }
}
