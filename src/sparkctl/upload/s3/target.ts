import { type Clock, type Random, systemClock } from '../../../kube/clock';
import { CommandError } from '../../errors';
import { escapedPath, placeOf } from '../content';
import type { UploadTarget } from '../target';
import type { S3Credentials } from './credentials';
import { adviceOnS3, S3Error } from './errors';
import { putFile } from './put';
import { bucketOf } from './request';

/** Bucket and prefix for uploads. */
export interface S3Place {
  readonly bucket: string;
  /** Prefix of keys, without leading and trailing slashes. Can be empty. */
  readonly prefix: string;
}

/** Hadoop property with the URL of an S3 server other than Amazon's. */
const ENDPOINT = 'fs.s3a.endpoint';

/**
 * Creates the target for a bucket of an S3 server, from which applications read with Hadoop's s3a.
 */
export function s3Target(
  { bucket: name, prefix }: S3Place, credentials: S3Credentials, clock: Clock = systemClock, random: Random = Math.random,
): UploadTarget {
  const bucket = bucketOf(name, credentials);
  return {
    uriOf: (content) => `s3a://${name}/${escapedPath(placeOf(content, prefix))}`,
    adapted: (spec) => spec,
    adviceFor(spec) {
      const { sparkConf, hadoopConf, hadoopConfigMap } = spec as {
        readonly sparkConf?: object;
        readonly hadoopConf?: object;
        readonly hadoopConfigMap?: unknown;
      };
      const isKnown = credentials.endpoint === undefined || hadoopConfigMap || [hadoopConf, sparkConf].some((conf) => Object.keys(conf
        ?? {}).some((key) => key.startsWith('fs.s3a.') || key.startsWith('spark.hadoop.fs.s3a.')));
      return isKnown
        ? undefined
        : `spec.hadoopConf[${ENDPOINT}] is missing, so that Spark looks for the uploaded files at Amazon's server: `
          + 'set it to the URL by which pods reach this server';
    },
    async upload(content, onSent, signal) {
      try {
        return await putFile(bucket, placeOf(content, prefix), content, { onSent, signal, clock, random });
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        throw new CommandError(`${content.path} could not be uploaded to s3://${name}: ${error.message}; ${adviceOnS3(error, name)}`);
      }
    },
    close: async () => bucket.close(),
  };
}
