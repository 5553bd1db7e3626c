import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Transform } from 'node:stream';
import { parse, stringify } from 'yaml';
import { errorEvent } from './protobuf';
import { isProtobuf } from '../../src/kube/protobuf/answer';

/** A call of the API server. */
export interface ProxiedCall {
  /** In the words of RBAC. */
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  /** Plural name, with the subresource if any: `pods/status`. */
  readonly resource: string;
  readonly namespace?: string;
  /** Of the object; for one that is created, from the body. */
  readonly name?: string;
  readonly path: string;
  /** The body that was sent. */
  readonly body?: any;
}

/** A whole answer. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Handles a call: a rule must answer, pass or drop it. */
export type Rule = (exchange: Exchange) => Promise<void> | void;

/** A watch that is open. */
export interface OpenWatch {
  readonly call: ProxiedCall;
  /** Breaks the connection. */
  drop(): void;
  /** Nothing arrives any more, and nothing is broken. */
  stall(): void;
  /** Sends an error in the API server's place, and ends the watch. */
  fail(status: { readonly code: number; readonly reason: string; readonly message: string }): void;
}

/**
 * A proxy between an operator and the API server that treats calls as faulty networks and API servers do.
 *
 * It speaks plain HTTP on loopback; what it passes on, the credentials included, is as the operator sent it.
 */
export class FaultProxy {
  /** Handles each call. @default - passes it on */
  public rule: Rule = (exchange) => exchange.pass();
  /** All calls that arrived, in order. */
  public readonly calls: ProxiedCall[] = [];
  public readonly watches = new Set<OpenWatch>();
  /** Called with each call, except watches, when it is sent on to the API server; returns a function that is called with the answer. @default - does nothing */
  public onForward: (call: ProxiedCall) => (answer: ProxiedAnswer) => void = () => () => {};
  private readonly server = createServer((request, response) => void this.serve(request, response));
  private readonly agent: Agent;
  private port = 0;

  /**
   * @param config a kubeconfig as an object
   * @param upstream URL of the API server; may be changed
   */
  private constructor(private readonly config: any, private upstream: string) {
    const [{ cluster }] = config.clusters;
    this.agent = new Agent({ keepAlive: true, ca: Buffer.from(cluster['certificate-authority-data'], 'base64') });
    this.server.on('clientError', (_, socket) => socket.destroy());
  }

  /** @param kubeconfig file with one cluster, which is the API server */
  static async start(kubeconfig: string): Promise<FaultProxy> {
    const config = parse(readFileSync(kubeconfig, 'utf8'));
    const proxy = new FaultProxy(config, config.clusters[0].cluster.server);
    await proxy.listen();
    return proxy;
  }

  /** A kubeconfig that leads here. `user` replaces the credentials. */
  kubeconfig(user: object = this.config.users[0].user): string {
    const { clusters: [{ name }], users: [{ name: userName }] } = this.config;
    return stringify({ ...this.config, clusters: [{ name, cluster: { server: `http://127.0.0.1:${this.port}` } }], users: [{ name: userName, user }] });
  }

  /** Sends calls to another API server from now on. */
  leadTo(url: string): void {
    this.upstream = url;
  }

  /** Takes calls, again on the same port. */
  async listen(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections, and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** Ends it. */
  async close(): Promise<void> {
    if (this.server.listening) await this.refuse();
    this.agent.destroy();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A process that is killed leaves broken connections behind, which are no news here.
    request.on('error', () => {});
    response.on('error', () => {});
    try {
      const body = Buffer.concat(await request.toArray());
      const call = callOf(request.method!, request.url!, body);
      this.calls.push(call);
      await this.rule(new Exchange(call, request, response, body, { agent: this.agent, url: this.upstream, watches: this.watches, onForward: this.onForward }));
    } catch {
      response.destroy();
    }
  }
}

interface Upstream {
  readonly agent: Agent;
  readonly url: string;
  readonly watches: Set<OpenWatch>;
  readonly onForward: FaultProxy['onForward'];
}

/** A call that waits for what becomes of it. */
export class Exchange {
  constructor(
    public readonly call: ProxiedCall,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly body: Buffer,
    private readonly upstream: Upstream,
  ) {}

  /**
   * Passes the call on, and its answer back. Resolves when the caller has the answer; of a watch, its begin.
   *
   * @param through what the stream of a watch goes through
   */
  async pass(through: Transform = new PassThrough()): Promise<void> {
    if (this.call.verb === 'watch') await this.passWatch(through);
    else this.give(await this.forward());
  }

  /** Passes the call on, and keeps the answer, which is complete. */
  async forward(): Promise<ProxiedAnswer> {
    const tell = this.upstream.onForward(this.call);
    const answer = await this.send();
    const whole = { status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(await answer.toArray()) };
    tell(whole);
    return whole;
  }

  /** Gives the caller an answer, unless it has hung up. */
  give({ status, headers, body }: ProxiedAnswer): void {
    if (this.response.destroyed) return;
    this.response.writeHead(status, { ...endToEnd(headers), 'content-length': body.length });
    this.response.end(body);
  }

  /** Refuses the call in the API server's place. */
  fail(status: number, reason: string, headers: Record<string, string> = {}): void {
    const body = Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: 'as the test wants it' }));
    this.give({ status, headers: { 'content-type': 'application/json', ...headers }, body });
  }

  /** Gives the caller one half of an answer, and breaks the connection. */
  async cut({ status, headers, body }: ProxiedAnswer): Promise<void> {
    this.response.writeHead(status, { ...endToEnd(headers), 'content-length': body.length });
    await new Promise<void>((resolve) => this.response.write(body.subarray(0, body.length / 2), () => resolve()));
    this.response.destroy();
  }

  /** Breaks the connection. */
  drop(): void {
    this.response.destroy();
  }

  /** Resolves when the caller has hung up, or has its answer. */
  get closed(): Promise<unknown> {
    return this.response.closed ? Promise.resolve() : once(this.response, 'close');
  }

  private async passWatch(through: Transform): Promise<void> {
    const answer = await this.send();
    const events = answer.pipe(through);
    answer.on('error', () => this.response.destroy());
    this.response.writeHead(answer.statusCode!, endToEnd(answer.headers));
    this.response.flushHeaders();
    const watch: OpenWatch = {
      call: this.call,
      drop: () => this.response.destroy(),
      stall: () => events.unpipe(this.response),
      fail: (status) => {
        events.unpipe(this.response);
        this.response.end(isProtobuf(answer.headers) ? errorEvent(status) : `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', ...status } })}\n`);
      },
    };
    this.upstream.watches.add(watch);
    this.response.once('close', () => {
      this.upstream.watches.delete(watch);
      answer.destroy();
    });
    events.pipe(this.response);
  }

  private async send(): Promise<IncomingMessage> {
    const { agent, url } = this.upstream;
    const { host: _, connection: __, ...headers } = this.request.headers;
    const outgoing = httpsRequest(`${url}${this.call.path}`, { agent, method: this.request.method, headers });
    outgoing.end(this.body);
    const [answer] = await once(outgoing, 'response');
    return answer;
  }
}

/** Headers that are not about one connection. */
function endToEnd({ 'connection': _, 'keep-alive': __, 'transfer-encoding': ___, 'content-length': ____, ...headers }: ProxiedAnswer['headers']): ProxiedAnswer['headers'] {
  return headers;
}

const VERBS: Record<string, ProxiedCall['verb']> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

function callOf(method: string, path: string, bytes: Buffer): ProxiedCall {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const parts = pathname.split('/').slice(1);
  // /api/v1/… or /apis/<group>/<version>/…
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
  const [plural = '', name, subresource] = namespace === undefined ? rest : rest.slice(2);
  const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  const reading = name !== undefined ? 'get' : 'list';
  return {
    verb: VERBS[method] ?? (searchParams.has('watch') ? 'watch' : reading),
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    namespace,
    name: name ?? body?.metadata?.name,
    path,
    body,
  };
}
