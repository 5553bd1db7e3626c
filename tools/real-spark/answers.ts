import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const UNUSED_DAYS = 30;

/** Earlier answers of spark-submit, in a folder of its own: one file for each version of Spark, of what runs it, and submission. */
export class AnswerCache<Submission, Answer> {
  private readonly folder: string;
  private readonly key: string;
  private readonly partsOf: (submission: Submission) => readonly unknown[];

  /**
   * @param folder where the files are; made if it is not there
   * @param key what else than the submission decides about an answer
   * @param partsOf the parts of a submission, in an order that does not depend on how it was made
   */
  constructor(folder: string, key: string, partsOf: (submission: Submission) => readonly unknown[]) {
    this.folder = folder;
    this.key = key;
    this.partsOf = partsOf;
    mkdirSync(folder, { recursive: true });
  }

  /** The answer to a submission; undefined if it is not known. */
  public get(submission: Submission): Answer | undefined {
    const file = this.file(submission);
    try {
      const found = JSON.parse(readFileSync(file, 'utf8'));
      if (!isDeepStrictEqual(found.submission, plain(submission))) return undefined;
      utimesSync(file, new Date(), new Date());
      return found.answer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Keeps an answer. Written aside and moved into place: no process reads half of it. */
  public set(submission: Submission, answer: Answer): void {
    const file = this.file(submission);
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify({ submission, answer }));
    renameSync(unfinished, file);
  }

  /** Removes answers that have been unused for a long time. */
  public removeUnused(now = Date.now()): void {
    for (const entry of readdirSync(this.folder)) {
      const path = join(this.folder, entry);
      const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (modified !== undefined && modified < now - UNUSED_DAYS * 24 * 3600 * 1000) rmSync(path, { force: true });
    }
  }

  private file(submission: Submission): string {
    const name = createHash('sha256').update(JSON.stringify([this.key, ...this.partsOf(submission)])).digest('hex').slice(0, 32);
    return join(this.folder, `${name}.json`);
  }
}

/** As it comes out of a file. */
function plain(submission: unknown): unknown {
  return JSON.parse(JSON.stringify(submission));
}
