import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { encodeAnswer, codeOf } from './answer';
import { Bodies, discardRest, type BodyLimits } from './body';
import type { CertificateSource } from './certificates/source';
import {
  CHECKING_INTERVAL, HANDSHAKE_TIMEOUT, HEADERS_TIMEOUT, KEEP_ALIVE, MAX_ANSWER_TIME, MAX_CONNECTIONS, REQUEST_TIMEOUT,
  SHARE_OF_ADDRESS, SILENCE_TIMEOUT,
} from './limits';
import { NotAReview, parseReview } from './parse';
import { CannotAnswer, type AdmissionHandler, type AdmissionRequest } from './review';
import { ReviewQueue } from './review-queue';
import type { Address, TlsVersion } from '../../flags/values';
import type { Clock } from '../../kube/clock';
import { ApiError, isTransient, NetworkError, toError } from '../../kube/errors';
import { addressOf, InboundConnections, type ConnectionLimits } from '../../kube/inbound-connections';
import type { Logger } from '../../kube/logger';
import { unlessAborted } from '../../kube/single-flight-cache';

/** An answered review, for metrics. */
export interface AnsweredReview {
  /** The path; `other` for unknown paths. */
  readonly path: string;
  /** The operation; undefined if the request was not a review. */
  readonly operation?: AdmissionRequest['operation'];
  /** Whether the object was accepted; undefined if the answer was an HTTP error. */
  readonly allowed?: boolean;
  /** 200, the status of the refusal, or the HTTP error. */
  readonly code: number;
  /** Seconds from the head of the request to the answer. */
  readonly seconds: number;
}

/** Options of the server. */
export interface AdmissionServerOptions {
  readonly address: Address;
  /** Handlers by path. */
  readonly handlers: Readonly<Record<string, AdmissionHandler>>;
  readonly certificates: Pick<CertificateSource, 'current' | 'onChange'>;
  /** Minimum TLS version. */
  readonly minVersion: TlsVersion;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called with each answer. Must not throw. @default - none */
  readonly onAnswer?: (review: AnsweredReview) => void;
  readonly limits?: BodyLimits;
  /** @default - MAX_CONNECTIONS, and a share of it for each client */
  readonly connections?: ConnectionLimits;
}

const UNANSWERED = 'a review could not be answered';

/** Milliseconds for sending the last answers. */
const FLUSH_TIME = 250;

/**
 * Answers the AdmissionReviews of API servers.
 *
 * It reports an invalid object in an answer that refuses it. Every other failure, such as an error
 * of a handler or a malformed request, is an HTTP error. The API server then considers the webhook
 * failed, and its failure policy decides. It is `Ignore` for applications, which the operator
 * checks again when it submits them. A refusal in an AdmissionReview would ignore that policy.
 *
 * The server speaks only HTTP/1.1, and API servers fall back to that. A single HTTP/2 connection
 * could open streams faster than the server answers them.
 */
export class AdmissionServer {
  private readonly options: AdmissionServerOptions;
  private readonly server: Server;
  private readonly bodies: Bodies;
  private readonly underWay = new Set<ServerResponse>();
  private readonly connections: InboundConnections;
  private readonly queue = new ReviewQueue();
  private isEnding = false;
  private onIdle?: () => void;

  constructor(options: AdmissionServerOptions) {
    this.options = options;
    this.bodies = new Bodies(options.limits);
    this.connections = new InboundConnections(options.connections ?? {
      all: MAX_CONNECTIONS, ofClient: MAX_CONNECTIONS * SHARE_OF_ADDRESS,
    });
    // Without a certificate only handshakes fail.
    const tls = { minVersion: options.minVersion, handshakeTimeout: HANDSHAKE_TIMEOUT, connectionsCheckingInterval: CHECKING_INTERVAL };
    this.server = createServer(tls);
    this.connections.serve(this.server, (request, response) => void this.answer(request, response));
    this.server.headersTimeout = HEADERS_TIMEOUT;
    this.server.requestTimeout = REQUEST_TIMEOUT;
    this.server.keepAliveTimeout = KEEP_ALIVE;
    this.server.timeout = SILENCE_TIMEOUT;
    // Scanners, probes of the port, and API servers without the current CA cause these errors.
    this.server.on('tlsClientError', (error) => options.logger.debug({ err: error }, 'a TLS handshake failed'));
    options.certificates.onChange(() => this.useCertificate());
    this.useCertificate();
  }

  /** The port, also if port 0 was requested. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Bytes of reviews that are held now. */
  get heldBytes(): number {
    return this.bodies.heldBytes;
  }

  /** Starts the server. @throws Error if it cannot listen on the address */
  async start(): Promise<void> {
    const { host, port } = this.options.address;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host, port }, () => {
        this.server.off('error', reject);
        this.server.on('error', (error) => this.options.logger.error({ err: error }, 'the webhook server has failed'));
        resolve();
      });
    });
  }

  /**
   * Keeps answering, but closes each connection after its next answer. API servers keep connections
   * even when no Service leads here any more. Ending a connection while a review is in transit
   * would lose that review.
   */
  leave(): void {
    this.isEnding = true;
  }

  /**
   * Stops accepting requests, and answers those that have arrived.
   *
   * @param grace milliseconds after which unanswered requests are ended
   */
  async stop(grace: number): Promise<void> {
    const { clock } = this.options;
    this.leave();
    const end = () => this.connections.end();
    let timer = clock.setTimeout(end, grace);
    // The remaining connections have not sent a whole request, or have not finished the handshake.
    this.onIdle = () => {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(end, FLUSH_TIME);
    };
    // Also ends the connections without a request.
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    if (this.underWay.size === 0) this.onIdle();
    await closed;
    clock.clearTimeout(timer);
  }

  private useCertificate(): void {
    const { certificates, minVersion, logger } = this.options;
    const current = certificates.current();
    if (!current) return;
    try {
      // Existing connections keep their certificate.
      this.server.setSecureContext({ cert: current.cert, key: current.key, minVersion });
    } catch (error) {
      logger.error({ err: error }, 'the certificate of the webhook cannot be used; the server keeps the previous one');
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { options: { handlers, clock, logger, onAnswer } } = this;
    const begin = clock.monotonic();
    const url = request.url ?? '/';
    const path = url.split('?', 1)[0]!;
    const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    const given: { review?: AdmissionRequest; allowed?: boolean } = {};
    let code: number;
    this.begin(response);
    const waiting = this.waitFor(response, answerTime(url));
    try {
      if (!handler) throw new NotAReview('there is no webhook of this path', 404);
      checkHead(request);
      const body = await this.bodies.read(request);
      try {
        await this.queue.next(addressOf(request.socket), waiting.signal, () => clock.monotonic() >= begin + answerTime(url), tooLate);
        given.review = parseReview(body.take(), body.grow);
        this.connections.prove(request.socket);
        const answer = await waiting.orAborted(handler(given.review, waiting.signal));
        send(response, 200, 'application/json', encodeAnswer(given.review.uid, answer), this.isEnding);
        given.allowed = answer.allowed;
        code = codeOf(answer);
      } finally {
        body.release();
      }
    } catch (thrown) {
      const error = toError(thrown);
      const { status, text } = faultOf(error);
      code = status;
      if (!(error instanceof NotAReview) && !response.destroyed) {
        const { kind, namespace, name, operation } = given.review ?? {};
        const fields = { path, kind: kind?.kind, namespace, name, operation };
        // An unavailable API server causes many of these errors, and the failed call adds nothing.
        // Reviews beyond the request limit can be forged, so only metrics count them.
        if (isBusy(error)) logger.debug({ ...fields, reason: error.message }, UNANSWERED);
        else if (status === 503 || error instanceof CannotAnswer) logger.warn({ ...fields, reason: error.message }, UNANSWERED);
        else logger.error({ ...fields, err: error }, UNANSWERED);
      }
      await discardRest(request);
      send(response, status, 'text/plain; charset=utf-8', `${text}\n`, this.isEnding || !request.complete || isFaultOfSender(status));
    } finally {
      waiting.end();
    }
    onAnswer?.({
      path: handler ? path : 'other', operation: given.review?.operation, allowed: given.allowed, code,
      seconds: (clock.monotonic() - begin) / 1000,
    });
  }

  /** Aborts the work on an answer when the API server no longer waits for it. */
  private waitFor(response: ServerResponse, time: number) {
    const { clock } = this.options;
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = clock.setTimeout(() => waiting.abort(tooLate()), time);
    const onClose = () => waiting.abort(new NotAReview('the API server does not wait any more', 499));
    response.once('close', onClose);
    return {
      signal,
      orAborted: <T>(work: T | Promise<T>): T | Promise<T> => (work instanceof Promise ? unlessAborted(work, signal) : work),
      end() {
        clock.clearTimeout(timer);
        response.off('close', onClose);
      },
    };
  }

  private begin(response: ServerResponse): void {
    this.underWay.add(response);
    // Also without an answer, if the connection broke.
    response.once('close', () => {
      this.underWay.delete(response);
      if (this.underWay.size === 0) this.onIdle?.();
    });
  }
}

/** Checks the head of a request. @throws NotAReview for requests that API servers do not send */
function checkHead({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new NotAReview('only POST is answered', 405);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new NotAReview('only application/json is read', 415);
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) throw new NotAReview('only plain bodies are read', 415);
}

/**
 * Whether the client is at fault. API servers do not repeat such requests, so the server closes
 * their connections.
 */
function isFaultOfSender(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Whether the rate limit of calls to the API server was exceeded. */
function isBusy(error: Error): boolean {
  return error instanceof NetworkError && error.code === 'BUSY';
}

function tooLate(): NotAReview {
  return new NotAReview('the review could not be answered in time', 504);
}

/**
 * Returns how long the API server waits according to the query, minus a margin for the transfer of
 * the answer.
 */
function answerTime(url: string): number {
  const [, number, unit] = /[?&]timeout=(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)(?:&|$)/.exec(url) ?? [];
  if (number === undefined) return MAX_ANSWER_TIME;
  const time = Number(number) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
  return Math.min(MAX_ANSWER_TIME, time * 0.9);
}

/**
 * Returns the HTTP status and text for an error. The API server shows the text to users if its
 * failure policy is Fail.
 */
function faultOf(error: Error): { readonly status: number; readonly text: string } {
  if (error instanceof NotAReview) return { status: error.status, text: error.message };
  // Not 503: the API server does not show the text of that (NewGenericServerResponse of
  // k8s.io/apimachinery).
  if (error instanceof CannotAnswer) return { status: 500, text: error.message };
  if (isTransient(error)) return { status: 503, text: 'the Kubernetes API cannot be asked for what this needs at the moment; try again' };
  // A permanent error, such as a missing permission. It names the call and the server's reason.
  if (error instanceof ApiError || error instanceof NetworkError) return { status: 500, text: error.message };
  return { status: 500, text: 'internal error of the webhook; its log has more' };
}

function send(response: ServerResponse, status: number, type: string, body: string, isLast: boolean): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    'content-type': type, 'content-length': Buffer.byteLength(body), 'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'POST' }), ...(isLast && { connection: 'close' }),
  });
  response.end(body);
}
