import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { readText, type ApiAccess, type ApiClient } from './api-client.ts';

/** A change of an object, and the time at which the benchmark saw it, by `performance.now()`. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: any;
  readonly at: number;
}

/** Longer than any run, or the API server would end the watch after half an hour. */
const WATCH_SECONDS = '10800';

export interface WatchOptions {
  readonly admin: ApiClient;
  readonly access: ApiAccess;
  /** Path of the collection, such as `/api/v1/namespaces/a/pods`. */
  readonly path: string;
  readonly labelSelector?: string;
  readonly onChange: (change: Change) => void;
  /** The watch cannot continue. */
  readonly onEnd: (error: Error) => void;
}

/** A watch of a collection. Under load the API server cuts watches off; it then resumes, or lists everything. */
export class Watch {
  /** Number of times that the API server has cut it off. */
  cuts = 0;
  private readonly options: WatchOptions;
  private readonly agent: Agent;
  private readonly rest: Buffer[] = [];
  private request: ClientRequest | undefined;
  private version: string;
  private isClosed = false;
  private isExpired = false;

  private constructor(options: WatchOptions, version: string) {
    this.options = options;
    this.version = version;
    const { ca, certificate: cert, key } = options.access;
    this.agent = new Agent({ ca, cert, key });
  }

  /** Watches changes from now on. */
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
    const { access: { host, port }, path } = this.options;
    const query = this.query({ watch: '1', allowWatchBookmarks: '1', timeoutSeconds: WATCH_SECONDS, resourceVersion: this.version });
    this.request = get({ host, port, agent: this.agent, path: `${path}?${query}` }, (response) => {
      if (response.statusCode === 200) this.read(response);
      else void readText(response).then((text) => this.end(text), (error: Error) => this.end(error.message));
    }).once('error', (error) => this.end(error.message));
  }

  private query(parameters: Record<string, string>): URLSearchParams {
    const { labelSelector } = this.options;
    return new URLSearchParams({ ...parameters, ...(labelSelector && { labelSelector }) });
  }

  private read(response: IncomingMessage): void {
    this.rest.splice(0);
    response.on('data', (chunk: Buffer) => this.take(chunk, performance.now()));
    response.on('error', () => undefined); // 'close' follows
    response.once('close', () => this.resume());
  }

  /** Splits chunks into lines. A chunk can end in the middle of a character. */
  private take(chunk: Buffer, at: number): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.handle(JSON.parse(Buffer.concat([...this.rest.splice(0), chunk.subarray(start, end)]).toString()), at);
      start = end + 1;
    }
    if (start < chunk.length) this.rest.push(chunk.subarray(start));
  }

  private handle({ type, object }: any, at: number): void {
    if (type === 'ERROR' && object.code === 410) {
      this.isExpired = true; // the end of the answer follows
      return;
    }
    if (type === 'ERROR') return this.end(object.message);
    this.version = object.metadata.resourceVersion;
    if (type !== 'BOOKMARK') this.options.onChange({ type, object, at });
  }

  private resume(): void {
    if (this.isClosed) return;
    this.cuts++;
    const ready = this.isExpired ? this.list() : Promise.resolve();
    this.isExpired = false;
    void ready.then(() => this.isClosed || this.connect(), (error: Error) => this.end(error.message));
  }

  private async list(): Promise<void> {
    const { admin, path, onChange } = this.options;
    let token: string | undefined;
    do {
      const { items, metadata } = await admin.json('GET', `${path}?${this.query({ limit: '500', ...(token && { continue: token }) })}`);
      const at = performance.now();
      for (const object of items) onChange({ type: 'MODIFIED', object, at });
      token = metadata.continue;
      this.version = metadata.resourceVersion;
    } while (token && !this.isClosed);
  }

  private end(reason: string): void {
    if (this.isClosed) return;
    this.close();
    this.options.onEnd(new Error(`the watch of ${this.options.path} ended: ${reason.slice(0, 500)}`));
  }
}
