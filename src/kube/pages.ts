import type { UnreadPage } from './client-types';
import { NetworkError } from './errors';
import type { KubeObject } from './objects';

/**
 * Bytes after which a page is aborted, and a smaller one requested. An object can have 1.5 MiB, and
 * the process keeps two pages of each list at a time.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Wanted bytes of a page of large objects. Pages of objects of usual size have less. */
const WANTED_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Divisor of a page that is too large: 100 objects become 3, which fit at any size that etcd stores
 * by default.
 */
const DIVISOR = 32;

/** Bounds of a page. */
export interface PageRequest {
  /** Maximum number of objects. */
  readonly limit: number;
  /** From the previous page. */
  readonly continue?: string;
  /** Maximum number of bytes. @default - the client's limit */
  readonly maxBytes?: number;
}

/**
 * Opens the pages of a collection, each with as many objects as fit into a limit of bytes. For
 * objects of usual size, each page has the maximum number of objects.
 */
export class Pages<T extends KubeObject> {
  private limit: number;

  /** @param most maximum number of objects per page */
  constructor(private readonly most: number, private readonly open: (page: PageRequest) => Promise<UnreadPage<T>>) {
    this.limit = most;
  }

  /**
   * Opens a page.
   *
   * @param token continue token from the previous page
   */
  async next(token?: string): Promise<UnreadPage<T>> {
    for (;;) {
      const { limit } = this;
      try {
        const page = await this.open({ limit, continue: token, ...(limit > 1 && { maxBytes: MAX_PAGE_BYTES }) });
        if (page.bytes > 0) this.limit = Math.max(1, Math.min(this.most, Math.floor(limit * WANTED_PAGE_BYTES / page.bytes)));
        return page;
      } catch (error) {
        if (!(error instanceof NetworkError && error.code === 'TOO_LARGE') || limit === 1) throw error;
        this.limit = Math.max(1, Math.floor(limit / DIVISOR));
      }
    }
  }
}
