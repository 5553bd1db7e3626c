import { Size } from 'cdk8s';
import { NameKey } from '../api/spark-pod';
import { missing, rejectArguments } from '../props/_check';
import { checkArguments, keys, size, text, texts, truth } from '../props/_prop-types';
import {
  endpointProperties, EVENT_LOG_FOLDER, EventLogSpec, GKE_METADATA, hadoop, KEY_FOLDER, NONE, objectStore, s3Traffic,
  secretVariable, secretVariables,
  wrongEndpoint, wrongMountedSecret, wrongPart,
} from './_event-logs';
import { found, wrongName } from '../rules/names';
import { HTTPS } from './_network-policies';
import { sizeQuantity, wrongKibibytes } from './_quantity';
import { ObjectStoreOptions, VolumeAccess } from './event-log-options';

/** An existing volume claim. */
export interface EventLogClaimOptions {
  /**
   * Folder of the volume.
   *
   * @default - the whole volume
   */
  readonly subPath?: string;

  /**
   * Pods that can use it at the same time. With `READ_WRITE_ONCE`, the history server ends before a
   * new one starts.
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
   * Name of the StorageClass. Most support only `READ_WRITE_ONCE`.
   *
   * @default - the cluster's
   */
  readonly storageClassName?: string;

  /**
   * Pods that can use it at the same time. With `READ_WRITE_ONCE`, the history server ends before a
   * new one starts.
   *
   * @default VolumeAccess.READ_WRITE_MANY
   */
  readonly access?: VolumeAccess;
}

/** A bucket of S3, or of a compatible store. */
export interface S3Options extends ObjectStoreOptions {
  /**
   * URL of the store, such as `http://minio.minio.svc:9000`. The NetworkPolicy allows the history
   * server to reach this port; if the port of the store's pods differs, add it in `egress`.
   *
   * @default - that of AWS
   */
  readonly endpoint?: string;

  /**
   * Region of the bucket.
   *
   * @default - the connector's own detection
   */
  readonly region?: string;

  /**
   * Whether the bucket is in the path of URLs instead of the host, as MinIO and Ceph require.
   *
   * @default false
   */
  readonly pathStyleAccess?: boolean;

  /**
   * Name of a Secret with the keys `access-key-id` and `secret-access-key`, in the namespace of the
   * history server, and in those of the applications.
   *
   * @default - the connector's own methods, such as an identity of the service account
   */
  readonly credentialsSecretName?: string;

  /**
   * Class of the credentials provider.
   *
   * @default - `software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider`
   * with a role of the history server's service account (`eks.amazonaws.com/role-arn`) and Spark 4,
   * whose Hadoop 3.4 has version 2 of the AWS SDK, unless `hadoopConf` or `hadoopSecrets` set
   * credentials; else the connector's own list, which lacks it
   */
  readonly credentialsProvider?: string;
}

/** A bucket of Google Cloud Storage. */
export interface GcsOptions extends ObjectStoreOptions {
  /**
   * Name of a Secret with a service account's key, in `key.json`, in the namespace of the history
   * server, and in those of the applications. The applications then use it for all access to Google
   * Cloud Storage. At most 56 characters and no dots, because Spark names its volume
   * `<name>-volume`.
   *
   * @default - the connector's own methods, such as an identity of the service account
   */
  readonly keySecretName?: string;
}

/** A container of Azure Data Lake Storage. */
export interface AzureOptions extends ObjectStoreOptions {
  /**
   * Name of a Secret with the key of the storage account, in `account-key`, in the namespace of the
   * history server, and in those of the applications.
   *
   * @default - the credentials in `hadoopConf` and `hadoopSecrets`
   */
  readonly keySecretName?: string;
}

const OBJECT_STORE = { path: text, hadoopConf: texts, hadoopSecrets: keys } as const;

/** Storage of event logs: a volume or an object store. */
export class EventLogStorage {
  /**
   * A volume of an existing claim. Applications must run in its namespace.
   *
   * @param claimName name of the claim
   * @param options part of the volume
   */
  public static claim(claimName: string, options: EventLogClaimOptions = {}): EventLogStorage {
    options = checkArguments('EventLogStorage.claim', { claimName, options }, { claimName: text, options: { subPath: text, access: text } }).options;
    const { subPath, access } = options;
    const isOutside = subPath !== undefined && (subPath === '' || subPath.startsWith('/') || subPath.split('/').includes('..'));
    rejectArguments('EventLogStorage.claim', [wrongName('claimName', claimName), isOutside ? {
      path: 'subPath', value: subPath, reason: 'is not a folder of the volume; write for example spark/events',
    } : undefined]);
    return new EventLogStorage({ ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name: claimName, subPath, access } });
  }

  /**
   * A volume of a claim that is created with the history server, in its namespace. Applications
   * must run there.
   *
   * @param options size and kind of the volume
   */
  public static newClaim(options: NewEventLogClaimOptions): EventLogStorage {
    options = checkArguments('EventLogStorage.newClaim', { options }, {
      options: { size, claimName: text, storageClassName: text, access: text },
    }).options;
    const { size: amount, claimName, storageClassName, access = VolumeAccess.READ_WRITE_MANY } = options;
    rejectArguments('EventLogStorage.newClaim', found([
      missing('size', amount), wrongKibibytes('size', amount), wrongName('claimName', claimName),
    ]));
    const manifest = {
      accessModes: [access], resources: {
        requests: { storage: sizeQuantity(amount) },
      }, ...(storageClassName !== undefined && { storageClassName }),
    };
    return new EventLogStorage((server) => ({
      ...NONE, uri: `file:${EVENT_LOG_FOLDER}`, claim: { name: claimName ?? `${server}-event-logs`, access, manifest },
    }));
  }

  /**
   * A bucket of S3, or of a compatible store. Needs images with the connector (`hadoop-aws`).
   *
   * @param bucket name of the bucket
   * @param options endpoint and credentials
   */
  public static s3(bucket: string, options: S3Options = {}): EventLogStorage {
    const { options: valid } = checkArguments('EventLogStorage.s3', { bucket, options }, {
      bucket: text,
      options: {
        ...OBJECT_STORE, endpoint: text, region: text, pathStyleAccess: truth, credentialsSecretName: text, credentialsProvider: text,
      },
    });
    const { endpoint, region, pathStyleAccess, credentialsSecretName: secretName, credentialsProvider } = valid;
    rejectArguments('EventLogStorage.s3', [
      wrongPart('bucket', bucket), wrongEndpoint('endpoint', endpoint), wrongName('credentialsSecretName', secretName),
      ...endpointProperties(bucket, valid),
    ]);
    // For this bucket only, so that the application's own S3 settings remain.
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
    return new EventLogStorage(
      objectStore({ uri: `s3a://${bucket}/`, connector: 'hadoop-aws', conf, secretEnv, credentialsProperty, traffic }, valid),
    );
  }

  /**
   * A bucket of Google Cloud Storage. Needs images with the connector (`gcs-connector`).
   *
   * @param bucket name of the bucket
   * @param options credentials
   */
  public static gcs(bucket: string, options: GcsOptions = {}): EventLogStorage {
    const { options: valid } = checkArguments('EventLogStorage.gcs', { bucket, options }, { bucket: text, options: { ...OBJECT_STORE, keySecretName: text } });
    const { keySecretName } = valid;
    rejectArguments('EventLogStorage.gcs', [wrongPart('bucket', bucket), wrongMountedSecret('keySecretName', keySecretName)]);
    const conf = {
      'spark.hadoop.fs.gs.impl': 'com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem',
      ...(keySecretName && {
        'spark.hadoop.fs.gs.auth.type': 'SERVICE_ACCOUNT_JSON_KEYFILE',
        'spark.hadoop.fs.gs.auth.service.account.json.keyfile': `${KEY_FOLDER}/key.json`,
      }),
    };
    const secretFiles: { [secretName: string]: string } = keySecretName === undefined ? {} : { [keySecretName]: KEY_FOLDER };
    const traffic = [HTTPS, ...(keySecretName === undefined ? GKE_METADATA : [])];
    return new EventLogStorage(objectStore({ uri: `gs://${bucket}/`, connector: 'gcs-connector', conf, secretFiles, traffic }, valid));
  }

  /**
   * A container of Azure Data Lake Storage. Needs images with the connector (`hadoop-azure`).
   *
   * @param container name of the container
   * @param account name of the storage account
   * @param options credentials
   */
  public static azure(container: string, account: string, options: AzureOptions = {}): EventLogStorage {
    const { options: valid } = checkArguments('EventLogStorage.azure', { container, account, options }, {
      container: text, account: text, options: { ...OBJECT_STORE, keySecretName: text },
    });
    const { keySecretName: secretName } = valid;
    rejectArguments('EventLogStorage.azure', [
      wrongPart('container', container), wrongPart('account', account), wrongName('keySecretName', secretName),
    ]);
    const host = `${account}.dfs.core.windows.net`;
    const conf: { [key: string]: string } = secretName === undefined ? {} : {
      [`spark.hadoop.fs.azure.account.key.${host}`]: secretVariable('ACCOUNT_KEY'),
    };
    const secretEnv = secretVariables(secretName, { ACCOUNT_KEY: 'account-key' });
    return new EventLogStorage(
      objectStore({ uri: `abfss://${container}@${host}/`, connector: 'hadoop-azure', conf, secretEnv, traffic: [HTTPS] }, valid),
    );
  }

  /**
   * Any other file system that Hadoop supports, such as `hdfs://namenode:8020/spark-events`.
   *
   * @param uri URI for writers and the reader
   * @param hadoopConf properties of its connector; ConfigMaps contain them, so secrets are rejected
   * @param hadoopSecrets secret properties of its connector, with their entries of Secrets
   */
  public static uri(
    uri: string, hadoopConf: { [key: string]: string } = {}, hadoopSecrets: { [key: string]: NameKey } = {},
  ): EventLogStorage {
    const valid = checkArguments('EventLogStorage.uri', { uri, hadoopConf, hadoopSecrets }, { uri: text, hadoopConf: texts, hadoopSecrets: keys });
    rejectArguments('EventLogStorage.uri', [/^[a-z][a-z0-9+.-]*:\/\/?[^\s]+$/.test(uri) && !uri.startsWith('file:') ? undefined : {
      path: 'uri', value: uri, reason: 'is not a URI of a shared file system; write for example hdfs://namenode:8020/spark-events',
    }]);
    return new EventLogStorage({ ...NONE, uri, ...hadoop(valid.hadoopConf, valid.hadoopSecrets) });
  }

  private constructor(private readonly spec: EventLogSpec | ((server: string) => EventLogSpec)) {}

  /**
   * @param server name of the history server
   * @internal
   */
  public _toEventLogs(server: string): EventLogSpec {
    return typeof this.spec === 'function' ? this.spec(server) : this.spec;
  }
}
