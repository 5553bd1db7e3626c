import { type Clock, type Random, systemClock } from '../../../kube/clock';
import { CommandError } from '../../errors';
import { escapedPath, placeOf } from '../content';
import type { UploadTarget } from '../target';
import type { TokenSource } from './credentials';
import { adviceOnGcs, GcsError } from './errors';
import { putFile } from './put';
import { gcsOf, GOOGLE } from './request';

/** Bucket and prefix for uploads. */
export interface GcsPlace {
  readonly bucket: string;
  /** Prefix of names, without leading and trailing slashes. Can be empty. */
  readonly prefix: string;
}

/** Server and credentials. */
export interface GcsOptions {
  readonly token: TokenSource;
  /** Value of `STORAGE_EMULATOR_HOST`. @default - Google's server */
  readonly emulator?: string;
}

/** Hadoop property with the URL of a server other than Google's. */
const ENDPOINT = 'fs.gs.storage.root.url';

/**
 * Creates the target for a bucket of Google Cloud Storage, from which applications read with
 * Google's connector for Hadoop.
 */
export function gcsTarget(
  { bucket, prefix }: GcsPlace, { token, emulator }: GcsOptions, clock: Clock = systemClock, random: Random = Math.random,
): UploadTarget {
  const gcs = gcsOf(emulator ? serverOf(emulator) : GOOGLE, token);
  return {
    uriOf: (content) => `gs://${bucket}/${escapedPath(placeOf(content, prefix))}`,
    adapted: (spec) => spec,
    adviceFor(spec) {
      const { sparkConf = {}, hadoopConf = {}, hadoopConfigMap } = spec as {
        readonly sparkConf?: object; readonly hadoopConf?: object; readonly hadoopConfigMap?: unknown;
      };
      return !emulator || hadoopConfigMap || ENDPOINT in hadoopConf || `spark.hadoop.${ENDPOINT}` in sparkConf
        ? undefined
        : `spec.hadoopConf[${ENDPOINT}] is missing, so that Spark looks for the uploaded files at Google's server: `
          + 'set it to the URL by which pods reach the emulator';
    },
    async upload(content, onSent, signal) {
      try {
        return await putFile(gcs, { bucket, name: placeOf(content, prefix) }, content, { onSent, signal, clock, random });
      } catch (error) {
        if (!(error instanceof GcsError)) throw error;
        throw new CommandError(`${content.path} could not be uploaded to gs://${bucket}: ${error.message}; ${adviceOnGcs(error, bucket)}`);
      }
    },
    close: async () => gcs.close(),
  };
}

function serverOf(emulator: string): string {
  return (emulator.includes('://') ? emulator : `http://${emulator}`).replace(/\/+$/, '');
}
