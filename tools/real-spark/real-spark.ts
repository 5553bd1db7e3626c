import { join } from 'node:path';
import { neededFor, obtain, partKey } from '../local-cluster/build/parts.ts';
import type { Part } from '../local-cluster/build/parts.ts';
import { ToolError } from '../local-cluster/errors.ts';
import type { Progress } from '../local-cluster/progress.ts';
import { missingTools } from '../local-cluster/requirements.ts';
import { AnswerCache } from './answers.ts';
import { sparkJars, submitHarness } from './parts.ts';
import { SparkSubmit } from './spark-submit.ts';
import type { Submission, SubmissionAnswer } from './spark-submit.ts';
import type { RealSparkVersion } from './versions.ts';

export interface RealSparkOptions {
  readonly version: RealSparkVersion;
  /** The folder for what is kept. */
  readonly cache: string;
  /** The folder of this file. */
  readonly tool: string;
  readonly progress: Progress;
}

/** spark-submit of one version. Known answers are not asked again: as long as all answers are known, no JVM starts. */
export class RealSpark {
  /** How many answers came from a JVM. */
  public asked = 0;
  /** How many answers were known. */
  public remembered = 0;
  private readonly options: RealSparkOptions;
  private readonly harness: Part;
  private readonly answers: AnswerCache<Submission, SubmissionAnswer>;
  private running: Promise<SparkSubmit> | undefined;

  constructor(options: RealSparkOptions) {
    this.options = options;
    this.harness = submitHarness(options.version, join(options.tool, 'java'));
    this.answers = new AnswerCache(join(options.cache, 'spark-submit-answers'), partKey(this.harness), ({ argv, files }) => [argv, Object.entries(files).sort()]);
  }

  /** Returns what spark-submit does with a submission. */
  public async submit(submission: Submission): Promise<SubmissionAnswer> {
    const known = this.answers.get(submission);
    if (known === undefined) return await this.submitLive(submission);
    this.remembered += 1;
    return known;
  }

  /** The same, but in any case from a JVM. */
  public async submitLive(submission: Submission): Promise<SubmissionAnswer> {
    this.running ??= this.start();
    const answer = await (await this.running).submit(submission);
    this.asked += 1;
    this.answers.set(submission, answer);
    return answer;
  }

  /** Ends the JVM, if there is one. */
  public async stop(): Promise<void> {
    const running = this.running;
    this.running = undefined;
    this.answers.removeUnused();
    await (await running?.catch(() => undefined))?.stop();
  }

  private async start(): Promise<SparkSubmit> {
    const { cache, version, progress } = this.options;
    await refuseMissing(cache, this.harness);
    const jars = await obtain(cache, sparkJars(version), progress);
    return await SparkSubmit.start(join(jars, 'jars'), await obtain(cache, this.harness, progress));
  }
}

export async function refuseMissing(cache: string, harness: Part): Promise<void> {
  const missing = await missingTools(['jdk', ...neededFor(cache, [harness]).tools.filter((tool) => tool !== 'jdk')]);
  if (missing.length > 0) throw new ToolError(['This machine lacks what real Spark needs:', ...missing.map((line) => `  - ${line}`)].join('\n'));
}
