import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError, fileProblem } from '../errors';

/** Bytes of a part of a file. A part is sent in one request, and again if that fails. */
const PART_SIZE = 16 * 1024 * 1024;

/** Maximum number of parts of an upload to S3. */
const MAX_PARTS = 10_000;

/** Part of a file. */
export interface Part {
  /** Offset of the first byte, from 0. */
  readonly start: number;
  readonly size: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
}

/** Local file, with size and hashes of its content. */
export interface Content {
  /** Path of the file. */
  readonly path: string;
  /** Name without folders. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
  /** Parts in order, at least one. */
  readonly parts: readonly Part[];
}

/** Returns the part size for a file, in bytes. */
export function partSizeOf(size: number): number {
  const mebibyte = 1024 * 1024;
  return Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS / mebibyte) * mebibyte);
}

/**
 * Reads a file once and computes its hashes. It keeps only one chunk in memory.
 *
 * @throws {CommandError} if it cannot be read, or is not a file
 */
export async function contentOf(path: string, signal?: AbortSignal): Promise<Content> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new CommandError(`${path}: it is not a file; pack a folder into an archive first`);
    const partSize = partSizeOf(stats.size);
    const whole = createHash('sha256');
    const parts: Part[] = [];
    let [start, size, part] = [0, 0, createHash('sha256')];
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal }) as AsyncIterable<Buffer>) {
      whole.update(chunk);
      for (let rest = chunk; rest.length > 0;) {
        const piece = rest.subarray(0, partSize - size);
        part.update(piece);
        size += piece.length;
        rest = rest.subarray(piece.length);
        if (size === partSize) {
          parts.push({ start, size, sha256: part.digest('hex') });
          [start, size, part] = [start + size, 0, createHash('sha256')];
        }
      }
    }
    if (size > 0 || parts.length === 0) parts.push({ start, size, sha256: part.digest('hex') });
    return { path, name: basename(path), size: start + size, sha256: whole.digest('hex'), parts };
  } catch (error) {
    if (error instanceof CommandError || signal?.aborted) throw error;
    throw new CommandError(`${path}: ${fileProblem(error)}`);
  }
}

/**
 * Returns the path of an uploaded file below a folder. It depends on the content and the name only:
 * other content gets another path. The name stays, as programs refer to it.
 */
export function placeOf({ sha256, name }: Pick<Content, 'sha256' | 'name'>, folder: string): string {
  return [folder, sha256.slice(0, 32), name].filter(Boolean).join('/');
}

/** Escapes a path in a URI, so that Java and S3 read exactly this path. */
export function escapedPath(path: string): string {
  return path.split('/').map((segment) => encodeURIComponent(segment).replace(
    /[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )).join('/');
}
