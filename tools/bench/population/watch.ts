import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { readText, type ApiAccess, type ApiClient } from '../api-client.ts';

/** A change of an object, and when the benchmark learnt of it by `performance.now()`. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: any;
  readonly at: number;
}

/** Longer than any run: otherwise the API server ends it after half an hour to an hour, which would look like being cut off. */
const WATCH_SECONDS = '10800';

export interface WatchOptions {
  readonly admin: ApiClient;
  readonly access: ApiAccess;
  /** Of the collection, such as `/api/v1/namespaces/a/pods`. */
  readonly path: string;
  readonly labelSelector?: string;
  readonly onChange: (change: Change) => void;
  /** It cannot go on: from now on nothing would be seen. */
  readonly onEnd: (error: Error) => void;
}

/** A watch of a collection. */
export class Watch {
  /** How often the API server has cut it off, as it does under load with those that do not read at once. It goes on where it was, or looks at everything. */
  cuts = 0;
  private readonly options: WatchOptions;
  private readonly agent: Agent;
  private request: ClientRequest | undefined;
  private version: string;
  private isClosed = false;
  private isForgotten = false;

  private constructor(options: WatchOptions, version: string) {
    this.options = options;
    this.version = version;
    const { ca, certificate: cert, key } = options.access;
    this.agent = new Agent({ ca, cert, key });
  }

  /** Begins to watch what changes from now on. */
  static async open(options: WatchOptions): Promise<Watch> {
    const { metadata: { resourceVersion } } = await options.admin.json('GET', `${options.path}?limit=1`);
    const watch = new Watch(options, resourceVersion);
    watch.connect();
    return watch;
  }

  close(): void {
    this.isClosed = true;
    this.request?.destroy();
    this.agent.destroy();
  }

  private connect(): void {
    const { access: { host, port }, path, labelSelector } = this.options;
    const query = new URLSearchParams({ watch: '1', allowWatchBookmarks: '1', timeoutSeconds: WATCH_SECONDS, resourceVersion: this.version, ...(labelSelector && { labelSelector }) });
    this.request = get({ host, port, agent: this.agent, path: `${path}?${query}` }, (response) => {
      if (response.statusCode === 200) this.read(response);
      else void readText(response).then((text) => this.end(text), (error: Error) => this.end(error.message));
    }).once('error', (error) => this.end(error.message));
  }

  private read(response: IncomingMessage): void {
    const lines = new LineReader();
    response.on('data', (chunk: Buffer) => {
      const at = performance.now();
      for (const line of lines.take(chunk)) this.take(JSON.parse(line), at);
    });
    response.on('error', () => undefined); // 'close' follows
    response.once('close', () => this.again());
  }

  /** The API server has forgotten where it was: looks at everything, and goes on from there. */
  private async lookAtAll(): Promise<void> {
    const { admin, path, labelSelector, onChange } = this.options;
    let token: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '500', ...(labelSelector && { labelSelector }), ...(token && { continue: token }) });
      const { items, metadata } = await admin.json('GET', `${path}?${query}`);
      const at = performance.now();
      for (const object of items) onChange({ type: 'MODIFIED', object, at });
      token = metadata.continue;
      this.version = metadata.resourceVersion;
    } while (token && !this.isClosed);
  }

  private again(): void {
    if (this.isClosed) return;
    this.cuts++;
    const isForgotten = this.isForgotten;
    this.isForgotten = false;
    if (isForgotten) void this.lookAtAll().then(() => this.isClosed || this.connect(), (error: Error) => this.end(error.message));
    else this.connect();
  }

  private take({ type, object }: any, at: number): void {
    if (type === 'ERROR' && object.code === 410) {
      this.isForgotten = true; // the end of the answer follows
      return;
    }
    if (type === 'ERROR') return this.end(object.message);
    this.version = object.metadata.resourceVersion;
    if (type !== 'BOOKMARK') this.options.onChange({ type, object, at });
  }

  private end(reason: string): void {
    if (this.isClosed) return;
    this.close();
    this.options.onEnd(new Error(`the watch of ${this.options.path} ended: ${reason.slice(0, 500)}`));
  }
}

/** Puts lines together that come in pieces, which end anywhere, also in the middle of a character. */
export class LineReader {
  private readonly rest: Buffer[] = [];

  /** @returns the lines that are whole by now */
  take(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      lines.push(Buffer.concat([...this.rest.splice(0), chunk.subarray(start, end)]).toString());
      start = end + 1;
    }
    if (start < chunk.length) this.rest.push(chunk.subarray(start));
    return lines;
  }
}
