import type { Connection } from './connection';
import type { Transport } from './transport';
import type { Clock, Random } from './clock';
import type { Call } from './errors';
import type { KubeObject } from './objects';

/** Statistics of one finished call, for metrics. */
export interface CallStatistics {
  /** Verb as in RBAC: get, list, watch, create, update, patch, delete. */
  readonly verb: string;
  /**
   * Plural name, with the subresource if any: `pods/status`. The number of values is bounded, so
   * metrics can use it as a label.
   */
  readonly resource: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Seconds until the end of the answer; for a watch, until the answer begins. */
  readonly seconds: number;
}

/** A received piece of an answer's body, for metrics. */
export interface ReceivedBytes {
  /** See `CallStatistics.verb`. */
  readonly verb: string;
  /** See `CallStatistics.resource`. */
  readonly resource: string;
  readonly bytes: number;
}

/** Settings of a client. */
export interface KubeClientOptions {
  /** Milliseconds for one attempt, unless the call sets its own timeout. @default 30000 */
  readonly timeout?: number;
  /** Average calls per second; 0 turns the limit off. @default 2000 */
  readonly qps?: number;
  /** Calls at once after an idle period. @default - twice `qps` */
  readonly burst?: number;
  /** Concurrent calls; more calls wait. Watches are not limited. @default 64 */
  readonly maxSockets?: number;
  /** Largest accepted answer, in bytes. @default 128 MiB */
  readonly maxResponseBytes?: number;
  /** Largest accepted watch event, in bytes. @default 16 MiB */
  readonly maxEventBytes?: number;
  /** The `User-Agent` header. @default 'cdk8s-spark-operator' */
  readonly userAgent?: string;
  /**
   * Checks each call that changes something. The client calls it before the call, and again right
   * before sending, as calls can wait in between. If it throws, the call rejects with that error.
   * @default - all calls are sent
   */
  readonly guard?: (call: Call) => void;
  /** Receives the statistics of every attempt. Must not throw. @default - none */
  readonly onCall?: (call: CallStatistics) => void;
  /** Receives the size of each received piece, watches included. Must not throw. @default - none */
  readonly onReceived?: (received: ReceivedBytes) => void;
  /** Returns the client's transport. @default - that of Node's HTTP client */
  readonly newTransport?: (connection: Connection, maxSockets: number) => Transport;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt. @default - the client's timeout */
  readonly timeout?: number;
  /**
   * Milliseconds that the call can wait for the rate limit (`qps`). If it would wait longer, the
   * client rejects it at once with a `NetworkError` of the code `BUSY`. So callers that exceed the
   * limit do not delay all others.
   * @default - unlimited
   */
  readonly maxWait?: number;
  /**
   * Attempts if the server answers 429 with a Retry-After; 1 leaves the retry to the caller.
   * @default 3
   */
  readonly attempts?: number;
}

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** With `true` the server checks everything and stores nothing. @default false */
  readonly dryRun?: boolean;
}

/** A change to an object. Its type selects how the server applies the body. */
export type Patch =
  /** JSON merge patch (RFC 7386): fields replace, `null` removes, lists are replaced as a whole. */
  | { readonly type: 'merge'; readonly body: object }
  /** JSON patch (RFC 6902): a list of operations. */
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  /**
   * Server-side apply: the body has the fields that `fieldManager` wants; `force` takes over fields
   * of other managers.
   */
  | { readonly type: 'apply'; readonly body: object; readonly fieldManager: string; readonly force?: boolean };

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  /** A subresource, for example `status`. @default - the object itself */
  readonly subresource?: string;
  /**
   * Manager of the changed fields, for other types than `apply`.
   *
   * @default - the beginning of the `User-Agent`
   */
  readonly fieldManager?: string;
}

/** Options of a deletion. */
export interface DeleteOptions extends WriteOptions {
  /** How the server handles the objects that this one owns. @default - the kind's default */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  /** @default - the object's own grace period */
  readonly gracePeriodSeconds?: number;
  /** Preconditions; if one does not hold, the server answers with a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Options of a read of raw bytes. */
export interface BytesOptions {
  /** Parameters of the URL. @default - none */
  readonly query?: Query;
  /**
   * Milliseconds until the answer begins; `Infinity` sets no limit. The body has no time limit.
   * @default - the client's timeout
   */
  readonly timeout?: number;
  /** Aborts the call; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Selects objects of a collection. */
export interface Selection {
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Selects a page of a collection. */
export interface ListOptions extends CallOptions, Selection {
  /** Objects per page. @default - all in one page */
  readonly limit?: number;
  /** Continue token from the previous page. */
  readonly continue?: string;
  /** @default - the newest state */
  readonly resourceVersion?: string;
  /**
   * Largest accepted answer, in bytes. A larger one is a `NetworkError` with the code `TOO_LARGE`.
   * @default - the client's `maxResponseBytes`
   */
  readonly maxBytes?: number;
}

/** A page of a collection. */
export interface ListPage<T extends KubeObject> {
  readonly items: T[];
  readonly metadata: {
    /** Resource version of the whole list, over all its pages. */
    readonly resourceVersion: string;
    /** Continue token of the next page; empty or absent on the last page. */
    readonly continue?: string;
    /** Number of objects on the remaining pages, if the server knows it. */
    readonly remainingItemCount?: number;
  };
}

/**
 * A page that parses each object on demand, so that only one of many is in memory as a whole. The
 * objects can be iterated over once.
 */
export interface UnreadPage<T extends KubeObject> {
  /** Throws a `NetworkError` at an object that cannot be parsed. */
  readonly items: Iterable<T>;
  readonly metadata: ListPage<T>['metadata'];
  /** Size of the answer. */
  readonly bytes: number;
}

/** Options of a watch. */
export interface WatchOptions extends Selection {
  /** The watch starts after this resource version. */
  readonly resourceVersion: string;
  /** Seconds after which the server ends the stream. @default - the server's choice */
  readonly timeoutSeconds?: number;
  /**
   * Milliseconds without a byte after which the client treats the stream as dead. The server sends
   * bookmarks about every minute.
   * @default 120000
   */
  readonly idleTimeout?: number;
  /** Called for everything that arrives, including the head of the answer. */
  readonly onActivity?: () => void;
  /** Aborts the watch, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A change of an object, or a bookmark: no change up to a resource version. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: { readonly metadata: { readonly resourceVersion: string } } };

/** Parameters of a URL; those that are `undefined` are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
