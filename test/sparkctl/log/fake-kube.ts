import { EventEmitter, once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeClient } from '../../../src/kube/client';
import type { Connection } from '../../../src/kube/connection';
import type { CommandEntry } from '../../../src/sparkctl/commands';
import { runProgram } from '../../../src/sparkctl/program';
import { startConsole, synthesizeOperator } from '../../../src/bin/programs';

const PATH = /^\/(?:api|apis\/[^/]+)\/[^/]+\/namespaces\/jobs\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/;

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly plural: string;
  readonly rv: number;
  readonly object: any;
}

/** Log of a container that a test writes, with the connections that follow it. */
export class FakeLog {
  private readonly lines: { readonly stamp: string; readonly text: string }[] = [];
  private readonly followers = new Set<http.ServerResponse>();
  private isOver = false;
  private time = Date.UTC(2026, 2, 1, 12);

  /**
   * Writes a line, one second after the last.
   *
   * @param cut bytes of it after which all connections break
   */
  line(text: string, cut?: number): void {
    this.time += 1_000;
    const stamp = new Date(this.time).toISOString().replace('Z', '000000Z');
    this.lines.push({ stamp, text });
    for (const response of this.followers) {
      const bytes = Buffer.from(`${stamp} ${text}\n`);
      if (cut === undefined) response.write(bytes);
      else response.write(bytes.subarray(0, stamp.length + 1 + cut), () => response.destroy());
    }
    if (cut !== undefined) this.followers.clear();
  }

  /** Ends the container. */
  end(): void {
    this.isOver = true;
    for (const response of this.followers) response.end();
  }

  answer(query: URLSearchParams, response: http.ServerResponse): void {
    if (query.get('previous') === 'true') {
      refuse(response, 400, 'BadRequest', 'previous terminated container "spark-kubernetes-driver" in pod "pi-driver" not found');
      return;
    }
    const since = Date.parse(query.get('sinceTime') ?? '1970-01-01');
    const shown = this.lines.filter(({ stamp }) => Date.parse(stamp) >= since).slice(query.has('tailLines') ? -Number(query.get('tailLines')) : 0);
    response.writeHead(200);
    for (const { stamp, text } of shown) response.write(`${query.get('timestamps') === 'true' ? `${stamp} ` : ''}${text}\n`);
    if (query.get('follow') === 'true' && !this.isOver) {
      this.followers.add(response);
      response.once('close', () => this.followers.delete(response));
    } else {
      response.end();
    }
  }
}

/**
 * Fake API server over real HTTP, for logs and ports: objects of the namespace jobs, their watches,
 * and logs of pods.
 */
export class FakeKube {
  static async start(): Promise<FakeKube> {
    const kube = new FakeKube();
    await new Promise<void>((resolve) => kube.http.listen(0, '127.0.0.1', resolve));
    return kube;
  }

  /** Emits `upgrade` for WebSockets. */
  readonly http = http.createServer((request, response) => this.answer(request, response));
  /** Logs by the names of pods. */
  readonly logs = new Map<string, FakeLog>();
  /** Prefixes of forbidden paths. */
  readonly forbidden: string[] = [];
  /** Answer to every access review. */
  isAllowed = true;
  private readonly objects = new Map<string, any>();
  private readonly changes: Change[] = [];
  private readonly watches = new Set<(change: Change) => void>();
  private readonly clients: KubeClient[] = [];
  private rv = 10;

  get connection(): Connection {
    const { port } = this.http.address() as AddressInfo;
    return { server: `http://127.0.0.1:${port}`, credentials: () => ({ headers: {}, tls: {} }) };
  }

  /** Creates a client of this server, which is closed with it. */
  client(): KubeClient {
    const client = new KubeClient(this.connection, { qps: 0 });
    this.clients.push(client);
    return client;
  }

  put(plural: string, object: any): void {
    const key = `${plural}/${object.metadata.name}`;
    const old = this.objects.get(key);
    const stored = { ...object, metadata: { namespace: 'jobs', uid: `uid-${this.rv + 1}`, creationTimestamp: '2026-03-01T12:00:00Z', ...old && { uid: old.metadata.uid }, ...object.metadata, resourceVersion: String(this.rv + 1) } };
    this.objects.set(key, stored);
    this.tell(old ? 'MODIFIED' : 'ADDED', plural, stored);
  }

  remove(plural: string, name: string): void {
    const old = this.objects.get(`${plural}/${name}`);
    this.objects.delete(`${plural}/${name}`);
    this.tell('DELETED', plural, { ...old, metadata: { ...old.metadata, resourceVersion: String(this.rv + 1) } });
  }

  /** Breaks all connections, such as those of watches. */
  disconnect(): void {
    this.http.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.clients.forEach((client) => client.close());
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private tell(type: Change['type'], plural: string, object: any): void {
    const change = { type, plural, rv: ++this.rv, object };
    this.changes.push(change);
    for (const watch of this.watches) watch(change);
  }

  private answer({ url }: http.IncomingMessage, response: http.ServerResponse): void {
    const { pathname, searchParams: query } = new URL(url!, 'http://server');
    const [, plural = '', name, subresource] = PATH.exec(pathname) ?? [];
    if (this.forbidden.some((path) => pathname.endsWith(path))) {
      refuse(response, 403, 'Forbidden', `cannot read ${plural}`);
    } else if (pathname.endsWith('/selfsubjectaccessreviews')) {
      response.end(JSON.stringify({ status: { allowed: this.isAllowed } }));
    } else if (name === undefined) {
      this.answerCollection(plural, query, response);
    } else if (subresource === 'log' && this.objects.has(`pods/${name}`) && this.logs.has(name)) {
      this.logs.get(name)!.answer(query, response);
    } else if (subresource === undefined && this.objects.has(`${plural}/${name}`)) {
      response.end(JSON.stringify(this.objects.get(`${plural}/${name}`)));
    } else {
      refuse(response, 404, 'NotFound', `${plural} "${name}" not found`);
    }
  }

  private answerCollection(plural: string, query: URLSearchParams, response: http.ServerResponse): void {
    const [label, value] = (query.get('labelSelector') ?? '').split('=');
    const wantedName = query.get('fieldSelector')?.replace('metadata.name=', '');
    const isSelected = ({ metadata }: any) => (!label || metadata.labels?.[label] === value) && (!wantedName || metadata.name === wantedName);
    if (query.get('watch') !== 'true') {
      const items = [...this.objects].filter(([key, object]) => key.startsWith(`${plural}/`) && isSelected(object)).map(([, object]) => object);
      response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion: String(this.rv) }, items }));
      return;
    }
    response.writeHead(200).flushHeaders();
    const watch = (change: Change) => {
      if (change.plural === plural && isSelected(change.object)) response.write(`${JSON.stringify({ type: change.type, object: change.object })}\n`);
    };
    for (const change of this.changes) if (change.rv > Number(query.get('resourceVersion'))) watch(change);
    this.watches.add(watch);
    response.once('close', () => this.watches.delete(watch));
  }
}

function refuse(response: http.ServerResponse, code: number, reason: string, message: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', code, reason, message }));
}

/** Running command. */
export class Running {
  /** Its output; lines of standard error begin with `! `. */
  out = '';
  readonly code: Promise<number>;
  private readonly controller = new AbortController();
  private readonly news = new EventEmitter();

  constructor(kube: Pick<FakeKube, 'client' | 'connection'>, entry: CommandEntry, args: readonly string[], { isTerminal = false } = {}) {
    const add = (text: string) => {
      this.out += text;
      this.news.emit('news');
    };
    this.code = runProgram([entry.name, ...args], {
      io: {
        stdout: add,
        stderr: (text) => add(`${this.out === '' || this.out.endsWith('\n') ? '' : '\n'}! ${text}`),
        write: async (bytes) => add(Buffer.from(bytes).toString()),
        readFile: async () => '',
        readStdin: async () => '',
        writeFile: async () => {},
      },
      startConsole,
      synthesizeOperator,
      version: '1.2.3',
      packageFolder: '/nonexistent',
      connect: async () => ({ client: kube.client(), connection: kube.connection, namespace: 'jobs' }),
      terminal: { isTerminal, colour: false },
      now: () => Date.parse('2026-03-01T12:30:00Z'),
      signal: this.controller.signal,
    }, [entry]);
    // Avoids an unhandled rejection: a test might await it only later.
    this.code.catch(() => {});
  }

  /** Resolves when the text has been printed. */
  async printed(text: string): Promise<void> {
    const ended = this.code.then((code) => { throw new Error(`it has ended with ${code} without ${JSON.stringify(text)}: ${this.out}`); });
    ended.catch(() => {});
    while (!this.out.includes(text)) await Promise.race([once(this.news, 'news'), ended]);
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    this.controller.abort(new Error('interrupted by the user'));
  }
}

/** Returns an application in a state. @param submission id of the current attempt's submission */
export function application(state: string, { submission = 's1', attempt = 1, message = undefined as string | undefined, name = 'pi', labels = {}, owner = undefined as object | undefined, spec = {} } = {}): any {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, labels, ...owner && { ownerReferences: [owner] } },
    spec: { type: 'Python', sparkVersion: '4.1.1', driver: {}, executor: {}, ...spec },
    status: { submissionID: submission, submissionAttempts: attempt, driverInfo: { podName: `${name}-driver` }, applicationState: { state, errorMessage: message } },
  };
}

/** State of Spark's container in a pod. */
export const RUNNING = { running: {} };
export const WAITING = { waiting: { reason: 'ContainerCreating' } };
export const ended = (exitCode: number) => ({ terminated: { exitCode } });

/** Returns a driver, or with `executor` an executor. */
export function pod(state: object, { uid = 'd1', name = 'pi', submission = 's1', attempt = 1, executor = undefined as number | undefined, role = 'driver', labels = {} } = {}): any {
  const container = executor === undefined ? 'spark-kubernetes-driver' : 'spark-kubernetes-executor';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: executor === undefined ? `${name}-driver` : `${name}-exec-${executor}`,
      uid: executor === undefined ? uid : `e${executor}`,
      labels: {
        'sparkoperator.k8s.io/app-name': name, 'sparkoperator.k8s.io/submission-id': submission, 'sparkoperator.k8s.io/attempt': String(attempt), 'spark-role': executor === undefined ? role : 'executor',
        ...executor !== undefined && { 'spark-exec-id': String(executor) }, ...labels,
      },
    },
    spec: { containers: [{ name: container, env: [{ name: executor === undefined ? 'SPARK_DRIVER_BIND_ADDRESS' : 'SPARK_EXECUTOR_ID' }] }] },
    status: { phase: 'terminated' in state ? 'Succeeded' : 'running' in state ? 'Running' : 'Pending', containerStatuses: [{ name: container, state }] },
  };
}

