import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeClient, type KubeClientOptions } from '../../../src/kube/client';
import type { Connection } from '../../../src/kube/connection';
import { keyOf } from '../../../src/kube/objects';
import { pathOf } from '../../../src/kube/resource';
import { type Thing, THINGS } from './things';

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Answers a request instead of the server. */
export type Fault = (request: SeenRequest, response: http.ServerResponse) => void;

interface HistoryEvent {
  readonly type: string;
  readonly rv: number;
  readonly object: object;
  readonly namespace?: string;
}

/** List and watch of one collection as in an API server, over real HTTP, with faults on demand. */
export class FakeApiServer {
  static async start(): Promise<FakeApiServer> {
    const server = new FakeApiServer();
    await new Promise<void>((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Options of all clients. */
  static options: KubeClientOptions = {};

  /** Agent of its clients, as of a proxy. @default - none */
  agent?: http.Agent;
  /** All requests so far. */
  readonly requests: SeenRequest[] = [];
  /** Headers that the client sends. */
  readonly headers: Record<string, string> = {};
  private readonly http = http.createServer((request, response) => this.receive(request, response));
  private readonly objects = new Map<string, Thing>();
  private readonly watches = new Set<{ response: http.ServerResponse; namespace?: string }>();
  private readonly faults: { matches: (request: SeenRequest) => boolean; fault: Fault }[] = [];
  private readonly waiting: { matches: (request: SeenRequest) => boolean; resolve: (request: SeenRequest) => void }[] = [];
  private history: HistoryEvent[] = [];
  private snapshots = new Map<string, { rest: Thing[]; rv: number }>();
  private compacted = 0;
  private rv = 10;
  private clients: KubeClient[] = [];

  get connection(): Connection {
    const { port } = this.http.address() as AddressInfo;
    return { server: `http://127.0.0.1:${port}`, credentials: async () => ({ headers: this.headers, tls: {}, ...(this.agent && { agent: this.agent }) }) };
  }

  /** Returns a client of this server, without a rate limit; closed together with it. */
  client(options: KubeClientOptions = {}): KubeClient {
    const client = new KubeClient(this.connection, { qps: 0, ...FakeApiServer.options, ...options });
    this.clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    this.clients.forEach((client) => client.close());
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  // --- The state ---

  get resourceVersion(): number {
    return this.rv;
  }

  /** Number of open watches. */
  get watching(): number {
    return this.watches.size;
  }

  /** Returns all objects by key. */
  state(): Record<string, Thing> {
    return Object.fromEntries([...this.objects].sort(([a], [b]) => a < b ? -1 : 1));
  }

  /** Creates or changes an object, and notifies the watches. */
  put(object: Thing): Thing {
    const key = keyOf(object.metadata);
    const old = this.objects.get(key);
    const stored: Thing = {
      ...object,
      metadata: { uid: old?.metadata.uid ?? `uid-${this.rv + 1}`, ...object.metadata, resourceVersion: String(++this.rv) },
    };
    this.objects.set(key, stored);
    this.happened(old ? 'MODIFIED' : 'ADDED', stored);
    return stored;
  }

  /** Deletes an object, and notifies the watches. */
  remove(name: string, namespace = 'default'): void {
    const old = this.objects.get(`${namespace}/${name}`);
    if (!old) return;
    this.objects.delete(`${namespace}/${name}`);
    this.happened('DELETED', { ...old, metadata: { ...old.metadata, resourceVersion: String(++this.rv) } });
  }

  // --- What can go wrong ---

  /** Answers the next matching request instead of the server. */
  fail(matches: (request: SeenRequest) => boolean, fault: Fault): void {
    this.faults.push({ matches, fault });
  }

  /** Deletes all history: earlier resource versions and continue tokens get a 410. */
  compact(): void {
    this.compacted = this.rv;
    this.history = [];
    this.snapshots.clear();
  }

  /** Restores an earlier state, as after a restore from a backup. */
  restore(objects: Thing[], resourceVersion: number): void {
    this.disconnect();
    this.objects.clear();
    objects.forEach((object) => this.objects.set(keyOf(object.metadata), object));
    this.rv = this.compacted = resourceVersion;
    this.history = [];
  }

  /** Breaks all watches; with a text, in the middle of an event. */
  disconnect(lastWords?: string): void {
    for (const { response } of this.watches) {
      if (lastWords === undefined) {
        response.destroy();
      } else {
        response.write(lastWords, () => response.destroy());
      }
    }
    this.watches.clear();
  }

  /** Ends all watches regularly. */
  endWatches(): void {
    for (const { response } of this.watches) response.end();
    this.watches.clear();
  }

  /** Writes bytes into all watches. */
  send(bytes: string): void {
    for (const { response } of this.watches) response.write(bytes);
  }

  sendEvent(type: string, object: object): void {
    this.send(`${JSON.stringify({ type, object })}\n`);
  }

  sendBookmark(resourceVersion = this.rv): void {
    this.sendEvent('BOOKMARK', { kind: 'Thing', metadata: { resourceVersion: String(resourceVersion) } });
  }

  // --- What arrives ---

  /** Resolves with the next matching request. */
  request(matches: (request: SeenRequest) => boolean): Promise<SeenRequest> {
    return new Promise((resolve) => this.waiting.push({ matches, resolve }));
  }

  private receive(incoming: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.once('end', () => {
      const url = new URL(incoming.url!, 'http://server');
      const request: SeenRequest = {
        method: incoming.method!, path: url.pathname, query: url.searchParams, headers: incoming.headers, body: Buffer.concat(chunks).toString(),
      };
      this.requests.push(request);
      const fault = takeFirst(this.faults, ({ matches }) => matches(request));
      if (fault) {
        fault.fault(request, response);
      } else {
        this.answer(request, response);
      }
      takeFirst(this.waiting, ({ matches }) => matches(request))?.resolve(request);
    });
  }

  private answer(request: SeenRequest, response: http.ServerResponse): void {
    const namespace = /\/namespaces\/([^/]+)\//.exec(request.path)?.[1];
    if (request.path !== pathOf(THINGS, namespace)) {
      sendStatus(response, 404, 'NotFound', 'no such path');
    } else if (request.query.get('watch') === 'true') {
      this.answerWatch(Number(request.query.get('resourceVersion')), response, namespace);
    } else {
      this.answerList(request.query, response, namespace);
    }
  }

  private answerList(query: URLSearchParams, response: http.ServerResponse, namespace?: string): void {
    const token = query.get('continue');
    const limit = Number(query.get('limit') ?? Infinity);
    const snapshot = token ? this.snapshots.get(token) : { rest: this.inScope(namespace), rv: this.rv };
    if (!snapshot) {
      sendStatus(response, 410, 'Expired', 'the provided continue parameter is too old');
      return;
    }
    const rest = snapshot.rest.slice(limit);
    const next = rest.length > 0 ? `token-${this.snapshots.size}-${snapshot.rv}` : undefined;
    if (next) this.snapshots.set(next, { rest, rv: snapshot.rv });
    sendJson(response, 200, {
      kind: 'ThingList',
      metadata: { resourceVersion: String(snapshot.rv), continue: next },
      // As for built-in kinds, items have no type.
      items: snapshot.rest.slice(0, limit).map(({ apiVersion, kind, ...item }) => item),
    });
  }

  private answerWatch(from: number, response: http.ServerResponse, namespace?: string): void {
    if (from < this.compacted) {
      sendStatus(response, 410, 'Expired', `too old resource version: ${from} (${this.compacted})`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const event of this.history) {
      if (event.rv > from && (namespace === undefined || event.namespace === namespace)) {
        response.write(`${JSON.stringify({ type: event.type, object: event.object })}\n`);
      }
    }
    const watch = { response, namespace };
    this.watches.add(watch);
    response.once('close', () => this.watches.delete(watch));
  }

  private happened(type: string, object: Thing): void {
    const { namespace } = object.metadata;
    this.history.push({ type, rv: this.rv, object, namespace });
    for (const watch of this.watches) {
      if (watch.namespace === undefined || watch.namespace === namespace) {
        watch.response.write(`${JSON.stringify({ type, object })}\n`);
      }
    }
  }

  private inScope(namespace: string | undefined): Thing[] {
    return [...this.objects.values()].filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }
}

export const isList = ({ method, query }: SeenRequest) => method === 'GET' && !query.has('watch');
export const isWatch = ({ query }: SeenRequest) => query.has('watch');
export const isAny = () => true;

/** Fault: the server answers with an error. */
export function status(code: number, reason: string, message = '', headers: http.OutgoingHttpHeaders = {}): Fault {
  return (_, response) => sendStatus(response, code, reason, message, headers);
}

/** Fault: the connection breaks before an answer. */
export const reset: Fault = (_, response) => response.socket!.resetAndDestroy();

/** Fault: there is no answer. */
export const silence: Fault = () => {};

/** Fault, or none: answers with this JSON. */
export function json(body: unknown, code = 200): Fault {
  return (_, response) => sendJson(response, code, body);
}

/** Fault: answers with this text. */
export function text(body: string, code = 200): Fault {
  return (_, response) => response.writeHead(code).end(body);
}

function sendJson(response: http.ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendStatus(response: http.ServerResponse, code: number, reason: string, message: string, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }));
}

function takeFirst<E>(items: E[], matches: (item: E) => boolean): E | undefined {
  const index = items.findIndex(matches);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}
