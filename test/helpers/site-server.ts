import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png',
};

/** Serves the files of a folder below a path, as GitHub Pages does: compressed, without a program. */
export class SiteServer {
  static async start(folder: string, base: string): Promise<SiteServer> {
    const started = new SiteServer(folder, base);
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** Paths that were asked for, and bytes that were sent for each; 0 for a file that does not exist. */
  readonly sent = new Map<string, number>();
  private readonly server: Server;

  private constructor(folder: string, base: string) {
    this.server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
      const file = path.startsWith(base) ? join(folder, path.slice(base.length), path.endsWith('/') ? 'index.html' : '') : '';
      const type = TYPES[extname(file)];
      if (type === undefined || !existsSync(file)) {
        this.sent.set(path, 0);
        response.writeHead(404).end();
        return;
      }
      const body = gzipSync(readFileSync(file));
      this.sent.set(path, body.length);
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
