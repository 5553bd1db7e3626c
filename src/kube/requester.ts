import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { CallOptions, KubeClientOptions, Query, WatchEvent } from './client-types';
import { sleep, systemClock } from './clock';
import type { Connection } from './connection';
import { Deadline } from './deadline';
import { withDefaults } from './defaults';
import { ApiError, type Call, NetworkError, type Status, toError } from './errors';
import type { KubeObject } from './objects';
import { openJsonList } from './json-list';
import { RateLimiter } from './rate-limiter';
import { ACCEPT_PROTOBUF, decodeStatus, isProtobuf, openList } from './protobuf/answer';
import type { Message } from './protobuf/message';
import { readBytes, Transport } from './transport';
import type { UnreadEvent } from './unread-event';
import { readWatchStream } from './watch-stream';

/** Attempts at a call that the server answers with 429 and a time to come back, unless the call says otherwise. */
const MAX_ATTEMPTS = 3;

/** A longer Retry-After, in seconds, is left to the caller. */
const MAX_RETRY_AFTER = 10;

/** What an API server takes; it may close the connection on more before its answer can be read. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

const JSON_TYPE = 'application/json';

const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** A call in terms of HTTP, for what the other methods do not cover. */
export interface Request extends CallOptions {
  readonly method: keyof typeof VERBS;
  /** Escaped path, without query. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. @default - no body */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** The answer is a list, whose objects are to be left unread, see `UnreadList`. @default - it is read */
  readonly list?: {
    /** How they are read of protobuf, which is asked for then. @default - JSON */
    readonly objects?: Message;
    /** The most bytes of the answer. @default - the client's `maxResponseBytes` */
    readonly maxBytes?: number;
  };
  /** Names the call in errors and statistics; without it the whole path stands for the resource. */
  readonly call?: Call;
}

/** A watch in terms of HTTP. */
export interface StreamRequest {
  /** Escaped path, without query. */
  readonly path: string;
  readonly query: Query;
  /** Milliseconds without a byte after which the stream counts as dead. */
  readonly idleTimeout: number;
  /** Called for all that arrives, the head of the answer included. */
  readonly onActivity?: () => void;
  /** How objects are read of protobuf, which is asked for then. @default - JSON */
  readonly objects?: Message;
  /** Asked about each event of JSON before it is read; one for which it returns `true` is passed over. @default - all are read */
  readonly isKnown?: (event: UnreadEvent) => boolean;
  readonly signal?: AbortSignal;
  /** Names the watch in errors and statistics. */
  readonly call: Call;
}

/** What is said about a request and its body. */
interface Headers {
  readonly accept: string;
  readonly contentType?: string;
  /** @default - there is no body */
  readonly contentLength?: number;
}

/** An answer in bytes, in terms of HTTP. */
export interface BytesRequest {
  /** Escaped path, without query. */
  readonly path: string;
  readonly query: Query;
  /** Milliseconds until the head of the answer; `Infinity` sets no limit. Its body may take as long as it takes. @default - the client's timeout */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Names the call in errors and statistics. */
  readonly call: Call;
}

/**
 * JSON over HTTP as the API server speaks it: limits the rate, holds deadlines, turns refusals into errors, and counts.
 */
export class Requester {
  private readonly transport: Transport;
  private readonly limiter: RateLimiter;
  private readonly options;

  constructor(connection: Connection, options: KubeClientOptions = {}) {
    this.options = withDefaults(options, {
      timeout: 30_000,
      maxSockets: 64,
      maxResponseBytes: 128 * 1024 * 1024,
      maxEventBytes: 16 * 1024 * 1024,
      userAgent: 'cdk8s-spark-operator',
      clock: systemClock,
      random: Math.random,
      qps: 2_000,
    });
    const { qps, burst = 2 * qps, clock } = this.options;
    this.limiter = new RateLimiter(qps, burst, clock);
    this.transport = new Transport(connection, this.options.maxSockets);
  }

  /** Makes a call and returns the JSON that the server answers. */
  async request<R>(request: Request): Promise<R> {
    const call = request.call ?? { verb: VERBS[request.method], resource: request.path };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    if (bytes > MAX_REQUEST_BYTES) {
      throw new ApiError(call, 413, { message: `the object has ${bytes} bytes of JSON; an API server takes ${MAX_REQUEST_BYTES}` });
    }
    if (request.method !== 'GET') this.options.guard?.(call);
    for (let attempt = 1; ; attempt++) {
      if (request.maxWait !== undefined && this.limiter.wait > request.maxWait) {
        throw new NetworkError(call, 'BUSY', `so many calls wait already that its turn would not come within ${request.maxWait} ms`);
      }
      const turn = this.limiter.take(request.signal);
      if (turn) await turn;
      try {
        return await this.attempt<R>(request, call, body, bytes);
      } catch (error) {
        const retryAfter = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
        if (retryAfter === undefined || retryAfter > MAX_RETRY_AFTER || attempt >= (request.attempts ?? MAX_ATTEMPTS)) throw error;
        // All who were turned away were given the same time; they should not come back together.
        await sleep(this.options.clock, retryAfter * 1_000 + this.options.random() * 1_000, request.signal);
      }
    }
  }

  /** Follows a watch until the server ends it; see `KubeClient.watch`. */
  async stream<T extends KubeObject>(request: StreamRequest, onEvent: (event: WatchEvent<T>) => void): Promise<void> {
    const { call, idleTimeout, onActivity, objects, isKnown, signal } = request;
    await this.limiter.take(signal);

    const statistics = this.measure(call);
    const deadline = new Deadline(this.options.clock, signal);
    const onReceived = this.countBytes(call);
    const stayAlive = () => {
      deadline.set(idleTimeout, () => new NetworkError(call, 'IDLE', `nothing arrived for ${idleTimeout} ms`));
      onActivity?.();
    };
    try {
      deadline.set(this.options.timeout, () => timeoutError(call, this.options.timeout));
      const response = await this.transport.open({
        method: 'GET', path: request.path + queryString(request.query), headers: this.headers({ accept: acceptOf(objects) }), stream: true, call,
      }, deadline);
      statistics.report(response.statusCode!);
      if (response.statusCode !== 200) {
        throw apiError(call, response.statusCode!, response.headers, await readBytes(response, this.options.maxResponseBytes, call, onReceived));
      }
      stayAlive();
      await readWatchStream<T>(response, call, this.options.maxEventBytes, {
        onBytes: (bytes) => {
          stayAlive();
          onReceived?.(bytes);
        },
        isKnown: (event) => {
          deadline.throwIfAborted();
          return isKnown?.(event) ?? false;
        },
        onEvent: (event: WatchEvent<T>) => {
          // What came in the same packet as the event on which the caller aborted is not for the caller any more.
          deadline.throwIfAborted();
          onEvent(event);
        },
      }, objects);
    } catch (error) {
      statistics.report(0);
      throw deadline.aborted ? deadline.reason : error;
    } finally {
      deadline.clear();
    }
  }

  /** Reads an answer that is no JSON as it comes; see `KubeClient.bytes`. */
  async *bytes(request: BytesRequest): AsyncGenerator<Buffer, void, undefined> {
    const { call, signal } = request;
    const response = await this.openBytes(request);
    const onReceived = this.countBytes(call);
    if (signal) addAbortSignal(signal, response);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        onReceived?.(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : new NetworkError(call, 'CUT_OFF', `the answer was cut off: ${toError(error).message}`);
    }
  }

  /** Closes all connections. What is under way fails, and so does what waits for a connection, or comes later; what waits for its turn fails then. */
  close(): void {
    this.transport.close();
  }

  private async attempt<R>(request: Request, call: Call, body: string | undefined, bytes: number): Promise<R> {
    const { guard } = this.options;
    const timeout = request.timeout ?? this.options.timeout;
    const statistics = this.measure(call);
    const deadline = new Deadline(this.options.clock, request.signal);
    try {
      deadline.set(timeout, () => timeoutError(call, timeout));
      const response = await this.transport.open({
        method: request.method,
        path: request.path + queryString(request.query),
        headers: this.headers({ accept: acceptOf(request.list?.objects), ...(body !== undefined && { contentType: request.contentType, contentLength: bytes }) }),
        body,
        stream: false,
        ...(guard && request.method !== 'GET' && { mayBeSent: () => guard(call) }),
        call,
      }, deadline);
      const status = response.statusCode!;
      const { list } = request;
      const maxBytes = Math.min(list?.maxBytes ?? Infinity, this.options.maxResponseBytes);
      const answer = await readBytes(response, maxBytes, call, this.countBytes(call));
      statistics.report(status);
      if (status < 200 || status > 299) throw apiError(call, status, response.headers, answer);
      if (list) {
        const { objects } = list;
        const [form, open] = objects && isProtobuf(response.headers)
          ? ['protobuf', () => openList(answer, objects)] as const : ['JSON', () => openJsonList(answer)] as const;
        return parse(call, form, () => ({ ...open(), bytes: answer.length }) as R);
      }
      return parse<R>(call, 'JSON', () => JSON.parse(answer.toString('utf8')));
    } catch (error) {
      statistics.report(0);
      throw deadline.aborted ? deadline.reason : error;
    } finally {
      deadline.clear();
    }
  }

  private async openBytes({ path, query, timeout = this.options.timeout, signal, call }: BytesRequest): Promise<IncomingMessage> {
    await this.limiter.take(signal);
    const statistics = this.measure(call);
    const deadline = new Deadline(this.options.clock, signal);
    try {
      deadline.set(timeout, () => timeoutError(call, timeout));
      const response = await this.transport.open({
        method: 'GET', path: path + queryString(query), headers: this.headers({ accept: 'application/json, */*' }), stream: true, call,
      }, deadline);
      statistics.report(response.statusCode!);
      if (response.statusCode !== 200) {
        throw apiError(call, response.statusCode!, response.headers, await readBytes(response, this.options.maxResponseBytes, call, this.countBytes(call)));
      }
      return response;
    } catch (error) {
      statistics.report(0);
      throw deadline.aborted ? deadline.reason : error;
    } finally {
      deadline.clear();
    }
  }

  private headers({ accept, contentType = JSON_TYPE, contentLength }: Headers): Record<string, string> {
    const headers = { accept, 'user-agent': this.options.userAgent };
    return contentLength === undefined ? headers : { ...headers, 'content-type': contentType, 'content-length': String(contentLength) };
  }

  private countBytes({ verb, resource }: Call): ((bytes: number) => void) | undefined {
    const { onReceived } = this.options;
    return onReceived && ((bytes) => onReceived({ verb, resource, bytes }));
  }

  /** Measures a call; only the first report counts. */
  private measure({ verb, resource }: Call): { report: (status: number) => void } {
    const { clock, onCall } = this.options;
    const started = clock.monotonic();
    let reported = false;
    return {
      report: (status) => {
        if (reported) return;
        reported = true;
        onCall?.({ verb, resource, status, seconds: (clock.monotonic() - started) / 1_000 });
      },
    };
  }
}

function queryString(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
}

function timeoutError(call: Call, timeout: number): NetworkError {
  return new NetworkError(call, 'TIMEOUT', `no complete answer within ${timeout} ms`);
}

/** The error of an answer that is none of success. */
export function apiError(call: Call, status: number, headers: IncomingHttpHeaders, body: Buffer): ApiError {
  let answer: Status = {};
  try {
    answer = isProtobuf(headers) ? decodeStatus(body) : JSON.parse(body.toString('utf8'));
  } catch {
    // Not the API server's own words, but a proxy's: the HTTP status is all there is to say.
  }
  const retryAfter = Number.parseInt(headers['retry-after'] ?? '', 10);
  return new ApiError(call, status, answer?.kind === 'Status' ? answer : {}, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function parse<R>(call: Call, form: string, read: () => R): R {
  try {
    return read();
  } catch {
    // The parser's message quotes the text, which may hold secrets.
    throw new NetworkError(call, 'BAD_RESPONSE', `the answer is not ${form}`);
  }
}

function acceptOf(message: Message | undefined): string {
  return message ? ACCEPT_PROTOBUF : JSON_TYPE;
}
