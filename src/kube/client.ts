import type {
  BytesOptions, CallOptions, DeleteOptions, KubeClientOptions, ListOptions, ListPage, Patch, PatchOptions, Query,
  Selection, UnreadPage, WatchEvent, WatchOptions, WriteOptions,
} from './client-types';
import type { Connection } from './connection';
import { type Call, NetworkError } from './errors';
import type { KubeObject, Ref } from './objects';
import { Pages } from './pages';
import { type Request, Requester } from './requester';
import { apiVersionOf, pathOf, type Resource } from './resource';

export * from './client-types';

/** The time of two bookmarks, which the server sends about every minute. */
const DEFAULT_IDLE_TIMEOUT = 120_000;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/**
 * A client of the Kubernetes API for JSON-shaped objects.
 *
 * It does not retry failed calls: level-triggered callers requeue anyway, and know whether the call
 * is still needed. The one exception is a 429 of an overloaded server with a short Retry-After.
 *
 * All methods reject with an `ApiError` for an error that the server answers, with a `NetworkError`
 * without a usable answer, and with the signal's reason when aborted.
 */
export class KubeClient {
  private readonly requester: Requester;

  constructor(connection: Connection, options: KubeClientOptions = {}) {
    this.requester = new Requester(connection, options);
  }

  /** Reads an object. */
  async get<T extends KubeObject>(resource: Resource<T>, { namespace, name }: Ref, options?: CallOptions): Promise<T> {
    return this.request({
      method: 'GET', path: pathOf(resource, namespace, name), call: callOf('get', resource, { namespace, name }), ...options,
    });
  }

  /** Creates an object in the namespace that its metadata names. */
  async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.request({
      method: 'POST',
      path: pathOf(resource, namespace),
      query: writeQuery(options),
      body: withType(resource, object),
      call: callOf('create', resource, { namespace, name }),
      ...options,
    });
  }

  /**
   * Replaces an object. It is a conflict if the resource version in its metadata is not the newest.
   */
  async update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.replace(resource, object, undefined, options);
  }

  /**
   * Replaces only the status of an object. It is a conflict if the resource version in its metadata
   * is not the newest.
   */
  async updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.replace(resource, object, 'status', options);
  }

  /** Patches an object; with `type: 'apply'` creates it if it does not exist. */
  async patch<T extends KubeObject>(resource: Resource<T>, { namespace, name }: Ref, patch: Patch, options: PatchOptions = {}): Promise<T> {
    const { subresource, fieldManager, ...others } = options;
    return this.request({
      method: 'PATCH',
      path: pathOf(resource, namespace, name, subresource),
      query: {
        ...writeQuery(options),
        fieldManager,
        ...patch.type === 'apply' && { fieldManager: patch.fieldManager, force: patch.force },
      },
      body: patch.type === 'apply' ? appliedBody(resource, { namespace, name }, patch.body) : patch.body,
      contentType: PATCH_TYPES[patch.type],
      call: callOf('patch', resource, { namespace, name }, subresource),
      ...others,
    });
  }

  /**
   * Requests the deletion of an object. The object can still exist afterwards: for its grace period
   * and until its finalizers are removed.
   */
  async delete(resource: Resource, { namespace, name }: Ref, options: DeleteOptions = {}): Promise<void> {
    const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun, ...others } = options;
    await this.request({
      method: 'DELETE',
      path: pathOf(resource, namespace, name),
      body: {
        apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions, dryRun: dryRun ? ['All'] : undefined,
      },
      call: callOf('delete', resource, { namespace, name }),
      ...others,
    });
  }

  /**
   * Reads a page of a collection. The server rejects an expired continue token with an `isGone`
   * error.
   */
  async listPage<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ListPage<T>> {
    const { items, metadata } = await this.openPage(resource, options);
    return { items: [...items], metadata };
  }

  /**
   * Opens a page of a collection, for callers that reduce objects one by one and need the continue
   * token early.
   */
  async openPage<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<UnreadPage<T>> {
    const { limit, continue: token, resourceVersion, maxBytes, signal, timeout, maxWait, attempts } = options;
    const call = callOf('list', resource, { namespace: options.namespace });
    const page = await this.request<Partial<UnreadPage<T>> | null>({
      method: 'GET',
      path: pathOf(resource, options.namespace),
      query: { ...selectionQuery(options), limit, continue: token, resourceVersion },
      list: { objects: resource.protobuf, maxBytes },
      call,
      signal,
      timeout,
      maxWait,
      attempts,
    });
    if (!page?.metadata || !isCollection(page.items)) {
      throw new NetworkError(call, 'BAD_RESPONSE', 'the answer is not a list');
    }
    return { items: readItems(resource, call, page.items!), metadata: page.metadata, bytes: page.bytes! };
  }

  /**
   * Reads a collection page by page. Between pages the caller must not take minutes, or the server
   * rejects the next page with an `isGone` error.
   */
  async *list<T extends KubeObject>(resource: Resource<T>, options: Omit<ListOptions, 'continue'> = {}): AsyncGenerator<T> {
    const { limit = 500, ...others } = options;
    const pages = new Pages<T>(limit, (page) => this.openPage(resource, { ...others, ...page }));
    let token: string | undefined;
    do {
      const page = await pages.next(token);
      yield* page.items;
      token = page.metadata.continue;
    } while (token);
  }

  /**
   * Watches a collection, with bookmarks.
   *
   * @param onEvent called in order; if it throws, the watch ends and rejects with that error
   * @returns when the server ends the stream regularly, after `timeoutSeconds`
   * @throws {ApiError} also for an error event within the stream
   */
  async watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions, onEvent: (event: WatchEvent<T>) => void): Promise<void> {
    const { namespace, resourceVersion, timeoutSeconds, idleTimeout = DEFAULT_IDLE_TIMEOUT, onActivity, signal } = options;
    await this.requester.stream(
      {
        path: pathOf(resource, namespace),
        query: { ...selectionQuery(options), watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
        idleTimeout,
        onActivity,
        objects: resource.protobuf,
        signal,
        call: callOf('watch', resource, { namespace }),
      },
      onEvent,
    );
  }

  /**
   * Streams the answer of a subresource that is not JSON, for example a log. The client does not
   * buffer it, and a slow reader slows down the server. The time between two pieces has no limit;
   * TCP keep-alive probes detect a dead server. Ending the iteration closes the connection.
   *
   * @throws {NetworkError} `CUT_OFF`, also in the middle, when the connection breaks
   */
  bytes(
    resource: Resource, { namespace, name }: Ref, subresource: string, { query = {}, timeout, signal }: BytesOptions = {},
  ): AsyncGenerator<Buffer, void, undefined> {
    return this.requester.bytes({
      path: pathOf(resource, namespace, name, subresource), query, timeout, signal,
      call: callOf('get', resource, { namespace, name }, subresource),
    });
  }

  /** Makes a call that the other methods do not cover, and returns the JSON of the answer. */
  request<R>(request: Request): Promise<R> {
    return this.requester.request(request);
  }

  /** Closes all connections. Active calls and watches fail. */
  close(): void {
    this.requester.close();
  }

  private async replace<T extends KubeObject>(
    resource: Resource<T>, object: T, subresource?: string, options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.request({
      method: 'PUT',
      path: pathOf(resource, namespace, name, subresource),
      query: writeQuery(options),
      body: withType(resource, object),
      call: callOf('update', resource, { namespace, name }, subresource),
      ...options,
    });
  }
}

function callOf(verb: string, resource: Resource, ref: Partial<Ref>, subresource?: string): Call {
  return { verb, resource: subresource ? `${resource.plural}/${subresource}` : resource.plural, ...ref };
}

function isCollection(items: unknown): boolean {
  return typeof items === 'object' && items !== null && Symbol.iterator in items;
}

function* readItems<T extends KubeObject>(resource: Resource<T>, call: Call, items: Iterable<T>): Generator<T> {
  const iterator = items[Symbol.iterator]();
  for (let next = read(call, iterator); !next.done; next = read(call, iterator)) {
    // The server omits the type in list items of built-in kinds.
    yield next.value.kind ? next.value : withType(resource, next.value);
  }
}

function read<T>(call: Call, objects: Iterator<T>): IteratorResult<T> {
  let next: IteratorResult<T> | undefined;
  try {
    next = objects.next();
  } catch {
    // The parser's message quotes the text, which can contain secrets.
  }
  if (!next || (!next.done && (typeof next.value !== 'object' || next.value === null))) {
    throw new NetworkError(call, 'BAD_RESPONSE', 'an object of the list cannot be read');
  }
  return next;
}

function withType<T extends object>(resource: Resource, object: T): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

/** Adds type and name to the body: the server requires them although the path has them. */
function appliedBody(resource: Resource, ref: Ref, body: object): object {
  return withType(resource, { ...body, metadata: { ...(body as Partial<KubeObject>).metadata, ...ref } });
}

function writeQuery({ dryRun }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined };
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}
