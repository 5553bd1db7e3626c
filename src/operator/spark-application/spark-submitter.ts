import type { SparkApplication } from './model';
import { Runs } from './runs';
import { keyOf } from '../kube/objects';
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
}

/** Submits applications by running spark-submit in the background. */
export class SparkSubmitter {
  private readonly options: SparkSubmitterOptions;
  private readonly runs: Runs<SparkSubmitOutcome>;

  constructor(options: SparkSubmitterOptions) {
    this.options = options;
    this.runs = new Runs(options.onEnd);
  }

  /** What the operator does not let spark-submit do for an application. */
  reasonsAgainst(prepared: PreparedSubmission): SubmissionReason[] {
    return reasonsAgainstSparkSubmit(prepared, this.options.permissions);
  }

  /** Whether there is a run, or the result of one, for the submission in an application's status. */
  isUnderWay(application: SparkApplication): boolean {
    const id = application.status?.submissionID;
    return id !== undefined && this.runs.has(keyOf(application.metadata), id);
  }

  /** Starts the run for the submission in an application's status, or looks how far it is. */
  startOrFetch(application: SparkApplication, prepared: PreparedSubmission, plan: SparkSubmitPlan): 'begun' | 'running' | { readonly result: SparkSubmitOutcome } {
    const key = keyOf(application.metadata);
    return this.runs.startOrFetch(key, application.status!.submissionID!, (signal) => this.run(key, prepared, plan, signal));
  }

  /** Ends what is under way for an application that is gone. */
  forget(key: string): void {
    this.runs.forget(key);
  }

  /** Ends what is under way for an application. Resolves when it has ended, and creates nothing any more. */
  end(application: SparkApplication): Promise<void> {
    return this.runs.end(keyOf(application.metadata));
  }

  /** Ends all that is under way, and begins nothing more. Resolves when it has ended. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  private async run(key: string, prepared: PreparedSubmission, { driverTemplate, executorTemplate }: SparkSubmitPlan, signal: AbortSignal): Promise<SparkSubmitOutcome> {
    const { runner, master } = this.options;
    try {
      return await runner.run({
        application: key,
        templates: { driver: driverTemplate, executor: executorTemplate },
        argumentsFor: (templates) => sparkSubmitArguments({ ...prepared, master, templates }),
        signal,
      });
    } catch (error) {
      return failure((error as Error).message, SubmissionError.is(error) ? 'final' : 'lasting', signal.aborted);
    }
  }
}
