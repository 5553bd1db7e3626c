import type { UnreadPage } from './client-types';
import { NetworkError } from './errors';
import type { KubeObject } from './objects';

/**
 * A page with more bytes is given up, and a smaller one asked for: an object can have 1.5 MiB, and
 * the process keeps two pages of each list at a time.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The size of pages of large objects, in bytes. Pages of objects of usual size have less. */
const WANTED_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * By this a page that is too large is divided: 100 objects become 3, which fit at any size that
 * etcd stores by default.
 */
const DIVISOR = 32;

/** Bounds of a page. */
export interface PageRequest {
  /** The most objects. */
  readonly limit: number;
  /** From the previous page. */
  readonly continue?: string;
  /** The most bytes. @default - as many as the client takes */
  readonly maxBytes?: number;
}

/**
 * Opens the pages of a collection, each with as many objects as fit into a bound of bytes. Objects
 * of usual size come by the most objects a page.
 */
export class Pages<T extends KubeObject> {
  private limit: number;

  /** @param most objects a page */
  constructor(private readonly most: number, private readonly open: (page: PageRequest) => Promise<UnreadPage<T>>) {
    this.limit = most;
  }

  /**
   * Opens a page.
   *
   * @param token from the previous page
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
