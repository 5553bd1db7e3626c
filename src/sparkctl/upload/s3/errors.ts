import type { IncomingHttpHeaders } from 'node:http';
import { elementIn } from './xml';

/** Codes of transient errors. */
const TRANSIENT_CODES: readonly string[] = [
  'RequestTimeout', 'RequestTimeoutException', 'SlowDown', 'Throttling', 'InternalError', 'ServiceUnavailable', 'OperationAborted',
];

/** Error response of a server, or a network error. */
export class S3Error extends Error {
  /** Converts an error response. Responses to HEAD have no body. */
  public static ofAnswer(status: number, text: string, headers: IncomingHttpHeaders = {}): S3Error {
    const code = elementIn(text, 'Code') ?? '';
    const region = elementIn(text, 'Region') ?? headerText(headers['x-amz-bucket-region']);
    const message = elementIn(text, 'Message') ?? `the server answered ${status}`;
    return new S3Error(`${message}${code && ` (${code})`}`, status, code, region);
  }

  /** Converts a network error. */
  public static ofNetwork({ code = 'NETWORK', message }: NodeJS.ErrnoException, server: string): S3Error {
    return new S3Error(`no answer from ${server}: ${message || code}`, 0, code);
  }

  private constructor(
    message: string,
    /** HTTP status; 0 for a network error. */
    public readonly status: number,
    /** Code of S3, or of Node for a network error. Can be empty. */
    public readonly code: string,
    /** Region of the bucket, if the server has reported it. */
    public readonly region?: string,
  ) {
    super(message);
  }

  /** Whether the same request might succeed later. */
  public get isTransient(): boolean {
    return TRANSIENT_CODES.includes(this.code) || this.status === 429 || this.status >= 500
      || (this.status === 0 && !/CERT|ENOTFOUND|ECONNREFUSED|ERR_TLS/.test(this.code));
  }
}

/** Returns the remedy for an error. */
export function adviceOnS3({ status, code, region }: S3Error, bucket: string): string {
  switch (code) {
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound': return 'the server does not know this key: check AWS_ACCESS_KEY_ID or the profile, and --upload-endpoint';
    case 'SignatureDoesNotMatch': return 'check AWS_SECRET_ACCESS_KEY, or the secret of the profile';
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired': return 'log in again: AWS_SESSION_TOKEN is no longer valid';
    case 'NoSuchBucket': return `create the bucket ${bucket}, or name another one in --upload-to`;
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `these credentials cannot write to ${bucket}: they need s3:PutObject there, and s3:GetObject to find existing files`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException': return region === undefined
      ? 'the bucket is in another region: set --upload-region'
      : `the bucket is in another region: use --upload-region=${region}`;
    case 'RequestTimeTooSkewed': return 'the clock of this machine is wrong: correct it';
    case 'XAmzContentSHA256Mismatch':
    case 'BadDigest': return 'the file changed during the upload: try again';
    case 'EntityTooLarge':
    case 'QuotaExceeded': return 'the server has no more room: ask its administrators';
    case 'ENOTFOUND':
    case 'EAI_AGAIN': return 'there is no such server: check --upload-endpoint';
    case 'ECONNREFUSED': return 'no server listens there: check --upload-endpoint';
  }
  if (status === 403) return 'the server does not permit this with these credentials: check the AWS_* variables, or the profile';
  if (status === 404) return `check that --upload-endpoint is an S3 server with a bucket ${bucket}`;
  if (/CERT|TLS/.test(code)) return 'its certificate is not trusted: add its CA with NODE_EXTRA_CA_CERTS';
  return 'try again';
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
