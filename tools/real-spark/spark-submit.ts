import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ToolError, logTail } from '../local-cluster/errors.ts';
import { CaptureServer } from './capture-server.ts';
import type { CapturedRequest } from './capture-server.ts';

/** What spark-submit is told. */
export interface Submission {
  /** Arguments of spark-submit. `MASTER` in them stands for the URL of the API server. */
  readonly argv: readonly string[];
  /** Files in the folder in which spark-submit runs, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** How spark-submit took it. */
export interface SubmissionAnswer {
  /** Why it was refused: exceptions, each with its cause after it. Absent if it was submitted. */
  readonly refusal?: readonly { readonly class: string; readonly message: string }[];
  /** What the API server was asked, with `MASTER` in place of its address. */
  readonly requests: readonly CapturedRequest[];
}

/** In arguments and answers: the address of the API server. A run of its own has a port of its own. */
export const MASTER = 'http://api-server.test';

/** The user that the JVM runs as, in Hadoop's eyes. */
export const SUBMITTING_USER = 'submitter';

/** Long enough for a JVM to start on a busy machine. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Cheap to start. The proxies lead nowhere: whatever is not on the loopback interface is not reached. */
const JVM_OPTIONS = [
  '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx768m', '-Dfile.encoding=UTF-8',
  '-Dhttp.proxyHost=127.0.0.1', '-Dhttp.proxyPort=1', '-Dhttps.proxyHost=127.0.0.1', '-Dhttps.proxyPort=1',
];

/** Artifacts that Ivy finds without a network, in the place where Maven keeps what it has fetched. Each is an empty jar. */
export const AVAILABLE_PACKAGES = ['org.example:alpha:1.0.0', 'org.example:beta_2.13:2.1', 'com.acme:connector:0.9.1-rc1'] as const;

/** One JVM that runs spark-submit again and again, and the API server that it talks to. */
export class SparkSubmit {
  /** Starts both. `jars` holds Spark's jars, `harness` the classes of this folder's `java`. */
  public static async start(jars: string, harness: string): Promise<SparkSubmit> {
    return new SparkSubmit(jars, harness, await CaptureServer.start());
  }

  private readonly folder = mkdtempSync(join(tmpdir(), 'spark-submit-'));
  private readonly log = join(this.folder, 'log');
  private readonly server: CaptureServer;
  private readonly jvm: ChildProcess;
  private readonly answers: AsyncIterator<string>;
  private queue: Promise<unknown> = Promise.resolve();
  private count = 0;

  private constructor(jars: string, harness: string, server: CaptureServer) {
    this.server = server;
    const home = join(this.folder, 'home');
    const work = join(this.folder, 'work');
    const temporary = join(this.folder, 'tmp');
    for (const folder of [home, work, temporary]) mkdirSync(folder);
    for (const artifact of AVAILABLE_PACKAGES) writeMavenArtifact(join(home, '.m2/repository'), artifact);
    const log = openSync(this.log, 'w');
    this.jvm = spawn('java', [
      ...JVM_OPTIONS, `-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`,
      '-cp', [harness, join(jars, '*')].join(delimiter), 'SubmitHarness',
    ], {
      cwd: work,
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

  /** Submits. One after the other, in the order of the calls. */
  public async submit(submission: Submission): Promise<SubmissionAnswer> {
    const result = this.queue.then(() => this.submitNow(submission));
    this.queue = result.catch(() => {});
    return await result;
  }

  /** Ends the JVM and the server, and removes what they wrote. */
  public async stop(): Promise<void> {
    await this.queue;
    const ended = this.jvm.exitCode === null && this.jvm.signalCode === null ? new Promise((resolve) => this.jvm.once('close', resolve)) : undefined;
    this.jvm.kill('SIGKILL');
    await ended;
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async submitNow({ argv, files }: Submission): Promise<SubmissionAnswer> {
    const label = String(this.count += 1);
    const given = { label, argv: argv.map((argument) => argument.replaceAll(MASTER, this.server.url)), files };
    this.server.take();
    this.jvm.stdin!.write(`${JSON.stringify(given)}\n`);
    const { label: answered, refusal } = JSON.parse(await this.nextAnswer()) as Pick<SubmissionAnswer, 'refusal'> & { label: string };
    // After a timeout the answer may come late.
    if (answered !== label) throw new ToolError(`spark-submit answered submission ${answered} in place of ${label}. ${logTail(this.log)}`);
    const requests = withoutAddress(this.server.take(), this.server.url);
    return refusal === undefined ? { requests } : { refusal, requests };
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

/** Puts `MASTER` for the server's address, also where colons are escaped, as in a properties file. */
function withoutAddress(requests: readonly CapturedRequest[], url: string): CapturedRequest[] {
  const escaped = (address: string) => address.replaceAll(':', '\\:');
  return JSON.parse(JSON.stringify(requests), (_, value) => (
    typeof value === 'string' ? value.replaceAll(url, MASTER).replaceAll(escaped(url), escaped(MASTER)) : value
  ));
}

/** The empty archive: a directory with no entries. */
const EMPTY_JAR = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

function writeMavenArtifact(repository: string, coordinate: string): void {
  const [group, name, version] = coordinate.split(':') as [string, string, string];
  const file = join(repository, group.replaceAll('.', '/'), name, version, `${name}-${version}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.pom`, `<project><modelVersion>4.0.0</modelVersion><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></project>\n`);
  writeFileSync(`${file}.jar`, EMPTY_JAR);
}
