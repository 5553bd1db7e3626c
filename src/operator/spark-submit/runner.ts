import { constants } from 'node:fs';
import type * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';
import type { PodTemplatePaths } from '../../plan/spark-submit/arguments';
import { commandLine } from './command-line';
import { sparkSubmitEnvironment } from './environment';
import type { ClassArchive } from './environment';
import type { Environment } from './proxies';
import { failure, outcomeOf } from './outcome';
import type { SparkSubmitOutcome } from './outcome';
import { runInGroup } from './process';
import type { Spawn } from './process';
import { trustStore } from './trust-store';

/** The functions of node:fs/promises that are used. */
export type Files = Pick<typeof fsPromises, 'access' | 'mkdtemp' | 'readdir' | 'rm' | 'writeFile'>;

/** What the runner is made of. */
export interface SparkSubmitRunnerOptions {
  /** The operator's variables. SPARK_HOME says where Spark is. */
  readonly environment: Environment;
  /** Folder in which temporary folders are made. */
  readonly temporary: string;
  /** Archive of the classes of spark-submit, which the image has. It is used if it is there. */
  readonly archive: string;
  /** The certificates that spark-submit trusts, in PEM. @default - those that its JVM comes with */
  readonly certificates?: readonly string[];
  /** Longer no run may take, in milliseconds. */
  readonly timeout: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly files: Files;
}

/** One run. */
export interface SparkSubmitRequest {
  /** Namespace and name of the application, for the log. */
  readonly application: string;
  /** Pod templates, which are given to spark-submit as files. */
  readonly templates: { readonly driver?: object; readonly executor?: object };
  /**
   * The arguments, once it is known where the templates are.
   *
   * @throws SubmissionError if there are none for this application
   */
  readonly argumentsFor: (templates: PodTemplatePaths) => readonly string[];
  /** Asked right before it begins. @throws if it must not. @default - it may */
  readonly mayRun?: () => void;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** Between the request to end and the end by force, in milliseconds. */
const GRACE = 5_000;

/** Runs `$SPARK_HOME/bin/spark-submit`. */
export class SparkSubmitRunner {
  private archive: Promise<ClassArchive | undefined> | undefined;

  constructor(private readonly options: SparkSubmitRunnerOptions) {}

  /** Whether there is a Spark whose spark-submit can be run. */
  public async isAvailable(): Promise<boolean> {
    const program = this.program();
    return program !== undefined && await this.exists(program, constants.X_OK);
  }

  /**
   * Runs spark-submit for an application. Its command is logged without secrets; its temporary files are always removed.
   *
   * @throws SubmissionError of the arguments; the signal's reason once it is aborted, after the end of all that was started
   */
  public async run(request: SparkSubmitRequest): Promise<SparkSubmitOutcome> {
    request.signal?.throwIfAborted();
    try {
      return await this.inTemporaryFolder(folder => this.runIn(folder, request));
    } catch (error) {
      if (error instanceof TemporaryFilesError) {
        return failure(error.message, 'lasting');
      }
      throw error;
    }
  }

  private async runIn(folder: string, { application, templates, argumentsFor, mayRun, signal }: SparkSubmitRequest): Promise<SparkSubmitOutcome> {
    const { logger, clock, timeout, spawn, environment } = this.options;
    const program = this.program();
    if (program === undefined) {
      return failure('SPARK_HOME is not set', 'lasting');
    }
    const args = argumentsFor(await this.writeTemplates(folder, templates));
    const begin = clock.monotonic();
    logger.info({ application, command: commandLine(program, args) }, 'running spark-submit');
    const outcome = await this.spawned(program, args, {
      environment: sparkSubmitEnvironment(environment, { temporary: folder, archive: await this.classArchive(), trustStore: await this.writeTrustStore(folder) }),
      workingFolder: folder,
      timeout,
      grace: GRACE,
      signal,
      spawn: (...command) => {
        mayRun?.();
        return spawn(...command);
      },
      clock,
    });
    const seconds = Math.round(clock.monotonic() - begin) / 1000;
    if (outcome.kind === 'failed') {
      const { message: reason, retry, interrupted } = outcome;
      logger.warn({ application, seconds, reason, retry, interrupted }, 'spark-submit failed');
    } else {
      logger.info({ application, seconds, outcome: outcome.kind }, 'spark-submit has ended');
    }
    return outcome;
  }

  private async spawned(program: string, args: readonly string[], options: Parameters<typeof runInGroup>[2]): Promise<SparkSubmitOutcome> {
    try {
      return outcomeOf(await runInGroup(program, args, options), options.timeout);
    } catch (error) {
      options.signal?.throwIfAborted();
      return cannotStart(program, error as NodeJS.ErrnoException);
    }
  }

  private async writeTrustStore(folder: string): Promise<string | undefined> {
    const { certificates, clock, files } = this.options;
    if (!certificates) return undefined;
    const path = join(folder, 'trust.jks');
    await files.writeFile(path, trustStore(certificates, clock.now()), { mode: 0o600 }).catch(TemporaryFilesError.wrap);
    return path;
  }

  private async writeTemplates(folder: string, templates: SparkSubmitRequest['templates']): Promise<PodTemplatePaths> {
    const paths: { driver?: string; executor?: string } = {};
    for (const role of ['driver', 'executor'] as const) {
      if (templates[role] !== undefined) {
        const path = join(folder, `${role}-pod-template.json`); // JSON is YAML, too
        await this.options.files.writeFile(path, JSON.stringify(templates[role]), { mode: 0o600 }).catch(TemporaryFilesError.wrap);
        paths[role] = path;
      }
    }
    return paths;
  }

  /** A folder that only the operator can read (mkdtemp makes it so). */
  private async inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const { files, temporary, logger } = this.options;
    const folder = await files.mkdtemp(join(temporary, 'spark-submit-')).catch(TemporaryFilesError.wrap);
    try {
      return await use(folder);
    } finally {
      await files.rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        logger.warn({ err: error, folder }, 'the temporary files of spark-submit cannot be removed');
      });
    }
  }

  private program(): string | undefined {
    const { SPARK_HOME } = this.options.environment;
    return SPARK_HOME ? join(SPARK_HOME, 'bin', 'spark-submit') : undefined;
  }

  /** Looked for once: an image does not change. */
  private classArchive(): Promise<ClassArchive | undefined> {
    return this.archive ??= this.findArchive();
  }

  private async findArchive(): Promise<ClassArchive | undefined> {
    const { archive, environment, files } = this.options;
    const folder = join(environment.SPARK_HOME!, 'jars');
    if (!await this.exists(archive, constants.R_OK)) {
      return undefined;
    }
    const names = await files.readdir(folder).catch(() => []);
    return { file: archive, jars: names.filter(name => name.endsWith('.jar')).sort().map(name => join(folder, name)) };
  }

  private exists(path: string, mode: number): Promise<boolean> {
    return this.options.files.access(path, mode).then(() => true, () => false);
  }
}

class TemporaryFilesError extends Error {
  /** Without the error's own message: it names a folder that is another one with each try. */
  public static wrap(error: NodeJS.ErrnoException): never {
    throw new TemporaryFilesError(`the operator cannot write its temporary files${error.code ? ` (${error.code})` : ''}`, { cause: error });
  }
}

function cannotStart(program: string, error: NodeJS.ErrnoException): SparkSubmitOutcome {
  switch (error.code) {
    case 'ENOENT': return failure(`there is no program ${program}, or no bash to run it`, 'lasting');
    case 'EACCES': return failure(`${program} may not be executed`, 'lasting');
    case 'E2BIG': return failure('a property or an argument of the application is too long for a command line (128 KiB); move it into a file', 'final');
    default: return failure(`it cannot be started: ${error.message}`, 'lasting');
  }
}
