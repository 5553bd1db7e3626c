import { ExpiringMap } from './expiring-map';
import { SharedCalls } from './shared-calls';

/** Answers that are remembered for a short time, so that not each request asks for them. */
export class RememberedAnswers<T extends {} | null> {
  private readonly answers: ExpiringMap<T>;
  private readonly calls = new SharedCalls<T>();

  /**
   * @param age milliseconds for which an answer holds
   * @param most answers that are remembered; the oldest goes first
   * @param now milliseconds
   */
  constructor(age: number, most: number, now: () => number) {
    this.answers = new ExpiringMap(age, most, now);
  }

  /**
   * Returns the answer to a question. A failure is not remembered.
   *
   * @param ask its signal is aborted when all callers have left
   * @param signal ends the waiting
   */
  async get(question: string, ask: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.answers.get(question) ?? this.calls.get(question, async (shared) => {
      const answer = await ask(shared);
      this.answers.set(question, answer);
      return answer;
    }, signal);
  }
}
