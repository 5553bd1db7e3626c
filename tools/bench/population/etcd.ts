import { Agent, request } from 'node:http';
import { readText } from '../api-client.ts';

/** An entry of etcd. */
export interface Entry {
  readonly key: string;
  readonly value: Buffer;
}

/** etcd of a local cluster, which takes anybody's calls from the same network; by its gateway for JSON. */
export class Etcd {
  private readonly agent: Agent;

  /** @param sockets calls under way at once */
  constructor(sockets: number) {
    this.agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  /** All entries whose keys begin so. */
  async withPrefix(prefix: string): Promise<Entry[]> {
    const end = Buffer.from(prefix);
    end[end.length - 1]!++;
    const { kvs = [] } = await this.call('/v3/kv/range', { key: encode(prefix), range_end: end.toString('base64') });
    return kvs.map(({ key, value }: any) => ({ key: Buffer.from(key, 'base64').toString(), value: Buffer.from(value, 'base64') }));
  }

  /** The ends of all keys that begin so. */
  async namesBelow(prefix: string): Promise<Set<string>> {
    return new Set((await this.withPrefix(prefix)).map(({ key }) => key.slice(prefix.length)));
  }

  async put({ key, value }: Entry): Promise<void> {
    await this.call('/v3/kv/put', { key: encode(key), value: value.toString('base64') });
  }

  close(): void {
    this.agent.destroy();
  }

  private call(path: string, body: object): Promise<any> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: 2379, method: 'POST', path, agent: this.agent, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } }, (response) => {
        readText(response).then((answer) => {
          if (response.statusCode === 200) resolve(JSON.parse(answer));
          else reject(new Error(`etcd answers ${path} with ${response.statusCode}: ${answer.slice(0, 200)}`));
        }, reject);
      }).on('error', reject).end(text);
    });
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}
