import type { Content } from './content';

/** Destination of uploads, from which applications can read. */
export interface UploadTarget {
  /** Returns the URI by which Spark reads a file. It is known before the upload. */
  uriOf(content: Content): string;
  /** Adds the settings to a specification that reading from the destination needs. */
  adapted<T extends object>(spec: T): T;
  /** Returns a warning about the specification, as a sentence; undefined if there is none. */
  adviceFor(spec: object): string | undefined;
  /**
   * Uploads a file, unless it exists already.
   *
   * @param onSent called with the number of bytes sent so far; it decreases if a part is sent again
   * @throws {CommandError} with reason and remedy
   */
  upload(content: Content, onSent: (bytes: number) => void, signal: AbortSignal): Promise<'uploaded' | 'present'>;
  /** Deletes objects that only the uploads needed. */
  close(): Promise<void>;
}
