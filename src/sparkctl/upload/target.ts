import type { Content } from './content';

/** A place that files are uploaded to, from which applications can read them. */
export interface UploadTarget {
  /** The URI by which Spark reads a file. It is known before anything is sent. */
  uriOf(content: Content): string;
  /** The specification of an application with what it needs to read from there. */
  adapted<T extends object>(spec: T): T;
  /** What users should know if the specification stays as it is, as a sentence; undefined if there is nothing. */
  adviceFor(spec: object): string | undefined;
  /**
   * Uploads a file, unless it is there already.
   *
   * @param onSent told how many of its bytes have been sent; fewer than before if something has to be sent again
   * @throws {CommandError} with what is wrong and what to do
   */
  upload(content: Content, onSent: (bytes: number) => void, signal: AbortSignal): Promise<'uploaded' | 'present'>;
  /** Removes what was only needed for uploads. */
  close(): Promise<void>;
}
