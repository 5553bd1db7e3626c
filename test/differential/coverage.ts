/** Counts how often each of the things was generated that have to be. */
export class Coverage {
  private readonly counts: Map<string, number>;

  /**
   * @param title what the things are
   * @param expected their names; one that is noted without being expected is an error
   */
  constructor(private readonly title: string, expected: readonly string[]) {
    this.counts = new Map(expected.map((name) => [name, 0]));
  }

  /** Counts one more. */
  public note(name: string): void {
    const count = this.counts.get(name);
    if (count === undefined) throw new Error(`${name} is not among the ${this.title}`);
    this.counts.set(name, count + 1);
  }

  /** Returns the names that were never noted. */
  public missing(): string[] {
    return [...this.counts].filter(([, count]) => count === 0).map(([name]) => name);
  }

  /** Names and counts, two columns. */
  public table(): string {
    const width = Math.max(...[...this.counts.keys()].map((name) => name.length));
    return [`${this.title}:`, ...[...this.counts].map(([name, count]) => `  ${name.padEnd(width)} ${String(count).padStart(6)}`)].join('\n');
  }
}
