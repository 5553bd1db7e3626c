/** A call to the API server, for messages and statistics. */
export interface Call {
  /** Verb as in RBAC: get, list, watch, create, update, patch, delete. */
  readonly verb: string;
  /** Plural name, with the subresource if any: `pods/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The fields of the API server's `Status` object (its error answer) that this client uses. */
export interface Status {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

/** Details of a `Status`. */
export interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** Reasons for answers without one, for example of a proxy. */
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
 * An error that the API server answered.
 *
 * The message names the call and contains the server's reason and the first line of its message; it
 * never contains a header or a body.
 */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The server's reason, a CamelCase word. */
  readonly reason: string;
  /** First line of the server's message, cut to 1,024 characters; can be empty. */
  readonly serverMessage: string;
  /** Seconds to wait before a retry, if the server sent a Retry-After. */
  readonly retryAfter?: number;
  /**
   * The server's details, for example the causes of a rejected object. Not enumerable, as loggers
   * print enumerable fields.
   */
  declare readonly details?: StatusDetails;
  /** The failed call. */
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

/** A call without a usable answer: the server might have processed it. */
export class NetworkError extends Error {
  /**
   * - `TIMEOUT`: no complete answer in time
   * - `IDLE`: a watch received nothing for too long
   * - `CUT_OFF`: the answer ended too early
   * - `BAD_RESPONSE`: the answer is not valid for an API server
   * - `TOO_LARGE`: the answer, or an event of a watch, is larger than the client accepts
   * - `CREDENTIALS`: not sent, because credentials were not available
   * - `CLOSED`: not sent, because the client is closed
   * - `BUSY`: not sent, because the call would have waited longer than its `maxWait`
   * - `FORWARD`: the node reported that it could not connect to the port of a pod
   * - other codes are Node's, for example `ECONNREFUSED`
   */
  readonly code: string;
  /** The failed call. */
  readonly call: Call;

  constructor(call: Call, code: string, message: string) {
    super(`${describeCall(call)}: ${message}`);
    this.name = 'NetworkError';
    this.code = code;
    this.call = call;
  }
}

/*
 * The functions below recognise errors by their names and not by `instanceof`: a program can have
 * several copies of this code, each with its own classes, for example in two bundles.
 */

/** Whether the API server answered with an error. */
export function isApiError(error: unknown): error is ApiError {
  return isNamed(error, 'ApiError');
}

/** Whether a call got no usable answer. */
export function isNetworkError(error: unknown): error is NetworkError {
  return isNamed(error, 'NetworkError');
}

/** Whether the API server does not accept the credentials, for example as a token has expired. */
export function isUnauthorized(error: unknown): boolean {
  return hasStatus(error, 401);
}

/** Whether the answer took too long: that of the API server, or one that it waited for. */
export function isTimeout(error: unknown): boolean {
  return (isNetworkError(error) && error.code === 'TIMEOUT') || hasStatus(error, 504);
}

/** Whether the object, or the resource type, does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404);
}

/** Whether the object has changed since it was read, or a precondition does not hold. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409) && !isAlreadyExists(error);
}

/** Whether an object with this name exists already. */
export function isAlreadyExists(error: unknown): boolean {
  return hasStatus(error, 409) && (error as ApiError).reason === 'AlreadyExists';
}

/** Whether the resource version or the continue token has expired. */
export function isGone(error: unknown): boolean {
  return hasStatus(error, 410);
}

/** Whether RBAC, a quota or an admission plugin forbids the call. */
export function isForbidden(error: unknown): boolean {
  return hasStatus(error, 403);
}

/** Whether the server rejects the object as invalid. */
export function isInvalid(error: unknown): boolean {
  return hasStatus(error, 422);
}

/**
 * Whether the resource version is newer than the server's: it lags behind, or was restored from a
 * backup.
 */
export function isResourceVersionTooNew(error: unknown): boolean {
  return isApiError(error) && (error.details?.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge');
}

/**
 * Whether a retry can succeed: no answer, an overloaded server, or an internal error of the server.
 */
export function isTransient(error: unknown): boolean {
  return isNetworkError(error) || (isApiError(error) && (error.status === 429 || error.status >= 500));
}

/** Codes of calls that were not sent. */
const NOT_SENT = ['CREDENTIALS', 'CLOSED', 'BUSY', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/**
 * Whether the server might have processed a failed call: it did not answer, or answered with an
 * internal error, which can happen after the change.
 */
export function mightHaveSucceeded(error: unknown): boolean {
  return (isNetworkError(error) && !NOT_SENT.includes(error.code)) || (isApiError(error) && error.status >= 500);
}

/**
 * Returns a handler of rejections that answers undefined for errors of these kinds, and throws
 * others again.
 */
export function ignoring(...kinds: readonly ((error: unknown) => boolean)[]): (error: unknown) => undefined {
  return (error) => {
    if (!kinds.some((isOfKind) => isOfKind(error))) throw error;
  };
}

/** Converts any thrown value to an `Error`. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function hasStatus(error: unknown, status: number): boolean {
  return isApiError(error) && error.status === status;
}

/** Whether an error has the name of a class. */
export function isNamed(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && (error as { readonly name?: string }).name === name;
}

function describeCall({ verb, resource, namespace, name }: Call): string {
  const where = [namespace, name ?? (namespace && '*')].filter(Boolean).join('/');
  return `${verb} ${resource}${where && ` ${where}`}`;
}

function firstLine(message: string): string {
  // Further lines can contain dumps of objects, environment variables included.
  const line = message.split('\n', 1)[0]!;
  return line.length > MAX_SERVER_MESSAGE ? `${line.slice(0, MAX_SERVER_MESSAGE - 1)}…` : line;
}
