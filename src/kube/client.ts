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

/** Two of the bookmarks that come about every minute are missing. */
const DEFAULT_IDLE_TIMEOUT = 120_000;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/**
 * A client of the Kubernetes API, of JSON-shaped objects.
 *
 * It does not repeat failed calls: level-triggered callers come back anyway, and know whether they still want to. The one
 * exception is an overloaded server's 429 with a short Retry-After.
 *
 * All methods reject with an `ApiError` for an error that the server answers, with a `NetworkError` when there is no
 * usable answer, and with the signal's reason when they are aborted.
 */
export class KubeClient {
  private readonly requester: Requester;

  constructor(connection: Connection, options: KubeClientOptions = {}) {
    this.requester = new Requester(connection, options);
  }

  /** Reads an object. */
  async get<T extends KubeObject>(resource: Resource<T>, { namespace, name }: Ref, options?: CallOptions): Promise<T> {
    return this.request({ method: 'GET', path: pathOf(resource, namespace, name), call: callOf('get', resource, { namespace, name }), ...options });
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

  /** Replaces an object; it is a conflict if the resource version in its metadata is not the newest. */
  async update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.replace(resource, object, undefined, options);
  }

  /** Replaces the status of an object, and nothing else; it is a conflict if the resource version in its metadata is not the newest. */
  async updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.replace(resource, object, 'status', options);
  }

  /** Changes an object, or with `type: 'apply'` creates it if need be. */
  async patch<T extends KubeObject>(resource: Resource<T>, { namespace, name }: Ref, patch: Patch, options: PatchOptions = {}): Promise<T> {
    const { subresource, ...others } = options;
    return this.request({
      method: 'PATCH',
      path: pathOf(resource, namespace, name, subresource),
      query: {
        ...writeQuery(options),
        ...patch.type === 'apply' && { fieldManager: patch.fieldManager, force: patch.force },
      },
      body: patch.type === 'apply' ? appliedBody(resource, { namespace, name }, patch.body) : patch.body,
      contentType: PATCH_TYPES[patch.type],
      call: callOf('patch', resource, { namespace, name }, subresource),
      ...others,
    });
  }

  /**
   * Asks for the deletion of an object. When this returns the object may still be there, for its grace period and
   * its finalizers.
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

  /** Reads a page of a collection. The continue token of an old page is refused with `isGone`. */
  async listPage<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ListPage<T>> {
    const { items, metadata } = await this.openPage(resource, options);
    return { items: [...items], metadata };
  }

  /** The same, for those who cut objects down as they come and want to know early whether there is another page. */
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

  /** Reads a collection, page by page. Between pages the caller must not take minutes, or the next is refused with `isGone`. */
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
   * Follows the changes of a collection, with bookmarks.
   *
   * @param onEvent called in order; if it throws, the watch ends and rejects with that error
   * @returns when the server ends the stream as it should, after `timeoutSeconds`
   * @throws {ApiError} also for an error event within the stream
   */
  async watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions, onEvent: (event: WatchEvent<T>) => void): Promise<void> {
    const { namespace, resourceVersion, timeoutSeconds, idleTimeout = DEFAULT_IDLE_TIMEOUT, onActivity, isKnown, signal } = options;
    await this.requester.stream(
      {
        path: pathOf(resource, namespace),
        query: { ...selectionQuery(options), watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
        idleTimeout,
        onActivity,
        objects: resource.protobuf,
        isKnown,
        signal,
        call: callOf('watch', resource, { namespace }),
      },
      onEvent,
    );
  }

  /**
   * Reads what a subresource answers that is no JSON, a log for example, as it comes: nobody keeps all of it, and a slow reader makes the server wait. There is no limit for
   * the time between two pieces; that the server is gone is noticed by the probes of TCP. To end the iteration closes the connection.
   *
   * @throws {NetworkError} also in the middle, `CUT_OFF`, when the connection breaks
   */
  bytes(resource: Resource, { namespace, name }: Ref, subresource: string, { query = {}, timeout, signal }: BytesOptions = {}): AsyncGenerator<Buffer, void, undefined> {
    return this.requester.bytes({
      path: pathOf(resource, namespace, name, subresource), query, timeout, signal, call: callOf('get', resource, { namespace, name }, subresource),
    });
  }

  /** Makes a call that the other methods do not cover, and returns the JSON that the server answers. */
  request<R>(request: Request): Promise<R> {
    return this.requester.request(request);
  }

  /** Closes all connections. Calls and watches under way fail. */
  close(): void {
    this.requester.close();
  }

  private async replace<T extends KubeObject>(resource: Resource<T>, object: T, subresource?: string, options: WriteOptions = {}): Promise<T> {
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
    // The server leaves the type out of the items of its own kinds.
    yield next.value.kind ? next.value : withType(resource, next.value);
  }
}

function read<T>(call: Call, objects: Iterator<T>): IteratorResult<T> {
  let next: IteratorResult<T> | undefined;
  try {
    next = objects.next();
  } catch {
    // The parser's message quotes the text, which may hold secrets.
  }
  if (!next || (!next.done && (typeof next.value !== 'object' || next.value === null))) throw new NetworkError(call, 'BAD_RESPONSE', 'an object of the list cannot be read');
  return next;
}

function withType<T extends object>(resource: Resource, object: T): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

/** The server wants to find in the body what the path says already. */
function appliedBody(resource: Resource, ref: Ref, body: object): object {
  return withType(resource, { ...body, metadata: { ...(body as Partial<KubeObject>).metadata, ...ref } });
}

function writeQuery({ dryRun }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined };
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}
