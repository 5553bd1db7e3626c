import { NameKey } from '../api/spark-pod';

/** Access of pods to a volume at the same time. */
export enum VolumeAccess {
  /** Pods on all nodes: event logs need these, as drivers and the history server run anywhere. */
  READ_WRITE_MANY = 'ReadWriteMany',
  /** Pods on one node. All drivers then have to run there. */
  READ_WRITE_ONCE = 'ReadWriteOnce',
}

/** Options of all object stores. */
export interface ObjectStoreOptions {
  /**
   * Folder in the store. It has to be there: Spark does not create it.
   *
   * @default spark-events
   */
  readonly path?: string;

  /**
   * Further properties of the Hadoop connector, such as `fs.s3a.connection.maximum`. A ConfigMap
   * contains them, so secrets are rejected. So is the endpoint of S3, which is `endpoint`.
   *
   * @default - none
   */
  readonly hadoopConf?: { [key: string]: string };

  /**
   * Properties of the Hadoop connector that are secrets, such as
   * `fs.azure.account.oauth2.client.secret`, and the entries of Secrets that contain them: in the
   * namespace of the history server, and in those of the applications.
   *
   * @default - none
   */
  readonly hadoopSecrets?: { [key: string]: NameKey };
}
