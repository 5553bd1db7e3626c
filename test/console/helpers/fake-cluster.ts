import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeClient, type KubeClientOptions } from '../../../src/kube/client';

/** A call that changed something, or reviewed a permission. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly body: any;
}

/** Permissions, in place of RBAC. `user` is undefined for the user of the connection. */
export type Rbac = (right: any, user: string | undefined) => boolean;

const COLLECTION = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/([^/]+)\/)?([a-z]+)(?:\/([^/]+))?(?:\/(log))?$/;

/**
 * The part of an API server that a console needs: list, watch, get, patch and delete objects, and
 * review tokens and permissions.
 */
export class FakeCluster {
  /** @param options of the client */
  static async start(options?: KubeClientOptions): Promise<FakeCluster> {
    const cluster = new FakeCluster();
    await new Promise<void>((resolve) => cluster.http.listen(0, '127.0.0.1', resolve));
    cluster.connected = new KubeClient(
      { server: `http://127.0.0.1:${(cluster.http.address() as AddressInfo).port}`, credentials: () => ({ headers: {}, tls: {} }) },
      options,
    );
    return cluster;
  }

  rbac: Rbac = () => true;
  /** Users by their token. */
  readonly tokens = new Map<string, string>();
  /** Existing logs, as `namespace/pod`; a function receives the requested part. */
  readonly logs = new Map<string, string | ((query: URLSearchParams) => string)>();
  /** Usage of pods, as in the metrics API. @default - the cluster has no metrics API */
  usage?: readonly object[];
  readonly calls: SeenCall[] = [];
  /** Delays the answers to these calls until the promise is resolved. @default - none */
  hold?: (path: string) => Promise<void> | undefined;
  /** Paths of the calls that the caller aborted before their answers. */
  readonly abandoned: string[] = [];
  private connected!: KubeClient;
  private readonly http: Server = createServer((request, response) => void this.answer(request, response));
  private readonly objects = new Map<string, any>();
  private readonly watches = new Set<{ readonly plural: string; readonly namespace?: string; readonly response: ServerResponse }>();
  private version = 100;

  /** A client with all permissions that `rbac` gives to the undefined user. */
  get client(): KubeClient {
    return this.connected;
  }

  async stop(): Promise<void> {
    this.connected.close();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** Creates or changes an object. */
  put(plural: string, object: any): any {
    const { namespace, name } = object.metadata;
    const key = `${plural}/${namespace}/${name}`;
    const type = this.objects.has(key) ? 'MODIFIED' : 'ADDED';
    const stored = {
      ...object, metadata: {
        uid: `uid-${namespace}-${name}`, creationTimestamp: '2026-03-01T10:00:00Z', ...object.metadata,
        resourceVersion: String(++this.version),
      },
    };
    this.objects.set(key, stored);
    this.tell(plural, namespace, type, stored);
    return stored;
  }

  remove(plural: string, namespace: string, name: string): void {
    const key = `${plural}/${namespace}/${name}`;
    const object = this.objects.get(key);
    this.objects.delete(key);
    if (object) {
      this.tell(plural, namespace, 'DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } });
    }
  }

  /** Breaks all watches. */
  breakWatches(): void {
    for (const { response } of this.watches) response.destroy();
  }

  private tell(plural: string, namespace: string, type: string, object: any): void {
    for (const watch of this.watches) {
      if (watch.plural === plural && (watch.namespace ?? namespace) === namespace) {
        watch.response.write(`${JSON.stringify({ type, object })}\n`);
      }
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://cluster');
    const text = Buffer.concat(await request.toArray()).toString();
    const body = text === '' ? undefined : JSON.parse(text);
    if (request.method !== 'GET') this.calls.push({ method: request.method!, path: url.pathname, body });
    response.once('close', () => { if (!response.writableFinished) this.abandoned.push(url.pathname); });
    await this.hold?.(url.pathname);
    if (url.pathname.endsWith('reviews')) return json(response, 201, this.review(url.pathname, body.spec));
    if (url.pathname.startsWith('/apis/metrics.k8s.io/')) {
      this.calls.push({ method: 'GET', path: url.pathname, body: undefined });
      if (!this.usage) return refuse(response, 404, 'NotFound', 'the server could not find the requested resource');
      return json(response, 200, { kind: 'PodMetricsList', metadata: {}, items: this.usage });
    }
    const [, namespace, plural = '', name, subresource] = COLLECTION.exec(url.pathname) ?? [];
    if (subresource === 'log') {
      const log = this.logs.get(`${namespace}/${name}`);
      const pod: any = this.objects.get(`pods/${namespace}/${name}`);
      // As a real API server: nothing from a pod that has no node.
      if (log === undefined && pod?.status?.conditions?.some(({ type, status }: any) => type === 'PodScheduled' && status === 'False')) {
        response.writeHead(204).end();
        return;
      }
      if (log === undefined) {
        return refuse(response, 400, 'BadRequest', `container "main" in pod "${name}" is waiting to start: ContainerCreating`);
      }
      response.write(typeof log === 'string' ? log : log(url.searchParams));
      if (url.searchParams.get('follow') !== 'true') response.end();
      return;
    }
    if (name === undefined) {
      return url.searchParams.has('watch')
        ? this.watch(plural, namespace, Number(url.searchParams.get('resourceVersion')), response)
        : this.list(plural, namespace, url.searchParams, response);
    }
    const object = this.objects.get(`${plural}/${namespace}/${name}`);
    if (!object) return refuse(response, 404, 'NotFound', `${plural} "${name}" not found`);
    if (!this.rbac({ verb: { GET: 'get', PATCH: 'patch', DELETE: 'delete' }[request.method!], resource: plural, namespace }, undefined)) {
      return refuse(response, 403, 'Forbidden', 'you are not allowed');
    }
    const meant = request.method === 'DELETE' ? body?.preconditions?.uid : body?.metadata?.uid;
    if (meant !== undefined && meant !== object.metadata.uid) return refuseUid(request.method!, response);
    if (request.method === 'DELETE') {
      this.remove(plural, namespace!, name);
      return json(response, 200, { kind: 'Status', status: 'Success' });
    }
    json(response, 200, request.method === 'PATCH' ? this.put(plural, merged(object, body)) : object);
  }

  private review(path: string, spec: any): object {
    if (path.endsWith('tokenreviews')) {
      const username = this.tokens.get(spec.token);
      return { status: username ? { authenticated: true, user: { username, groups: ['people'] } } : { authenticated: false } };
    }
    return { status: { allowed: this.rbac(spec.resourceAttributes, spec.user) } };
  }

  private list(plural: string, namespace: string | undefined, query: URLSearchParams, response: ServerResponse): void {
    if (!this.rbac({ verb: 'list', resource: plural, namespace }, undefined)) {
      return refuse(response, 403, 'Forbidden', `you are not allowed to list ${plural}`);
    }
    const [label, value] = (query.get('labelSelector') ?? '').split('=');
    const fields = (query.get('fieldSelector') ?? '').split(',').filter((term) => term !== '').map(
      (term) => term.split('=') as [string, string],
    );
    const all = [...this.objects].filter(([key]) => key.startsWith(
      `${plural}/${namespace === undefined ? '' : `${namespace}/`}`,
    )).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
      .filter(({ metadata: { labels } }) => !label || labels?.[label] === value)
      .filter((object) => fields.every(([path, wanted]) => path.split('.').reduce((part, name) => part?.[name], object) === wanted));
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit') ?? Infinity);
    json(response, 200, {
      kind: 'List', metadata: {
        resourceVersion: String(this.version), ...to < all.length && { continue: String(to) },
      }, items: all.slice(from, to),
    });
  }

  private watch(plural: string, namespace: string | undefined, since: number, response: ServerResponse): void {
    if (!this.rbac({ verb: 'watch', resource: plural, namespace }, undefined)) {
      return refuse(response, 403, 'Forbidden', `you are not allowed to watch ${plural}`);
    }
    const watch = { plural, namespace, response };
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (const [key, object] of this.objects) {
      const isNew = key.startsWith(`${plural}/${namespace === undefined ? '' : `${namespace}/`}`)
        && Number(object.metadata.resourceVersion) > since;
      if (isNew) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    }
    this.watches.add(watch);
    response.once('close', () => this.watches.delete(watch));
  }
}

/** Returns an application as the API server stores it. */
export function application(name: string, { namespace = 'default', state = 'RUNNING', ...more }: {
  readonly namespace?: string;
  readonly state?: string;
  readonly [field: string]: unknown;
} = {}): any {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: { type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: { instances: 2 } },
    status: {
      applicationState: { state }, driverInfo: { podName: `${name}-driver` }, submissionAttempts: 1,
      lastSubmissionAttemptTime: '2026-03-01T10:00:05Z',
      attemptHistory: [{
        number: 1, submissionID: 'first', trigger: 'Creation', submissionTime: '2026-03-01T10:00:05Z',
        driverCreationTime: '2026-03-01T10:00:05Z', driverStartTime: '2026-03-01T10:00:09Z', driverPodName: `${name}-driver`,
      }],
    },
    ...more,
  };
}

function merged(object: any, patch: any): any {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result: any = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** Rejects a call for an object with another uid, in the two ways of the API server. */
function refuseUid(method: string, response: ServerResponse): void {
  if (method === 'DELETE') {
    refuse(response, 409, 'Conflict', 'Precondition failed: UID in precondition: a, UID in object meta: b');
  } else {
    json(response, 422, {
      kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 422, reason: 'Invalid', message: 'is invalid',
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'metadata.uid' }] },
    });
  }
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  json(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
}
