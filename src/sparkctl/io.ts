/** What a command does with the world outside. Tests put a world of their own in its place. */
export interface Io {
  /** Prints a result. */
  stdout(text: string): void;
  /** Prints bytes of a result as they are. Resolves when more may come: whoever reads may be slow. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints what is not a result: errors, warnings, notes. */
  stderr(text: string): void;
  /** The text of a file (UTF-8). Rejects with Node's errors, such as ENOENT. */
  readFile(path: string): Promise<string>;
  /** All that comes from the standard input (UTF-8). */
  readStdin(): Promise<string>;
  /** Writes a file and makes the folders that it needs; a file that is there is replaced. */
  writeFile(path: string, text: string): Promise<void>;
}
