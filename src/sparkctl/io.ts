/** Input and output of a command. Tests replace it. */
export interface Io {
  /** Prints a result. */
  stdout(text: string): void;
  /** Prints bytes of a result unchanged. Resolves when the reader can take more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints errors, warnings and notes, which are not part of the result. */
  stderr(text: string): void;
  /** Returns the text of a file (UTF-8). Rejects with Node's errors, such as ENOENT. */
  readFile(path: string): Promise<string>;
  /** Returns the whole standard input (UTF-8). */
  readStdin(): Promise<string>;
  /** Writes a file, replaces an existing one, and creates missing folders. */
  writeFile(path: string, text: string): Promise<void>;
}
