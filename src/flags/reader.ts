import { FLAGS, type FlagName } from './table';
import { truthIn, wholeNumber } from './values';

/** Expected value of a flag with a duration. */
export const DURATION = 'write a duration such as 90s, 5m or 1h30m';

/** Converts the texts of flags to values, and collects problems. */
export class FlagReader {
  /** Problems, each with its flag and the remedy. */
  readonly problems: string[] = [];

  constructor(private readonly values: Readonly<Partial<Record<FlagName, string>>>) {}

  /** Whether a flag was given. */
  has(name: FlagName): boolean {
    return this.values[name] !== undefined;
  }

  /**
   * Returns the value of a flag or its default. For an invalid value, adds a problem and returns
   * undefined.
   */
  read<T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T {
    const text = this.values[name] ?? FLAGS[name].default ?? '';
    const value = convert(text);
    if (value === undefined) this.problems.push(`--${name}=${text}: ${expected}`);
    return value as T;
  }

  /** Returns the value of a flag that can be missing, or empty as charts write it. */
  optional<T>(name: FlagName, convert: (text: string) => T | undefined, expected: string): T | undefined {
    return this.values[name] ? this.read(name, convert, expected) : undefined;
  }

  /** Returns the text of a flag, if it is not empty. */
  text(name: FlagName): string | undefined {
    return this.values[name] || undefined;
  }

  truth(name: FlagName): boolean {
    return this.read(name, truthIn, 'write true or false');
  }

  /** Returns a whole number that is at least `least`. */
  number(name: FlagName, least: number): number {
    return this.read(name, (text) => wholeNumber(text, least), `write a whole number of at least ${least}`);
  }
}
