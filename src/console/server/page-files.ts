import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from './http';

/** Files of the page. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Loads the files of the page on demand. */
export type LoadPage = () => Promise<PageFiles>;

/** The page itself. It contains no data of the cluster, so nothing needs escaping. */
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Spark applications</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="console.css">
<script src="console.js" defer></script>
</head>
<body><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;

/** Icon: a spark, our own drawing. */
export const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6feb"/><path '
  + 'd="M17.5 4 8 18h6.5L13 28l11-15h-7z" fill="#fff"/></svg>\n';

interface File {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Serves the page and its two files. */
export class Page {
  private readonly files: ReadonlyMap<string, File>;

  constructor({ script, style }: PageFiles) {
    this.files = new Map([
      ['/', fileOf('text/html; charset=utf-8', HTML)],
      ['/console.js', fileOf('text/javascript; charset=utf-8', script)],
      ['/console.css', fileOf('text/css; charset=utf-8', style)],
      ['/icon.svg', fileOf('image/svg+xml', ICON)],
    ]);
  }

  /** Whether there is a file of this path. */
  has(path: string): boolean {
    return this.files.has(path);
  }

  /** Size of all files after compression, in bytes. */
  get gzippedBytes(): number {
    return [...this.files.values()].reduce((sum, { gzipped }) => sum + gzipped.length, 0);
  }

  send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const { type, body, gzipped, etag } = this.files.get(path)!;
    const headers = { ...SECURITY_HEADERS, 'content-type': type, etag, 'cache-control': 'no-cache', 'vary': 'accept-encoding' };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const isZipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const sent = isZipped ? gzipped : body;
    response.writeHead(200, { ...headers, 'content-length': sent.length, ...(isZipped && { 'content-encoding': 'gzip' }) });
    response.end(request.method === 'HEAD' ? undefined : sent);
  }
}

function fileOf(type: string, text: string): File {
  const body = Buffer.from(text);
  return { type, body, gzipped: gzipSync(body), etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
