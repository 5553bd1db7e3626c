/** One attempt to create a driver or server; another one does not wait for its retry. */
export interface Attempt {
  /** Uid of the application: another one of the same name has its own retries. */
  readonly uid: string;
  readonly submissionID: string | undefined;
  /** After an edit the next retry is immediate. */
  readonly generation: number | undefined;
}

/** Records when to retry the creation of drivers or servers. */
export class Retries {
  private readonly retries = new Map<string, { readonly attempt: Attempt; readonly time: number }>();

  /** Number of recorded retries. */
  get size(): number {
    return this.retries.size;
  }

  /** Records that the creation is not tried again before `time`, unless the attempt changes. */
  plan(key: string, attempt: Attempt, time: number): void {
    this.retries.set(key, { attempt, time });
  }

  /**
   * Returns the earliest time of the next retry, in milliseconds since the epoch.
   *
   * @returns undefined if nothing needs to wait
   */
  notBefore(key: string, { uid, submissionID, generation }: Attempt, now: number): number | undefined {
    const { attempt, time } = this.retries.get(key) ?? {};
    if (time === undefined) return undefined;
    if (time > now && attempt?.uid === uid && attempt.submissionID === submissionID && attempt.generation === generation) return time;
    this.forget(key);
    return undefined;
  }

  /** Removes the retry of an application. */
  forget(key: string): void {
    this.retries.delete(key);
  }
}
