import { FLAGS, type FlagName } from './table';
import { truthIn, wholeNumber } from './values';

/** What to write for a duration. */
export const DURATION = 'write a duration such as 90s, 5m or 1h30m';

/** Makes values of the texts of flags, and keeps what is wrong with them. */
export class FlagReader {
  /** What is wrong, each with its flag and what to write instead. */
  readonly problems: string[] = [];

  constructor(private readonly values: Readonly<Partial<Record<FlagName, string>>>) {}

  /** Whether a flag was given. */
  has(name: FlagName): boolean {
    return this.values[name] !== undefined;
  }

  /** A flag, or its default. What is wrong is kept as a problem; the value is undefined then. */
  read<T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T {
    const text = this.values[name] ?? FLAGS[name].default ?? '';
    const value = convert(text);
    if (value === undefined) this.problems.push(`--${name}=${text}: ${expected}`);
    return value as T;
  }

  /** For flags that may be left out, or empty as charts write them. */
  optional<T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T | undefined {
    return this.values[name] ? this.read(name, convert, expected) : undefined;
  }

  /** The text of a flag that may be anything, if there is one. */
  text(name: FlagName): string | undefined {
    return this.values[name] || undefined;
  }

  truth(name: FlagName): boolean {
    return this.read(name, truthIn, 'write true or false');
  }

  /** A whole number of at least so much. */
  number(name: FlagName, least: number): number {
    return this.read(name, (text) => wholeNumber(text, least), `write a whole number of at least ${least}`);
  }
}
