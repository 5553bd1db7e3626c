import { createReadStream } from 'node:fs';
import type { Content, Part } from '../content';
import { withRetries as retried, type RetryOptions } from '../retries';
import { S3Error } from './errors';
import type { Body, Bucket } from './request';
import { elementIn, escapedText } from './xml';

/** Number of parts that are sent concurrently. */
const CONCURRENCY = 4;

/** Milliseconds in which the parts of a failed upload are removed. */
const REMOVAL_TIMEOUT = 10_000;

/** Callbacks and dependencies of an upload. */
export interface PutOptions extends RetryOptions {
  /** Called with the number of bytes of the file that have been sent. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Puts a file into a bucket, unless an object of this key and size exists: keys depend on the
 * content. The object becomes visible only when it is complete.
 *
 * @throws {S3Error}
 */
export async function putFile(bucket: Bucket, key: string, content: Content, options: PutOptions): Promise<'uploaded' | 'present'> {
  if (await objectExists(bucket, key, content.size, options)) {
    options.onSent(content.size);
    return 'present';
  }
  if (content.parts.length === 1) {
    await withRetries(options, () => bucket.send({
      method: 'PUT', key, body: bodyOf(content, content.parts[0]!), onSent: options.onSent, signal: options.signal,
    }));
  } else {
    await putParts(bucket, key, content, options);
  }
  options.onSent(content.size);
  return 'uploaded';
}

async function objectExists(bucket: Bucket, key: string, size: number, options: PutOptions): Promise<boolean> {
  try {
    const { headers } = await withRetries(options, () => bucket.send({ method: 'HEAD', key, signal: options.signal }));
    return Number(headers['content-length']) === size;
  } catch (error) {
    // The credentials might permit only writes. Other problems are reported by the upload, whose
    // responses have a body.
    if (error instanceof S3Error && error.status >= 300 && error.status < 500) return false;
    throw error;
  }
}

async function putParts(bucket: Bucket, key: string, content: Content, options: PutOptions): Promise<void> {
  const { signal, onSent } = options;
  const begun = await withRetries(options, () => bucket.send({ method: 'POST', key, query: { uploads: '' }, signal }));
  const uploadId = elementIn(begun.text, 'UploadId');
  if (!uploadId) throw S3Error.ofAnswer(begun.status, begun.text);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const sent = content.parts.map(() => 0);
  try {
    const tags = await mapConcurrently(content.parts, CONCURRENCY, async (part, index) => {
      try {
        const { headers } = await withRetries({ ...options, signal: either }, () => bucket.send({
          method: 'PUT', key, query: { partNumber: String(index + 1), uploadId }, body: bodyOf(content, part), signal: either,
          onSent: (bytes) => {
            sent[index] = bytes;
            onSent(sent.reduce((sum, each) => sum + each));
          },
        }));
        return String(headers.etag);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    });
    const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapedText(tag)}</ETag></Part>`).join('');
    await complete(bucket, { key, uploadId, list, size: content.size }, options);
  } catch (error) {
    // Else the server would keep, and charge for, the invisible parts. The user's Ctrl-C does not
    // abort this.
    await bucket.send({ method: 'DELETE', key, query: { uploadId }, signal: AbortSignal.timeout(REMOVAL_TIMEOUT) }).catch(() => undefined);
    throw error;
  }
}

/** Parts that become one object. */
interface Completion {
  readonly key: string;
  readonly uploadId: string;
  /** List of the parts, in S3's XML. */
  readonly list: string;
  /** Size of the object in bytes. */
  readonly size: number;
}

/** Combines the parts to one object. */
async function complete(bucket: Bucket, { key, uploadId, list, size }: Completion, options: PutOptions): Promise<void> {
  let attempts = 0;
  await withRetries(options, async () => {
    attempts++;
    try {
      const { status, text } = await bucket.send({
        method: 'POST', key, query: { uploadId }, body: `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
        signal: options.signal,
      });
      // The server can send status 200 before it detects the error.
      if (text.includes('<Error>')) throw S3Error.ofAnswer(status, text);
    } catch (error) {
      // An earlier attempt whose answer was lost can have succeeded; then the upload does not exist
      // any more.
      const isOver = attempts > 1 && error instanceof S3Error && error.code === 'NoSuchUpload';
      if (!isOver || !await objectExists(bucket, key, size, options)) throw error;
    }
  });
}

function bodyOf({ path, size }: Content, part: Part): Body {
  // An empty file has no last byte.
  return {
    size: part.size, sha256: part.sha256,
    open: () => createReadStream(path, size === 0 ? {} : { start: part.start, end: part.start + part.size - 1 }),
  };
}

function withRetries<T>(options: PutOptions, call: () => Promise<T>): Promise<T> {
  return retried(options, (error) => error instanceof S3Error && error.isTransient, call);
}

/** Maps the items of a list in order, with limited concurrency. */
async function mapConcurrently<T, R>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const [index, item] of rest) results[index] = await work(item, index);
  }));
  return results;
}
