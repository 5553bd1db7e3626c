import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { CallOptions, KubeClientOptions, Query, WatchEvent } from './client-types';
import { sleep, systemClock } from './clock';
import type { Connection } from './connection';
import { Deadline } from './deadline';
import { withDefaults } from './defaults';
import { ApiError, type Call, NetworkError, type Status, toError } from './errors';
import type { KubeObject } from './objects';
import { RateLimiter } from './rate-limiter';
import { ACCEPT_PROTOBUF, decodeStatus, isProtobuf, openList } from './protobuf/answer';
import type { Message } from './protobuf/message';
import { readBytes, Transport } from './transport';
import { readWatchStream } from './watch-stream';

/**
 * Attempts at a call that the server answers with 429 and a Retry-After, unless the call sets its
 * own number.
 */
const MAX_ATTEMPTS = 3;

/** Longest Retry-After, in seconds, for which the client waits; the caller handles a longer one. */
const MAX_RETRY_AFTER = 10;

/**
 * Limit of an API server; it might close the connection on a larger request before its answer can
 * be read.
 */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

const JSON_TYPE = 'application/json';

const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** A call as an HTTP request, for calls that the other methods do not cover. */
export interface Request extends CallOptions {
  readonly method: keyof typeof VERBS;
  /** Escaped path, without query. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. @default - no body */
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /**
   * Settings of an answer that is a list whose objects are parsed on demand, see `UnreadList`.
   * @default - the whole answer is parsed
   */
  readonly list?: {
    /** Requests protobuf and reads the objects with this. @default - JSON */
    readonly objects?: Message;
    /** Largest accepted answer, in bytes. @default - the client's `maxResponseBytes` */
    readonly maxBytes?: number;
  };
  /** Names the call in errors and statistics. @default - the path is the resource */
  readonly call?: Call;
}

/** A watch as an HTTP request. */
export interface StreamRequest {
  /** Escaped path, without query. */
  readonly path: string;
  readonly query: Query;
  /** Milliseconds without a byte after which the stream is treated as dead. */
  readonly idleTimeout: number;
  /** Called for everything that arrives, including the head of the answer. */
  readonly onActivity?: () => void;
  /** Requests protobuf and reads the objects with this. @default - JSON */
  readonly objects?: Message;
  readonly signal?: AbortSignal;
  /** Names the watch in errors and statistics. */
  readonly call: Call;
}

/** Content of the HTTP headers. */
interface Headers {
  readonly accept: string;
  readonly contentType?: string;
  /** @default - no body */
  readonly contentLength?: number;
}

/** A read of raw bytes as an HTTP request. */
export interface BytesRequest {
  /** Escaped path, without query. */
  readonly path: string;
  readonly query: Query;
  /**
   * Milliseconds until the head of the answer; `Infinity` sets no limit. The body has no time
   * limit.
   * @default - the client's timeout
   */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Names the call in errors and statistics. */
  readonly call: Call;
}

/**
 * JSON over HTTP with the API server: limits the rate, sets deadlines, turns error answers into
 * exceptions, and collects statistics.
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
      newTransport: (to: Connection, sockets: number) => new Transport(to, sockets),
    });
    const { qps, burst = 2 * qps, clock } = this.options;
    this.limiter = new RateLimiter(qps, burst, clock);
    this.transport = this.options.newTransport(connection, this.options.maxSockets);
  }

  /** Makes a call and returns the JSON of the answer. */
  async request<R>(request: Request): Promise<R> {
    const call = request.call ?? { verb: VERBS[request.method], resource: request.path };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    if (bytes > MAX_REQUEST_BYTES) {
      const message = `the object has ${bytes} bytes of JSON; an API server accepts ${MAX_REQUEST_BYTES}`;
      throw new ApiError(call, 413, { message });
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
        // The server sent the same Retry-After to all rejected clients; jitter keeps them from
        // returning together.
        await sleep(this.options.clock, retryAfter * 1_000 + this.options.random() * 1_000, request.signal);
      }
    }
  }

  /** Reads a watch until the server ends it; see `KubeClient.watch`. */
  async stream<T extends KubeObject>(request: StreamRequest, onEvent: (event: WatchEvent<T>) => void): Promise<void> {
    const { call, idleTimeout, onActivity, objects, signal } = request;
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
        method: 'GET',
        path: request.path + queryString(request.query),
        headers: this.headers({ accept: acceptOf(objects) }),
        stream: true,
        call,
      }, deadline);
      statistics.report(response.statusCode!);
      if (response.statusCode !== 200) {
        const body = await readBytes(response, this.options.maxResponseBytes, call, onReceived);
        throw apiError(call, response.statusCode!, response.headers, body);
      }
      stayAlive();
      await readWatchStream<T>(response, call, this.options.maxEventBytes, {
        onBytes: (bytes) => {
          stayAlive();
          onReceived?.(bytes);
        },
        onEvent: (event: WatchEvent<T>) => {
          // After the caller has aborted on an event, the rest of its packet is dropped.
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

  /** Streams an answer that is not JSON; see `KubeClient.bytes`. */
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

  /**
   * Closes all connections. Active, waiting and later calls fail; calls that wait for the rate
   * limit fail when they are sent.
   */
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
      const { list } = request;
      const { status, headers, body: answer } = await this.transport.call({
        method: request.method,
        path: request.path + queryString(request.query),
        headers: this.headers({
          accept: acceptOf(list?.objects),
          ...(body !== undefined && { contentType: request.contentType, contentLength: bytes }),
        }),
        body,
        stream: false,
        ...(guard && request.method !== 'GET' && { mayBeSent: () => guard(call) }),
        call,
      }, deadline, { maxBytes: Math.min(list?.maxBytes ?? Infinity, this.options.maxResponseBytes), onBytes: this.countBytes(call) });
      statistics.report(status);
      if (status < 200 || status > 299) throw apiError(call, status, headers, answer);
      if (list) {
        const { objects } = list;
        const [form, open] = objects && isProtobuf(headers)
          ? ['protobuf', () => openList(answer, objects)] as const : ['JSON', () => JSON.parse(answer.toString('utf8'))] as const;
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
        const body = await readBytes(response, this.options.maxResponseBytes, call, this.countBytes(call));
        throw apiError(call, response.statusCode!, response.headers, body);
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

  /** Measures a call; only the first report has an effect. */
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

/** Returns the exception for an error answer. */
export function apiError(call: Call, status: number, headers: IncomingHttpHeaders, body: Buffer): ApiError {
  let answer: Status = {};
  try {
    answer = isProtobuf(headers) ? decodeStatus(body) : JSON.parse(body.toString('utf8'));
  } catch {
    // The body is not the API server's but, for example, a proxy's; only the HTTP status is known.
  }
  const retryAfter = Number.parseInt(headers['retry-after'] ?? '', 10);
  return new ApiError(call, status, answer?.kind === 'Status' ? answer : {}, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function parse<R>(call: Call, form: string, read: () => R): R {
  try {
    return read();
  } catch {
    // The parser's message quotes the text, which can contain secrets.
    throw new NetworkError(call, 'BAD_RESPONSE', `the answer is not ${form}`);
  }
}

function acceptOf(message: Message | undefined): string {
  return message ? ACCEPT_PROTOBUF : JSON_TYPE;
}
