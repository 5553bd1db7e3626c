import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { testConnection } from './test-connection';

/** An answer of the API server. */
export interface Answer {
  readonly code: number;
  readonly body: any;
}

/**
 * Calls of the API server as they are, where kubectl would take a tenth of a second each or change what is sent.
 * Call `close` at the end.
 */
export class ApiServer {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
  private readonly watches = new Agent();
  private closed = false;

  /** @param connection whose rights the calls have. @default - those of an administrator */
  constructor(private readonly connection = testConnection()) {}

  async call(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const response = await this.send(method, path, this.agent, body, contentType);
    const chunks = await response.toArray();
    return { code: response.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) };
  }

  /** As `call`, for what has to succeed. @returns the object that is answered */
  async must(method: string, path: string, body?: unknown, contentType?: string): Promise<any> {
    const answer = await this.call(method, path, body, contentType);
    if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${answer.body.message}`);
    return answer.body;
  }

  /** Deletes what a path selects. The API server gives up after a minute, with a part of them deleted: then it is asked again. */
  async deleteAll(path: string): Promise<void> {
    for (;;) {
      const { code, body } = await this.call('DELETE', path);
      if (code < 300) return;
      if (code !== 504) throw new Error(`DELETE ${path}: ${code} ${body.message}`);
    }
  }

  /** The events of a watch, beginning with what there is. Leaving the loop ends it. */
  async* watch(path: string): AsyncGenerator<{ type: string; object: any }> {
    const response = await this.send('GET', path, this.watches);
    response.setEncoding('utf8');
    let rest = '';
    try {
      for await (const chunk of response) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop()!;
        for (const line of lines) yield JSON.parse(line);
      }
      if (rest !== '') yield JSON.parse(rest);
    } finally {
      response.destroy();
    }
  }

  /**
   * Every change of a collection, without a gap: first a list as LISTED, then what changes. There is another list if the API server
   * has no longer what changed since, and as long as it does not serve the collection or cannot be reached.
   *
   * @param until milliseconds since 1970 at which it ends. @default - never, until `close`
   */
  async* follow(collection: string, until = Infinity): AsyncGenerator<{ type: string; object: any }> {
    for (let from: string | undefined; !this.closed && Date.now() < until;) {
      try {
        if (from === undefined) {
          const { code, body } = await this.call('GET', collection);
          // A CRD that is established, or applied again, is served a moment later.
          if (code >= 400) {
            await setTimeout(100);
            continue;
          }
          yield { type: 'LISTED', object: body };
          from = body.metadata.resourceVersion;
        }
        // A watch that stalls would hide everything until its end.
        const seconds = Math.ceil(Math.min(until - Date.now(), 30_000) / 1000);
        const query = `watch=true&timeoutSeconds=${Math.max(seconds, 1)}&allowWatchBookmarks=true&resourceVersion=${from}`;
        for await (const { type, object } of this.watch(`${collection}${collection.includes('?') ? '&' : '?'}${query}`)) {
          from = type === undefined || type === 'ERROR' ? undefined : object.metadata.resourceVersion;
          if (from === undefined) break;
          if (type !== 'BOOKMARK') yield { type, object };
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        await setTimeout(500);
      }
    }
  }

  close(): void {
    this.closed = true;
    this.agent.destroy();
    this.watches.destroy();
  }

  private async send(method: string, path: string, agent: Agent, body?: unknown, contentType?: string): Promise<IncomingMessage> {
    const { headers, tls } = await this.connection.credentials();
    const request = httpsRequest(`${this.connection.server}${path}`, {
      ...tls, agent, method, headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    try {
      const [response] = await once(request, 'response');
      return response;
    } catch (error) {
      // The API server has closed a connection that was idle, before it read the request.
      if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return this.send(method, path, agent, body, contentType);
    }
  }
}

/** Whether the cluster of the tests can be called without kubectl: in one of the user's own, only kubectl knows how to sign in. */
export function canCall(): boolean {
  return !process.env.TEST_CONTEXT && process.env.KUBECONFIG !== undefined && process.env.KUBECONFIG !== '';
}

let shared: ApiServer | undefined;

/** Returns the connection that all helpers of a test file share. */
export function cluster(): ApiServer {
  return shared ??= new ApiServer();
}
