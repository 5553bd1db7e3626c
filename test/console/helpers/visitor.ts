import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LineSplitter } from '../../../src/console/page/line-splitter';
import { Rows } from '../../../src/console/page/rows';
import type { Update } from '../../../src/console/wire';

/** Answer of the console. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends exact requests to a console: `fetch` does not let a test set the origin headers. */
export class Visitor {
  /** @param ca verifies the certificate of `localhost`. @default - plain HTTP */
  constructor(
    private readonly port: number, private readonly headers: Readonly<Record<string, string>> = {}, private readonly ca?: string,
  ) {}

  /** Returns a client that sends further headers; an empty one is left out. */
  with(headers: Readonly<Record<string, string>>): Visitor {
    return new Visitor(this.port, { ...this.headers, ...headers }, this.ca);
  }

  /**
   * Returns a client that has exchanged the token of an address for a session, as the page does.
   */
  async admitted(url: string): Promise<Visitor> {
    const { status, text } = await this.post('/api/admit', JSON.stringify({ token: new URL(url).searchParams.get('token') }));
    if (status !== 200) throw new Error(`the token was rejected: ${status} ${text}`);
    return this.with({ authorization: `Bearer ${JSON.parse(text).session}` });
  }

  async get(path: string): Promise<Reply> {
    return this.ask('GET', path);
  }

  async post(path: string, body = '{}'): Promise<Reply> {
    return this.ask('POST', path, body);
  }

  async ask(method: string, path: string, body?: string): Promise<Reply> {
    const response = await this.send(method, path, body);
    return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(await response.toArray()).toString() };
  }

  /** Sends a request without waiting for the answer; the returned function disconnects. */
  open(path: string): ClientRequest {
    return this.begin('GET', path, {}).on('error', () => {});
  }

  /** Returns the visible applications as `namespace/name`, once the first list is complete. */
  async applications(): Promise<string[]> {
    const follower = await this.follow();
    await follower.until((rows) => !rows.loading);
    follower.leave();
    return [...follower.rows.applications.keys()].sort();
  }

  /** Follows the rows as the page does. */
  async follow(): Promise<Follower> {
    return new Follower(await this.send('GET', '/api/rows'));
  }

  private async send(method: string, path: string, body?: string): Promise<IncomingMessage> {
    const request = this.begin(method, path, body === undefined ? {} : { 'content-type': 'application/json' }, body);
    const [response] = await once(request, 'response');
    return response;
  }

  private begin(method: string, path: string, more: Readonly<Record<string, string>>, body?: string): ClientRequest {
    const headers = Object.fromEntries(Object.entries({ ...more, ...this.headers }).filter(([, value]) => value !== ''));
    const to = { host: '127.0.0.1', port: this.port, method, path, headers };
    const request = this.ca === undefined ? httpRequest(to) : httpsRequest({ ...to, ca: this.ca, servername: 'localhost' });
    request.end(body);
    return request;
  }
}

/** Rows of a client that follows the stream of rows. */
export class Follower {
  readonly rows = new Rows();
  readonly updates: Update[] = [];
  private readonly lines = new LineSplitter();

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('error', () => {});
    response.on('data', (text: string) => {
      for (const line of this.lines.push(text).filter((each) => each !== '')) {
        this.updates.push(JSON.parse(line));
        this.rows.apply(JSON.parse(line));
      }
    });
  }

  /** Waits until the rows match. */
  async until(fits: (rows: Rows) => boolean): Promise<void> {
    while (!fits(this.rows)) await once(this.response, 'data');
  }

  leave(): void {
    this.response.destroy();
  }
}
