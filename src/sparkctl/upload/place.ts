import { UsageError } from '../../text/usage-error';
import type { S3Place } from './s3/target';
import type { VolumePlace } from './volume/target';
import { isSubdomain } from '../../rules/names';

/** Destination of uploads. */
export type UploadPlace = { readonly kind: 's3' } & S3Place | { readonly kind: 'volume' } & VolumePlace;

/** Bucket names by Amazon's rules; Hadoop does not support others. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Parses the value of `--upload-to`.
 *
 * @throws {UsageError} if it is invalid
 */
export function uploadPlace(text: string): UploadPlace {
  const [, scheme, host, path] = /^(s3a?|pvc):\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (scheme === undefined) throw new UsageError(`--upload-to=${text}: write s3://BUCKET/PREFIX or pvc://CLAIM/FOLDER`);
  const folder = (path ?? '').split('/').filter(Boolean);
  if (folder.some((segment) => segment === '.' || segment === '..' || /[*?[\]{}\\\u0000-\u001f\u007f]/.test(segment))) {
    throw new UsageError(`--upload-to=${text}: the path must not contain segments such as .. or characters such as *`);
  }
  if (scheme === 'pvc') {
    if (!isSubdomain(host!)) {
      const problem = host === '' ? 'it names no' : 'this is not a valid name of a';
      throw new UsageError(`--upload-to=${text}: ${problem} PersistentVolumeClaim; write pvc://CLAIM/FOLDER`);
    }
    return { kind: 'volume', claim: host!, folder: folder.join('/') };
  }
  if (!BUCKET.test(host!)) {
    const problem = host === ''
      ? 'it names no bucket'
      : 'this is not a valid name of a bucket; names consist of lower-case letters, digits, - and .';
    throw new UsageError(`--upload-to=${text}: ${problem}; write s3://BUCKET/PREFIX`);
  }
  return { kind: 's3', bucket: host!, prefix: folder.join('/') };
}
