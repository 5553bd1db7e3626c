import { UsageError } from '../../text/usage-error';
import type { S3Place } from './s3/target';
import type { GcsPlace } from './gcs/target';
import type { VolumePlace } from './volume/target';
import { isSubdomain } from '../../rules/names';

/** Destination of uploads. */
export type UploadPlace =
  | { readonly kind: 's3' } & S3Place
  | { readonly kind: 'gcs' } & GcsPlace
  | { readonly kind: 'volume' } & VolumePlace;

/** Bucket names by Amazon's and Google's rules; Hadoop does not support others of S3. */
const BUCKETS = {
  s3: { pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, rule: 'lower-case letters, digits, - and .' },
  gs: { pattern: /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, rule: 'lower-case letters, digits, -, _ and .' },
} as const;

const FORMS = 's3://BUCKET/PREFIX, gs://BUCKET/PREFIX or pvc://CLAIM/FOLDER';

/**
 * Parses the destination of uploads.
 *
 * @param option what sets it, with its separator
 * @throws {UsageError} if it is invalid
 */
export function uploadPlace(text: string, option = '--upload-to='): UploadPlace {
  const refuse = (reason: string) => new UsageError(`${option}${text}: ${reason}`);
  const [, scheme, host, path] = /^(s3a?|gs|pvc):\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (scheme === undefined) throw refuse(`write ${FORMS}`);
  const folder = (path ?? '').split('/').filter(Boolean);
  if (folder.some((segment) => segment === '.' || segment === '..' || /[*?[\]{}\\\u0000-\u001f\u007f]/.test(segment))) {
    throw refuse('the path must not contain segments such as .. or characters such as *');
  }
  if (scheme === 'pvc') {
    if (!isSubdomain(host!)) {
      const problem = host === '' ? 'it names no' : 'this is not a valid name of a';
      throw refuse(`${problem} PersistentVolumeClaim; write pvc://CLAIM/FOLDER`);
    }
    return { kind: 'volume', claim: host!, folder: folder.join('/') };
  }
  const store = scheme === 'gs' ? 'gs' : 's3';
  const { pattern, rule } = BUCKETS[store];
  if (!pattern.test(host!)) {
    const problem = host === '' ? 'it names no bucket' : `this is not a valid name of a bucket; names consist of ${rule}`;
    throw refuse(`${problem}; write ${store}://BUCKET/PREFIX`);
  }
  return { kind: store === 'gs' ? 'gcs' : 's3', bucket: host!, prefix: folder.join('/') };
}
