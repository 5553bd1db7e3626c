import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError, fileProblem } from '../errors';

/** Bytes of a part of a file: what is sent in one piece, and sent again if it gets lost. */
const PART_SIZE = 16 * 1024 * 1024;

/** So many parts an upload to S3 may have. */
const MOST_PARTS = 10_000;

/** A part of a file. */
export interface Part {
  /** The first byte, counted from 0. */
  readonly start: number;
  readonly size: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
}

/** A file of this machine and what is in it. */
export interface Content {
  /** Where it is. */
  readonly path: string;
  /** Its name, without folders. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
  /** The parts in order, at least one. */
  readonly parts: readonly Part[];
}

/** How large the parts of a file are. */
export function partSizeOf(size: number): number {
  const mebibyte = 1024 * 1024;
  return Math.max(PART_SIZE, Math.ceil(size / MOST_PARTS / mebibyte) * mebibyte);
}

/**
 * Reads a file once, to know what is in it. No more of it is in memory than a piece.
 *
 * @throws {CommandError} if it cannot be read, or is no file
 */
export async function contentOf(path: string, signal?: AbortSignal): Promise<Content> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new CommandError(`${path}: is no file; a folder is to be packed into an archive first`);
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

/** Where a file is put below a folder: the same content has always the same place, and other content of the same name has another. The name stays, as programs are found by it. */
export function placeOf({ sha256, name }: Pick<Content, 'sha256' | 'name'>, folder: string): string {
  return [folder, sha256.slice(0, 32), name].filter(Boolean).join('/');
}

/** A path as part of a URI that Java and S3 read as this path, whatever is in it. */
export function escapedPath(path: string): string {
  return path.split('/').map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)).join('/');
}
