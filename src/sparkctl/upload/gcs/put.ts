import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { partSizeOf, type Content } from '../content';
import type { Answer } from '../exchange';
import { withRetries as retried, type RetryOptions } from '../retries';
import { GcsError } from './errors';
import type { Gcs } from './request';

/** Status that asks for the rest of an upload. */
const CONTINUE = 308;

/** Callbacks and dependencies of an upload. */
export interface PutOptions extends RetryOptions {
  /** Called with the number of bytes of the file that have been sent. */
  readonly onSent: (bytes: number) => void;
}

/** Bucket and name of an object. */
export interface GcsObject {
  readonly bucket: string;
  readonly name: string;
}

/**
 * Puts a file into a bucket, unless an object of this name and content exists. The object becomes
 * visible only when it is complete; the server compares its MD5 hash. A lost part is sent again
 * (resumable upload).
 *
 * @throws {GcsError}
 * @see https://cloud.google.com/storage/docs/performing-resumable-uploads
 */
export async function putFile(gcs: Gcs, object: GcsObject, content: Content, options: PutOptions): Promise<'uploaded' | 'present'> {
  const { onSent, signal } = options;
  const md5 = await md5Of(content.path, signal);
  if (await objectExists(gcs, object, content.size, md5, options)) {
    onSent(content.size);
    return 'present';
  }
  let answer = await sendAll(gcs, await begin(gcs, object, content.size, md5, options), content, options);
  // Not all servers know the hash in advance, or how to continue an upload.
  if (!isSame(answer, content.size, md5)) {
    answer = await sendAll(gcs, await begin(gcs, object, content.size, md5, options), content, options);
  }
  if (!isSame(answer, content.size, md5)) throw GcsError.ofContent();
  onSent(content.size);
  return 'uploaded';
}

/** Sends the parts of a file. @returns the last answer, which describes the object */
async function sendAll(gcs: Gcs, session: string, content: Content, options: PutOptions): Promise<Answer> {
  let offset = 0;
  for (;;) {
    const answer = await withRetries(options, async (attempt) => {
      // The server knows what has arrived of the previous attempt.
      const state = attempt === 1 ? undefined : await gcs.send({
        method: 'PUT', url: session, headers: { 'content-range': `bytes */${content.size}` }, signal: options.signal,
      });
      if (state && state.status !== CONTINUE) return state;
      const part = await sendPart(gcs, session, content, state ? arrivedIn(state) : offset, options);
      if (part.status === CONTINUE && arrivedIn(part) <= offset) throw GcsError.ofLostPart();
      return part;
    });
    if (answer.status !== CONTINUE) return answer;
    offset = arrivedIn(answer);
  }
}

async function md5Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('base64');
}

async function objectExists(gcs: Gcs, { bucket, name }: GcsObject, size: number, md5: string, options: PutOptions): Promise<boolean> {
  try {
    const { text } = await withRetries(options, () => gcs.send({
      method: 'GET', url: `/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}?fields=size,md5Hash`, signal: options.signal,
    }));
    const found = descriptionIn(text);
    return Number(found?.size) === size && found?.md5Hash === md5;
  } catch (error) {
    // The credentials might permit only writes. Other problems are reported by the upload.
    if (error instanceof GcsError && error.status >= 300 && error.status < 500) return false;
    throw error;
  }
}

/** Begins an upload. @returns its URL */
async function begin(gcs: Gcs, { bucket, name }: GcsObject, size: number, md5: string, options: PutOptions): Promise<string> {
  const { headers, status, text } = await withRetries(options, () => gcs.send({
    method: 'POST', url: `/upload/storage/v1/b/${bucket}/o?${new URLSearchParams({ uploadType: 'resumable', name })}`,
    headers: { 'content-type': 'application/json; charset=UTF-8', 'x-upload-content-length': String(size) },
    body: JSON.stringify({ name, md5Hash: md5 }), signal: options.signal,
  }));
  if (headers.location === undefined) throw GcsError.ofAnswer(status, text);
  return headers.location;
}

function sendPart(gcs: Gcs, session: string, { path, size }: Content, start: number, { onSent, signal }: PutOptions): Promise<Answer> {
  const end = Math.min(size, start + partSizeOf(size));
  return gcs.send({
    method: 'PUT', url: session, signal,
    headers: { 'content-range': size === 0 ? 'bytes */0' : `bytes ${start}-${end - 1}/${size}` },
    body: { size: end - start, open: () => createReadStream(path, end === start ? {} : { start, end: end - 1 }) },
    onSent: (bytes) => onSent(start + bytes),
  });
}

/** Returns how many bytes have arrived. */
function arrivedIn({ headers: { range } }: Answer): number {
  const [, last] = /^bytes=0-(\d+)$/.exec(range ?? '') ?? [];
  return last === undefined ? 0 : Number(last) + 1;
}

/** Returns a description of an object; undefined for other text, such as a proxy's page. */
function descriptionIn(text: string): { readonly size?: string; readonly md5Hash?: string } | undefined {
  try {
    return JSON.parse(text) as { readonly size?: string; readonly md5Hash?: string };
  } catch {
    return undefined;
  }
}

/** Whether an answer describes an object with this size and hash, as far as it has them. */
function isSame({ status, text }: Answer, size: number, md5: string): boolean {
  const description = descriptionIn(text || '{}');
  if (!description) throw GcsError.ofAnswer(status, text);
  const { size: found, md5Hash } = description;
  return (found === undefined || Number(found) === size) && (md5Hash === undefined || md5Hash === md5);
}

function withRetries<T>(options: PutOptions, call: (attempt: number) => Promise<T>): Promise<T> {
  return retried(options, (error) => error instanceof GcsError && error.isTransient, call);
}
