import { uploadPlace, type UploadPlace } from '../upload/place';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';

/** Options of commands that upload local files. */
export const UPLOAD_OPTIONS = {
  'upload-to': {
    value: 'URL', help: 'destination of local files: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, or pvc://CLAIM/FOLDER for a volume',
  },
  'upload-endpoint': {
    value: 'URL', help: 'the S3 server (default: $AWS_ENDPOINT_URL_S3, $AWS_ENDPOINT_URL, that of the profile, else Amazon\'s)',
  },
  'upload-region': { value: 'NAME', help: 'its region (default: $AWS_REGION, that of the profile, else us-east-1)' },
} as const satisfies Options;

/** Values of the options. */
export type UploadValues = Values<typeof UPLOAD_OPTIONS>;

/**
 * Parses the options; undefined without a destination.
 *
 * @throws {UsageError} if one is invalid, or has no effect
 */
export function uploadPlaceIn(
  { 'upload-to': to, 'upload-endpoint': endpoint, 'upload-region': region }: UploadValues,
): UploadPlace | undefined {
  const place = to === undefined ? undefined : uploadPlace(to);
  if (place?.kind !== 's3' && (endpoint ?? region) !== undefined) {
    throw new UsageError('--upload-endpoint and --upload-region need --upload-to=s3://…; add it');
  }
  return place;
}
