import type { AppliedDefaults } from '../../api/spark-application-status';
import type { SparkApplication } from './model';
import { Runs } from '../driver/runs';
import { keyOf } from '../../kube/objects';
import type { SubmissionReason } from '../submission/reasons-against-native';
import type { SparkSubmitPlan } from '../submission/plan';
import type { PreparedSubmission } from '../submission/prepare';
import { SubmissionError } from '../submission/errors';
import { sparkSubmitArguments } from '../submission/spark-submit/arguments';
import { failure, type SparkSubmitOutcome } from '../submission/spark-submit/outcome';
import { reasonsAgainstSparkSubmit, type SparkSubmitPermissions } from '../submission/spark-submit/reasons-against';
import type { SparkSubmitRunner } from '../submission/spark-submit/runner';

/** What the submitter works with. */
export interface SparkSubmitterOptions {
  readonly runner: SparkSubmitRunner;
  /** The API server, as `--master` names it. */
  readonly master: string;
  readonly permissions: SparkSubmitPermissions;
  /** Told of the key of each application whose run has ended. */
  readonly onEnd: (key: string) => void;
  /** Asked right before each run. @throws if there must be none. @default - there may be */
  readonly mayRun?: () => void;
}

/** What a run submits: the same until its end, whatever becomes of the application and of the defaults of the cluster meanwhile. */
export interface SparkSubmission {
  readonly prepared: PreparedSubmission;
  readonly plan: SparkSubmitPlan;
  /** What is in it from defaults of the cluster. */
  readonly appliedDefaults: readonly AppliedDefaults[];
  /** Why not natively; a sentence. */
  readonly because: string;
}

/** Submits applications by running spark-submit in the background. */
export class SparkSubmitter {
  private readonly options: SparkSubmitterOptions;
  private readonly runs: Runs<SparkSubmitOutcome>;
  /** Of the runs under way, by the keys of their applications. */
  private readonly submissions = new Map<string, SparkSubmission>();

  constructor(options: SparkSubmitterOptions) {
    this.options = options;
    this.runs = new Runs(options.onEnd);
  }

  /** What the operator does not let spark-submit do for an application. */
  reasonsAgainst(prepared: PreparedSubmission): SubmissionReason[] {
    return reasonsAgainstSparkSubmit(prepared, this.options.permissions);
  }

  /** What the run for the submission in an application's status submits; undefined if there is none, and no result of one. */
  underWay(application: SparkApplication): SparkSubmission | undefined {
    const id = application.status?.submissionID;
    const key = keyOf(application.metadata);
    return id !== undefined && this.runs.has(key, id) ? this.submissions.get(key) : undefined;
  }

  /** Starts the run for the submission in an application's status, or looks how far it is. */
  startOrFetch(application: SparkApplication, submission: SparkSubmission): 'begun' | 'running' | { readonly result: SparkSubmitOutcome } {
    const key = keyOf(application.metadata);
    const run = this.runs.startOrFetch(key, application.status!.submissionID!, (signal) => this.run(key, submission, signal));
    if (run === 'begun') this.submissions.set(key, submission);
    else if (run !== 'running') this.submissions.delete(key);
    return run;
  }

  /** Ends what is under way for an application that is gone. */
  forget(key: string): void {
    this.runs.forget(key);
    this.submissions.delete(key);
  }

  /** Ends what is under way for an application. Resolves when it has ended, and creates nothing any more. */
  async end(application: SparkApplication): Promise<void> {
    const key = keyOf(application.metadata);
    this.submissions.delete(key);
    await this.runs.end(key);
  }

  /** Ends all that is under way, and begins nothing more. Resolves when it has ended. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private async run(key: string, { prepared, plan: { driverTemplate, executorTemplate } }: SparkSubmission, signal: AbortSignal): Promise<SparkSubmitOutcome> {
    const { runner, master, mayRun } = this.options;
    try {
      return await runner.run({
        application: key,
        templates: { driver: driverTemplate, executor: executorTemplate },
        argumentsFor: (templates) => sparkSubmitArguments({ ...prepared, master, templates }),
        mayRun,
        signal,
      });
    } catch (error) {
      return failure((error as Error).message, SubmissionError.is(error) ? 'final' : 'lasting', signal.aborted);
    }
  }
}
