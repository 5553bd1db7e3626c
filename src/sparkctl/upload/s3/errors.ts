import type { IncomingHttpHeaders } from 'node:http';
import { elementIn } from './xml';

/** Words of servers that pass. */
const PASSING: readonly string[] = ['RequestTimeout', 'RequestTimeoutException', 'SlowDown', 'Throttling', 'InternalError', 'ServiceUnavailable', 'OperationAborted'];

/** A server has refused a call, or has not answered. */
export class S3Error extends Error {
  /** The error of an answer. Answers to HEAD have no words. */
  public static ofAnswer(status: number, text: string, headers: IncomingHttpHeaders = {}): S3Error {
    const code = elementIn(text, 'Code') ?? '';
    const region = elementIn(text, 'Region') ?? headerText(headers['x-amz-bucket-region']);
    const message = elementIn(text, 'Message') ?? `the server answered ${status}`;
    return new S3Error(`${message}${code && ` (${code})`}`, status, code, region);
  }

  /** There was no answer. */
  public static ofNetwork({ code = 'NETWORK', message }: NodeJS.ErrnoException, server: string): S3Error {
    return new S3Error(`no answer from ${server}: ${message || code}`, 0, code);
  }

  private constructor(
    message: string,
    /** HTTP status; 0 if there was no answer. */
    public readonly status: number,
    /** S3's word for it, or Node's if there was no answer. May be empty. */
    public readonly code: string,
    /** The region that the bucket is in, if the server has said so. */
    public readonly region?: string,
  ) {
    super(message);
  }

  /** The same call may well succeed later. */
  public get isPassing(): boolean {
    return PASSING.includes(this.code) || this.status === 429 || this.status >= 500 || (this.status === 0 && !/CERT|ENOTFOUND|ECONNREFUSED|ERR_TLS/.test(this.code));
  }
}

/** What to do about an error. */
export function adviceOnS3({ status, code, region }: S3Error, bucket: string): string {
  switch (code) {
    case 'InvalidAccessKeyId':
    case 'XAdminUserNotFound': return 'the server does not know this key: look at AWS_ACCESS_KEY_ID, or the profile, and at --upload-endpoint';
    case 'SignatureDoesNotMatch': return 'look at AWS_SECRET_ACCESS_KEY, or the secret of the profile';
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired': return 'log in anew: AWS_SESSION_TOKEN is no longer valid';
    case 'NoSuchBucket': return `create the bucket ${bucket}, or name another one in --upload-to`;
    case 'AccessDenied':
    case 'AllAccessDisabled': return `these credentials may not write to ${bucket}: they need s3:PutObject there, and s3:GetObject to see what is there already`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException': return region === undefined ? 'the bucket is in another region: name it in --upload-region' : `the bucket is in another region: use --upload-region=${region}`;
    case 'RequestTimeTooSkewed': return 'the clock of this machine is wrong: set it';
    case 'XAmzContentSHA256Mismatch':
    case 'BadDigest': return 'the file has changed while it was uploaded: try again';
    case 'EntityTooLarge':
    case 'QuotaExceeded': return 'the server takes no more: ask those who run it';
    case 'ENOTFOUND':
    case 'EAI_AGAIN': return 'there is no such server: look at --upload-endpoint';
    case 'ECONNREFUSED': return 'nothing listens there: look at --upload-endpoint';
  }
  if (status === 403) return 'the server lets these credentials not do it: look at the AWS_* variables, or the profile';
  if (status === 404) return `is this the URL of an S3 server, and is there a bucket ${bucket}? Look at --upload-endpoint`;
  if (/CERT|TLS/.test(code)) return 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS';
  return 'try again';
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
