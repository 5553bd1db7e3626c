/** Error response of Google Cloud Storage, or a network error. */
export class GcsError extends Error {
  /** Converts an error response: JSON, or text of a proxy. */
  public static ofAnswer(status: number, text: string): GcsError {
    return new GcsError(messageIn(text) ?? `the server answered ${status}`, status, '');
  }

  /** Converts a network error. */
  public static ofNetwork({ code = 'NETWORK', message }: NodeJS.ErrnoException, server: string): GcsError {
    return new GcsError(`no answer from ${server}: ${message || code}`, 0, code);
  }

  /** Returns the error for an object with another content than the file. */
  public static ofContent(): GcsError {
    return new GcsError('the MD5 hash of the object is not that of the file', 400, '');
  }

  /** Returns the error for a part that the server has not kept. It is transient. */
  public static ofLostPart(): GcsError {
    return new GcsError('the server has kept nothing of a part of the file', 0, 'LOST_PART');
  }

  private constructor(
    message: string,
    /** HTTP status; 0 for a network error. */
    public readonly status: number,
    /** Code of Node for a network error. Can be empty. */
    public readonly code: string,
  ) {
    super(message);
  }

  /** Whether the same request might succeed later. */
  public get isTransient(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500
      || (this.status === 0 && !/CERT|ENOTFOUND|ECONNREFUSED|ERR_TLS/.test(this.code));
  }
}

function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    return typeof error?.message === 'string' ? error.message : undefined;
  } catch {
    const line = text.trim().split('\n', 1)[0]!.slice(0, 200);
    return line === '' || line.startsWith('<') ? undefined : line;
  }
}

/** Returns the remedy for an error. */
export function adviceOnGcs({ status, code, message }: GcsError, bucket: string): string {
  switch (status) {
    case 400: return /md5|checksum|hash/i.test(message) ? 'the file changed during the upload: try again' : 'check --upload-to';
    case 401: return 'the token is not, or no longer, valid: run `gcloud auth application-default login`, or get a new one';
    case 403: return `these credentials cannot write to ${bucket}: they need storage.objects.create there, and storage.objects.get to find existing files`;
    case 404: return `create the bucket ${bucket}, or name another one in --upload-to`;
    case 412: return 'another client wrote the same object: try again';
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ECONNREFUSED') return 'check the network, and STORAGE_EMULATOR_HOST if it is set';
  if (/CERT|TLS/.test(code)) return 'its certificate is not trusted: add its CA with NODE_EXTRA_CA_CERTS';
  return 'try again';
}
