import type { Clock, Random } from './clock';
import type { Call } from './errors';
import type { KubeObject } from './objects';
import type { UnreadEvent } from './unread-event';

/** One finished call, for metrics. */
export interface CallStatistics {
  /** In the words of RBAC: get, list, watch, create, update, patch, delete. */
  readonly verb: string;
  /** Plural name, with the subresource if any: `pods/status`. Bounded in number, so fit for a label. */
  readonly resource: string;
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Until the end of the answer; for a watch until its beginning. */
  readonly seconds: number;
}

/** A piece of the body of an answer, for metrics. */
export interface ReceivedBytes {
  /** As in `CallStatistics`. */
  readonly verb: string;
  /** As in `CallStatistics`. */
  readonly resource: string;
  readonly bytes: number;
}

/** Settings of a client. */
export interface KubeClientOptions {
  /** Milliseconds for one attempt at a call, unless the call says otherwise. @default 30000 */
  readonly timeout?: number;
  /** Calls a second on average; 0 turns the limit off. @default 2000 */
  readonly qps?: number;
  /** Calls at once after a quiet time. @default - twice `qps` */
  readonly burst?: number;
  /** Calls under way at once; more wait. Watches do not count. @default 64 */
  readonly maxSockets?: number;
  /** Largest answer, in bytes, that is read. @default 128 MiB */
  readonly maxResponseBytes?: number;
  /** Largest event of a watch, in bytes. @default 16 MiB */
  readonly maxEventBytes?: number;
  /** The `User-Agent` header. @default 'cdk8s-spark-operator' */
  readonly userAgent?: string;
  /**
   * Asked before a call that changes something, and again when it is about to be sent, as calls may have to wait in between. What it throws, the
   * call rejects with. @default - all may be sent
   */
  readonly guard?: (call: Call) => void;
  /** Told of every attempt. Must not throw. @default - nobody is told */
  readonly onCall?: (call: CallStatistics) => void;
  /** Told of what arrives of answers, watches included, as it comes. Must not throw. @default - nobody is told */
  readonly onReceived?: (received: ReceivedBytes) => void;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
}

/** What every call can be told. */
export interface CallOptions {
  /** Ends the call when aborted; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt. @default - the client's timeout */
  readonly timeout?: number;
  /**
   * Milliseconds that the call may wait for its turn, by `qps`. If it would take longer the call is refused at once, with a `NetworkError` of the code `BUSY`, so that
   * those who ask for more than there is do not keep all others waiting. @default - as long as it takes
   */
  readonly maxWait?: number;
  /** Attempts at a call that the server answers with 429 and a time to come back; with 1 that is left to the caller. @default 3 */
  readonly attempts?: number;
}

/** What calls that write can be told. */
export interface WriteOptions extends CallOptions {
  /** `true` lets the server check everything and keep nothing. @default false */
  readonly dryRun?: boolean;
}

/** A change to an object. The type decides what the server does with the body. */
export type Patch =
  /** JSON merge patch (RFC 7386): given fields replace, `null` removes, lists are replaced as a whole. */
  | { readonly type: 'merge'; readonly body: object }
  /** JSON patch (RFC 6902): a list of operations. */
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  /** Server-side apply: the body is what `fieldManager` wants; `force` takes fields from other managers. */
  | { readonly type: 'apply'; readonly body: object; readonly fieldManager: string; readonly force?: boolean };

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** What a patch can be told. */
export interface PatchOptions extends WriteOptions {
  /** For example `status`. @default - the object itself */
  readonly subresource?: string;
}

/** What a deletion can be told. */
export interface DeleteOptions extends WriteOptions {
  /** What happens to the objects that this one owns. @default - the server's default for the kind */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  /** @default - the object's own grace period */
  readonly gracePeriodSeconds?: number;
  /** The deletion is a conflict unless these hold. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What the reading of bytes can be told. */
export interface BytesOptions {
  /** Parameters of the URL. @default - none */
  readonly query?: Query;
  /** Milliseconds until the answer begins; `Infinity` sets no limit. It may then take as long as it takes. @default - the client's timeout */
  readonly timeout?: number;
  /** Ends the call when aborted; the iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Which objects of a collection. */
export interface Selection {
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Which page of a collection. */
export interface ListOptions extends CallOptions, Selection {
  /** Objects a page. @default - all in one */
  readonly limit?: number;
  /** From the page before. */
  readonly continue?: string;
  /** @default - the newest state */
  readonly resourceVersion?: string;
  /**
   * A larger answer is a `NetworkError` with the code `TOO_LARGE`, in bytes.
   * @default - what the client takes
   */
  readonly maxBytes?: number;
}

/** A page of a collection. */
export interface ListPage<T extends KubeObject> {
  readonly items: T[];
  readonly metadata: {
    /** The state that the whole list, over all its pages, is of. */
    readonly resourceVersion: string;
    /** Where the next page begins; empty or absent on the last one. */
    readonly continue?: string;
    /** How many objects are on the pages to come, if the server knows. */
    readonly remainingItemCount?: number;
  };
}

/** A page of which the objects are read as they are asked for, so that of many there is only one at a time as a whole; they can be iterated over once. */
export interface UnreadPage<T extends KubeObject> {
  /** Throws a `NetworkError` at an object that cannot be read. */
  readonly items: Iterable<T>;
  readonly metadata: ListPage<T>['metadata'];
  /** The size of the answer. */
  readonly bytes: number;
}

/** What a watch can be told. */
export interface WatchOptions extends Selection {
  /** Events after this state. */
  readonly resourceVersion: string;
  /** After how many seconds the server ends the stream. @default - the server's choice */
  readonly timeoutSeconds?: number;
  /** Milliseconds without a byte after which the stream counts as dead; bookmarks come about every minute. @default 120000 */
  readonly idleTimeout?: number;
  /** Called for all that arrives, the head of the answer included. */
  readonly onActivity?: () => void;
  /** Asked about each event before it is read; one for which it returns `true` is passed over. If it throws, the watch ends. @default - all are read */
  readonly isKnown?: (event: UnreadEvent) => boolean;
  /** Ends the watch when aborted; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What happened to an object, or, as a bookmark, that nothing did up to a resource version. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: { readonly metadata: { readonly resourceVersion: string } } };

/** Parameters of a URL; those that are `undefined` are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
