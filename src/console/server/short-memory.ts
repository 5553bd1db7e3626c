/** Answers that are remembered for a short time, so that they are not asked for with each request. A question that is being asked is not asked twice. */
export class ShortMemory<T> {
  private readonly answers = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  /**
   * @param time milliseconds for which an answer holds
   * @param most answers that are remembered; the oldest goes first
   * @param now milliseconds
   */
  constructor(private readonly time: number, private readonly most: number, private readonly now: () => number) {}

  /** The answer to a question. One that fails is not remembered. */
  get(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question);
    if (known && known.until > this.now()) return known.answer;
    const answer = ask();
    // Again at the end, so that the oldest stands first.
    this.answers.delete(question);
    this.answers.set(question, { until: this.now() + this.time, answer });
    if (this.answers.size > this.most) this.answers.delete(this.answers.keys().next().value!);
    answer.catch(() => {
      if (this.answers.get(question)?.answer === answer) this.answers.delete(question);
    });
    return answer;
  }
}
