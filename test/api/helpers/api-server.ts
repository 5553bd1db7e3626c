import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { testConnection } from './connection';

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

  /** @param connection whose rights the calls have. @default - those of an administrator */
  constructor(private readonly connection = testConnection()) {}

  async call(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const response = await this.send(method, path, body, contentType);
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

  /** The events of a watch, beginning with what there is. Whoever leaves the loop ends it. */
  async* watch(path: string): AsyncGenerator<{ type: string; object: any }> {
    const response = await this.send('GET', path);
    try {
      for await (const line of createInterface({ input: response })) yield JSON.parse(line);
    } finally {
      response.destroy();
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async send(method: string, path: string, body?: unknown, contentType?: string): Promise<IncomingMessage> {
    const { headers, tls } = await this.connection.credentials();
    const request = httpsRequest(`${this.connection.server}${path}`, {
      ...tls, agent: this.agent, method, headers: { ...headers, ...(body !== undefined && { 'content-type': contentType }) },
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(request, 'response');
    return response;
  }
}
