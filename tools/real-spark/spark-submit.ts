import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CaptureServer } from './capture-server.ts';
import type { CapturedRequest } from './capture-server.ts';
import { LineJvm } from './line-jvm.ts';

/** Input of spark-submit. */
export interface Submission {
  /** Arguments of spark-submit. `MASTER` in them is replaced by the URL of the API server. */
  readonly argv: readonly string[];
  /** Files in the folder in which spark-submit runs, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** How spark-submit took it. */
export interface SubmissionAnswer {
  /** Why it was refused: exceptions, each with its cause after it. Absent if it was submitted. */
  readonly refusal?: readonly { readonly class: string; readonly message: string }[];
  /** Requests to the API server, with `MASTER` in place of its address. */
  readonly requests: readonly CapturedRequest[];
}

/** In arguments and answers: the address of the API server. A run of its own has a port of its own. */
export const MASTER = 'http://api-server.test';

/** Artifacts that Ivy finds without a network, in the place where Maven keeps what it has fetched. Each is an empty jar. */
export const AVAILABLE_PACKAGES = ['org.example:alpha:1.0.0', 'org.example:beta_2.13:2.1', 'com.acme:connector:0.9.1-rc1'] as const;

/** One JVM that runs spark-submit again and again, and the API server that it talks to. */
export class SparkSubmit {
  /** Starts both. `jars` holds Spark's jars, `harness` the classes of this folder's `java`. */
  public static async start(jars: string, harness: string): Promise<SparkSubmit> {
    return new SparkSubmit(jars, harness, await CaptureServer.start());
  }

  private readonly server: CaptureServer;
  private readonly jvm: LineJvm;

  private constructor(jars: string, harness: string, server: CaptureServer) {
    this.server = server;
    this.jvm = new LineJvm('SubmitHarness', [harness, join(jars, '*')], (home) => {
      for (const artifact of AVAILABLE_PACKAGES) writeMavenArtifact(join(home, '.m2/repository'), artifact);
    });
  }

  /** Submits. One after the other, in the order of the calls. */
  public async submit({ argv, files }: Submission): Promise<SubmissionAnswer> {
    const given = { argv: argv.map((argument) => argument.replaceAll(MASTER, this.server.url)), files };
    return await this.jvm.ask<Pick<SubmissionAnswer, 'refusal'>, SubmissionAnswer>(given, () => void this.server.take(), ({ refusal }) => {
      const requests = withoutAddress(this.server.take(), this.server.url);
      return refusal === undefined ? { requests } : { refusal, requests };
    });
  }

  /** Ends the JVM and the server, and removes what they wrote. */
  public async stop(): Promise<void> {
    await this.jvm.stop();
    await this.server.stop();
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
