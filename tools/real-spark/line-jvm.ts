import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ToolError, logTail } from '../local-cluster/errors.ts';

/** The user that the JVM runs as, in Hadoop's eyes. */
export const SUBMITTING_USER = 'submitter';

/** Long enough for a JVM to start on a busy machine. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Cheap to start. The proxies lead nowhere: whatever is not on the loopback interface is not reached. */
const JVM_OPTIONS = [
  '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx768m', '-Dfile.encoding=UTF-8',
  '-Dhttp.proxyHost=127.0.0.1', '-Dhttp.proxyPort=1', '-Dhttps.proxyHost=127.0.0.1', '-Dhttps.proxyPort=1',
];

/** A program in a JVM that answers each line, a JSON object with a `label`, with a line that has the same label. */
export class LineJvm {
  /** The folder in which the program runs. */
  public readonly work: string;
  private readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'spark-submit-'));
  private readonly log = join(this.folder, 'log');
  private readonly jvm: ChildProcess;
  private readonly answers: AsyncIterator<string>;
  private queue: Promise<unknown> = Promise.resolve();
  private count = 0;

  /** @param prepare fills the home folder of the user before the start */
  constructor(main: string, classPath: readonly string[], prepare: (home: string) => void = () => {}) {
    const home = join(this.folder, 'home');
    const temporary = join(this.folder, 'tmp');
    this.work = join(this.folder, 'work');
    for (const folder of [home, this.work, temporary]) mkdirSync(folder);
    prepare(home);
    const log = openSync(this.log, 'w');
    this.jvm = spawn('java', [
      ...JVM_OPTIONS, `-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`, '-cp', classPath.join(delimiter), main,
    ], {
      cwd: this.work,
      // Nothing of what spark-submit reads from its environment, such as HADOOP_CONF_DIR and SPARK_CONF_DIR.
      env: { PATH: process.env.PATH, JAVA_HOME: process.env.JAVA_HOME, HOME: home, LANG: 'C.UTF-8', HADOOP_USER_NAME: SUBMITTING_USER },
      stdio: ['pipe', 'pipe', log],
    });
    closeSync(log);
    // A JVM that is gone, or never came, is noticed as the end of its answers.
    this.jvm.on('error', (error) => appendFileSync(this.log, `${error.message}\n`));
    this.jvm.stdin!.on('error', () => {});
    this.answers = createInterface({ input: this.jvm.stdout! })[Symbol.asyncIterator]();
  }

  /**
   * Asks. One after the other, in the order of the calls.
   *
   * @param before called before the question is sent
   * @param after called with its answer, before the next question
   */
  public async ask<A, R = A>(given: object, before: () => void = () => {}, after: (answer: A) => R = (answer) => answer as unknown as R): Promise<R> {
    const result = this.queue.then(async () => {
      before();
      return after(await this.askNow(given) as A);
    });
    this.queue = result.catch(() => {});
    return await result;
  }

  /** Ends the JVM, and removes what it wrote. */
  public async stop(): Promise<void> {
    await this.queue;
    const ended = this.jvm.exitCode === null && this.jvm.signalCode === null ? new Promise((resolve) => this.jvm.once('close', resolve)) : undefined;
    this.jvm.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async askNow(given: object): Promise<unknown> {
    const label = String(this.count += 1);
    this.jvm.stdin!.write(`${JSON.stringify({ label, ...given })}\n`);
    const { label: answered, ...answer } = JSON.parse(await this.nextAnswer()) as { readonly label: string };
    // After a timeout the answer can come late.
    if (answered !== label) throw new ToolError(`spark-submit answered submission ${answered} in place of ${label}. ${logTail(this.log)}`);
    return answer;
  }

  private async nextAnswer(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ToolError(`spark-submit gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s. ${logTail(this.log)}`)), ANSWER_TIMEOUT_MS);
    });
    try {
      const { value, done } = await Promise.race([this.answers.next(), timeout]);
      if (done) throw new ToolError(`the JVM with spark-submit ended. ${logTail(this.log)}`);
      return value;
    } finally {
      clearTimeout(timer);
    }
  }
}
