import { Size } from 'cdk8s';
import { refuseArguments } from './_check';
import { EVENT_LOG_FOLDER, EventLogSpec, hadoop, KEY_FOLDER, NONE, objectStore, secretVariable, secretVariables, wrongPart } from './_event-logs';
import { found, wrongName } from './_names';
import { sizeQuantity, wrongKibibytes } from './_quantity';

/** Who may use a volume at the same time. */
export enum VolumeAccess {
  /** Pods on all nodes: what event logs need, as drivers and the history server run anywhere. */
  READ_WRITE_MANY = 'ReadWriteMany',
  /** Pods on one node. All drivers then have to run there. */
  READ_WRITE_ONCE = 'ReadWriteOnce',
}

/** A volume claim that is there. */
export interface EventLogClaimOptions {
  /**
   * Folder of the volume.
   *
   * @default - all of it
   */
  readonly subPath?: string;
}

/** A volume claim that is created with the history server. */
export interface NewEventLogClaimOptions {
  /** Size of the volume. */
  readonly size: Size;

  /**
   * Name of the claim.
   *
   * @default spark-event-logs
   */
  readonly claimName?: string;

  /**
   * Name of the StorageClass. Most can only do `READ_WRITE_ONCE`.
   *
   * @default - the cluster's
   */
  readonly storageClassName?: string;

  /**
   * Who may use it at the same time.
   *
   * @default VolumeAccess.READ_WRITE_MANY
   */
  readonly access?: VolumeAccess;
}

/** What all object stores have in common. */
export interface ObjectStoreOptions {
  /**
   * Folder in the store. It has to be there: Spark does not create it.
   *
   * @default spark-events
   */
  readonly path?: string;

  /**
   * Further properties of the Hadoop connector, such as `fs.s3a.connection.maximum`.
   *
   * @default - none
   */
  readonly hadoopConf?: { [key: string]: string };
}

/** A bucket of S3, or of a store that speaks as S3 does. */
export interface S3Options extends ObjectStoreOptions {
  /**
   * URL of the store.
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
   * Class that finds the credentials, such as `software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider` for a role of the service account.
   *
   * @default - the connector's own list of them
   */
  readonly credentialsProvider?: string;
}

/** A bucket of Google Cloud Storage. */
export interface GcsOptions extends ObjectStoreOptions {
  /**
   * Name of a Secret with a service account's key, in `key.json`, in the namespace of the history server, and in those of the applications. They then use it
   * for all that they do with Google Cloud Storage.
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
   * @default - as `hadoopConf` says it
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
    const { subPath } = options;
    const isOutside = subPath !== undefined && (subPath === '' || subPath.startsWith('/') || subPath.split('/').includes('..'));
    refuseArguments('EventLogStorage.claim', [wrongName('claimName', claimName), isOutside ? { path: 'subPath', value: subPath, reason: 'is not a folder of the volume, such as spark/events' } : undefined]);
    return new EventLogStorage({ ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name: claimName, subPath } });
  }

  /**
   * A volume of a claim that is created with the history server, in its namespace. Applications have to run there.
   *
   * @param options size and kind of the volume
   */
  public static newClaim(options: NewEventLogClaimOptions): EventLogStorage {
    const { size, claimName: name = 'spark-event-logs', storageClassName, access = VolumeAccess.READ_WRITE_MANY } = options;
    refuseArguments('EventLogStorage.newClaim', found([wrongKibibytes('size', size), wrongName('claimName', name)]));
    const manifest = { accessModes: [access], resources: { requests: { storage: sizeQuantity(size) } }, ...(storageClassName !== undefined && { storageClassName }) };
    return new EventLogStorage({ ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name, manifest } });
  }

  /**
   * A bucket of S3, or of a store that speaks as S3 does. Needs images with the connector (`hadoop-aws`).
   *
   * @param bucket name of the bucket
   * @param options where it is, and who may use it
   */
  public static s3(bucket: string, options: S3Options = {}): EventLogStorage {
    const { endpoint, region, pathStyleAccess, credentialsSecretName: secretName, credentialsProvider } = options;
    refuseArguments('EventLogStorage.s3', [wrongPart('bucket', bucket), wrongName('credentialsSecretName', secretName)]);
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
    return new EventLogStorage(objectStore({ uri: `s3a://${bucket}/`, connector: 'hadoop-aws', conf, secretEnv }, options));
  }

  /**
   * A bucket of Google Cloud Storage. Needs images with the connector (`gcs-connector`).
   *
   * @param bucket name of the bucket
   * @param options who may use it
   */
  public static gcs(bucket: string, options: GcsOptions = {}): EventLogStorage {
    const { keySecretName } = options;
    refuseArguments('EventLogStorage.gcs', [wrongPart('bucket', bucket), wrongName('keySecretName', keySecretName)]);
    const conf = {
      'spark.hadoop.fs.gs.impl': 'com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem',
      ...(keySecretName && { 'spark.hadoop.fs.gs.auth.type': 'SERVICE_ACCOUNT_JSON_KEYFILE', 'spark.hadoop.fs.gs.auth.service.account.json.keyfile': `${KEY_FOLDER}/key.json` }),
    };
    return new EventLogStorage(objectStore({ uri: `gs://${bucket}/`, connector: 'gcs-connector', conf, secretFiles: keySecretName === undefined ? {} : { [keySecretName]: KEY_FOLDER } }, options));
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
    return new EventLogStorage(objectStore({ uri: `abfss://${container}@${host}/`, connector: 'hadoop-azure', conf, secretEnv: secretVariables(secretName, { ACCOUNT_KEY: 'account-key' }) }, options));
  }

  /**
   * Any other file system that Hadoop knows, such as `hdfs://namenode:8020/spark-events`.
   *
   * @param uri where Spark writes and reads
   * @param hadoopConf properties of its connector
   */
  public static uri(uri: string, hadoopConf: { [key: string]: string } = {}): EventLogStorage {
    refuseArguments('EventLogStorage.uri', [/^[a-z][a-z0-9+.-]*:\/\/?[^\s]+$/.test(uri) && !uri.startsWith('file:') ? undefined : { path: 'uri', value: uri, reason: 'is not a URI of a file system that drivers and history server share, such as hdfs://namenode:8020/spark-events' }]);
    return new EventLogStorage({ ...NONE, uri, conf: hadoop(hadoopConf) });
  }

  private constructor(private readonly spec: EventLogSpec) {}

  /** @internal */
  public _toSpec(): EventLogSpec {
    return this.spec;
  }
}
