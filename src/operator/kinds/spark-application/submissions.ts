import type { SparkApplication } from '../../../model/spark-application';

/** A submission of this process, whose status was written before its driver existed. */
interface Submission {
  readonly submissionID: string;
  /** The application with the intent; absent once its submission was reported. */
  readonly intent?: SparkApplication;
}

/**
 * Native submissions that this process has begun or confirmed, of applications that are SUBMITTED.
 * The status does not report whether their drivers exist.
 */
export class Submissions {
  private readonly submissions = new Map<string, Submission>();

  /** Records that the status of an application becomes SUBMITTED before its driver exists. */
  begin(key: string, intent: SparkApplication): void {
    this.submissions.set(key, { submissionID: intent.status!.submissionID!, intent });
  }

  /**
   * Records that the driver of an application was created.
   *
   * @returns the application with the intent if this process has begun the submission, and did not
   * report it yet
   */
  confirm(key: string, submissionID: string): SparkApplication | undefined {
    const before = this.submissions.get(key);
    this.submissions.set(key, { submissionID });
    return before?.submissionID === submissionID ? before.intent : undefined;
  }

  /** Whether this process knows that the driver of a submission was created. */
  isConfirmed(key: string, submissionID: string | undefined): boolean {
    const submission = this.submissions.get(key);
    return submission !== undefined && submission.submissionID === submissionID && !submission.intent;
  }

  /** Forgets the submission of an application that is not SUBMITTED any more. */
  forget(key: string): void {
    this.submissions.delete(key);
  }
}
