import type { AppliedDefaults } from '../../api/spark-application-status';
import type { CreatedObject } from './created-object';
import type { SparkApplication } from '../../model/spark-application';
import { Runs } from '../driver/runs';
import type { FairSemaphore } from '../../kube/fair-semaphore';
import { keyOf } from '../../kube/objects';
import type { SubmissionReason } from '../../plan/native/reasons-against';
import type { SparkSubmitPlan } from '../../plan/plan';
import type { PreparedSubmission } from '../../plan/prepare';
import { SubmissionError } from '../../plan/errors';
import { sparkSubmitArguments } from '../../plan/spark-submit/arguments';
import { failure, type SparkSubmitOutcome } from '../spark-submit/outcome';
import { reasonsAgainstSparkSubmit, type SparkSubmitPermissions } from '../../plan/spark-submit/reasons-against';
import type { SparkSubmitRunner } from '../spark-submit/runner';

/** What the submitter works with. */
export interface SparkSubmitterOptions {
  readonly runner: SparkSubmitRunner;
  /** Limits the runs at a time, fair by namespace; one for all submitters of the process. */
  readonly turns: FairSemaphore;
  /** The API server, as `--master` names it. */
  readonly master: string;
  readonly permissions: SparkSubmitPermissions;
  /** Told of the key of each application whose run has ended. */
  readonly onEnd: (key: string) => void;
  /** Asked right before each run. @throws if there must be none. @default - there may be */
  readonly mayRun?: () => void;
}

/** A run of spark-submit that ended, and facts of what it submitted. */
export interface EndedRun {
  readonly outcome: SparkSubmitOutcome;
  /** Whether the driver needs the operator's webhook. */
  readonly throughWebhook: boolean;
  readonly appliedDefaults: readonly AppliedDefaults[];
  /** Settings without the effect that they seem to have; sentences. */
  readonly warnings: readonly string[];
}

/**
 * Prepares a submission and runs spark-submit for it, once it is its turn. Until then it must hold
 * no specification.
 *
 * @param made receives the objects that it creates
 */
export type SubmissionWork = (signal: AbortSignal, made: CreatedObject[]) => Promise<EndedRun>;

/** How the work ended, and the objects that it created. */
export type SubmissionResult = { readonly made: readonly CreatedObject[] } & (EndedRun | { readonly error: unknown });

/** Submits applications by running spark-submit in the background. */
export class SparkSubmitter {
  private readonly options: SparkSubmitterOptions;
  private readonly runs: Runs<SubmissionResult>;

  constructor(options: SparkSubmitterOptions) {
    this.options = options;
    this.runs = new Runs(options.onEnd);
  }

  /** What the operator does not let spark-submit do for an application. */
  reasonsAgainst(prepared: PreparedSubmission): SubmissionReason[] {
    return reasonsAgainstSparkSubmit(prepared, this.options.permissions);
  }

  /** Whether the submission in an application's status waits or runs, or has a result that was not fetched. */
  underWay({ metadata, status }: SparkApplication): boolean {
    return status?.submissionID !== undefined && this.runs.has(keyOf(metadata), status.submissionID);
  }

  /** Enqueues the submission in an application's status, or fetches its result. */
  startOrFetch({ metadata, status }: SparkApplication, work: SubmissionWork): 'begun' | 'running' | { readonly result: SubmissionResult } {
    const { namespace } = metadata;
    return this.runs.startOrFetch(keyOf(metadata), status!.submissionID!, (signal) => this.inTurn(namespace, signal, work));
  }

  /** Ends what is under way for an application that is gone. */
  forget(key: string): void {
    this.runs.forget(key);
  }

  /** Ends what is under way for an application. Resolves when it has ended, and creates nothing any more. */
  async end(application: SparkApplication): Promise<void> {
    await this.runs.end(keyOf(application.metadata));
  }

  /** Ends all that is under way, and begins nothing more. Resolves when it has ended. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  /** Runs spark-submit, for work whose turn it is. */
  async run(key: string, prepared: PreparedSubmission, { driverTemplate, executorTemplate }: SparkSubmitPlan, signal: AbortSignal): Promise<SparkSubmitOutcome> {
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

  private async inTurn(namespace: string, signal: AbortSignal, work: SubmissionWork): Promise<SubmissionResult> {
    const made: CreatedObject[] = [];
    try {
      return { ...await this.options.turns.during(namespace, signal, () => work(signal, made)), made };
    } catch (error) {
      return { error, made };
    }
  }
}
