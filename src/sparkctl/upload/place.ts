import { UsageError } from '../../text/usage-error';
import type { S3Place } from './s3/target';
import type { VolumePlace } from './volume/target';

/** Where files are uploaded to. */
export type UploadPlace = { readonly kind: 's3' } & S3Place | { readonly kind: 'volume' } & VolumePlace;

/** As Amazon has it; Hadoop does not find buckets of other names. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const CLAIM = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * Reads the value of `--upload-to`.
 *
 * @throws {UsageError} if it is none
 */
export function uploadPlace(text: string): UploadPlace {
  const [, scheme, host, path] = /^(s3a?|pvc):\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (scheme === undefined) throw new UsageError(`--upload-to=${text}: write s3://BUCKET/PREFIX or pvc://CLAIM/FOLDER`);
  const folder = (path ?? '').split('/').filter(Boolean);
  if (folder.some((segment) => segment === '.' || segment === '..' || /[*?[\]{}\\\u0000-\u001f\u007f]/.test(segment))) throw new UsageError(`--upload-to=${text}: the path must not have steps such as .. or characters such as * in it`);
  if (scheme === 'pvc') {
    if (!CLAIM.test(host!)) throw new UsageError(`--upload-to=${text}: ${host === '' ? 'there is no' : 'this is not the name of a'} PersistentVolumeClaim; write pvc://CLAIM/FOLDER`);
    return { kind: 'volume', claim: host!, folder: folder.join('/') };
  }
  if (!BUCKET.test(host!)) throw new UsageError(`--upload-to=${text}: ${host === '' ? 'there is no bucket' : 'this is not the name of a bucket, which has lower-case letters, digits, - and .'}; write s3://BUCKET/PREFIX`);
  return { kind: 's3', bucket: host!, prefix: folder.join('/') };
}
