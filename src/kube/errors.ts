/** What was asked of the API server, for messages and statistics. */
export interface Call {
  /** In the words of RBAC: get, list, watch, create, update, patch, delete. */
  readonly verb: string;
  /** Plural name, with the subresource if any: `pods/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The `Status` object that the API server answers an error with; the fields that we read. */
export interface Status {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

/** What the server adds to a `Status`. */
export interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** Reasons for answers that carry none, a proxy's for example. */
const REASONS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const MAX_SERVER_MESSAGE = 1_024;

/**
 * The API server answered with an error.
 *
 * The message names the call and gives the server's reason and the first line of its message; it never has a header or
 * a body in it.
 */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The server's reason, a CamelCase word. */
  readonly reason: string;
  /** The first line of the server's own message, cut to 1,024 characters; may be empty. */
  readonly serverMessage: string;
  /** Seconds to wait before asking again, when the server said so. */
  readonly retryAfter?: number;
  /** The server's details: the causes of a refused object, for example. Not enumerable, as loggers print those fields. */
  declare readonly details?: StatusDetails;
  /** What was asked. */
  readonly call: Call;

  constructor(call: Call, status: number, answer: Status = {}, retryAfter = answer.details?.retryAfterSeconds) {
    const reason = answer.reason || REASONS[status] || 'Unknown';
    const serverMessage = firstLine(answer.message ?? '');
    super(`${describeCall(call)}: ${status} ${reason}${serverMessage && `: ${serverMessage}`}`);
    this.name = 'ApiError';
    this.call = call;
    this.status = status;
    this.reason = reason;
    this.serverMessage = serverMessage;
    this.retryAfter = retryAfter;
    Object.defineProperty(this, 'details', { value: answer.details });
  }
}

/**
 * There was no usable answer, so whether the server did what was asked is unknown.
 */
export class NetworkError extends Error {
  /**
   * - `TIMEOUT`: no complete answer in time
   * - `IDLE`: a watch was silent for too long
   * - `CUT_OFF`: the answer ended too early
   * - `BAD_RESPONSE`: the answer is not what an API server says
   * - `TOO_LARGE`: the answer, or an event of a watch, is larger than the client takes
   * - `CREDENTIALS`: nothing was sent, because no credentials could be had
   * - `CLOSED`: nothing was sent, because the client has been closed
   * - `BUSY`: nothing was sent, because its turn would not have come in time (`maxWait` of the call)
   * - `FORWARD`: the node could not connect to the port of a pod, as it says
   * - anything else is Node's, `ECONNREFUSED` for example
   */
  readonly code: string;
  /** What was asked. */
  readonly call: Call;

  constructor(call: Call, code: string, message: string) {
    super(`${describeCall(call)}: ${message}`);
    this.name = 'NetworkError';
    this.code = code;
    this.call = call;
  }
}

/** The object, or the resource type, does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404);
}

/** The object has changed since it was read, or a precondition does not hold. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409) && !isAlreadyExists(error);
}

/** There is an object of this name already. */
export function isAlreadyExists(error: unknown): boolean {
  return hasStatus(error, 409) && (error as ApiError).reason === 'AlreadyExists';
}

/** The resource version or the continue token is too old. */
export function isGone(error: unknown): boolean {
  return hasStatus(error, 410);
}

/** The operator may not do this, or a quota or an admission plugin forbids it. */
export function isForbidden(error: unknown): boolean {
  return hasStatus(error, 403);
}

/** The object is refused as it is. */
export function isInvalid(error: unknown): boolean {
  return hasStatus(error, 422);
}

/** The server knows no resource version this new: it lags behind, or was restored from a backup. */
export function isResourceVersionTooNew(error: unknown): boolean {
  return error instanceof ApiError && (error.details?.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge');
}

/** The same call may well succeed later: there was no answer, the server is overloaded, or it has an error of its own. */
export function isTransient(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
}

/** Codes of calls that did not reach the server: none of them was sent. */
const NOT_SENT = ['CREDENTIALS', 'CLOSED', 'BUSY', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a call that failed may have done what it was for: there was no answer, or the server has an error of its own, which may come after it was done. */
export function mayHaveBeenDone(error: unknown): boolean {
  return (error instanceof NetworkError && !NOT_SENT.includes(error.code)) || (error instanceof ApiError && error.status >= 500);
}

/** Makes an `Error` of whatever was thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function describeCall({ verb, resource, namespace, name }: Call): string {
  const where = [namespace, name ?? (namespace && '*')].filter(Boolean).join('/');
  return `${verb} ${resource}${where && ` ${where}`}`;
}

function firstLine(message: string): string {
  // The lines after the first are dumps of objects, environment variables included.
  const line = message.split('\n', 1)[0]!;
  return line.length > MAX_SERVER_MESSAGE ? `${line.slice(0, MAX_SERVER_MESSAGE - 1)}…` : line;
}
