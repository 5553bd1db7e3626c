import { SubmissionError } from '../errors';
import { parseMebibytes, parseOverheadFactor } from '../memory';
import type { ReadonlySparkProperties } from '../spark-conf';

/**
 * Reads Spark properties by type, as Spark's ConfigEntry does. A value that is not of the type is a SubmissionError that
 * names the field in which the user wrote it.
 */
export class ConfReader {
  constructor(private readonly properties: ReadonlySparkProperties) {}

  /** The value of the first of the keys that is set. */
  public text(...keys: string[]): string | undefined {
    const key = this.firstSet(keys);
    return key === undefined ? undefined : this.valueOf(key);
  }

  /** One of a few words. */
  public oneOf(key: string, allowed: readonly string[], byDefault: string): string {
    const value = this.text(key) ?? byDefault;
    if (!allowed.includes(value)) {
      throw this.wrong(key, 'is not one of the values that Spark knows', `write one of ${allowed.join('; ')}`);
    }
    return value;
  }

  /** `true` or `false`: the first of the keys that is set. */
  public boolean(keys: readonly string[], byDefault: boolean): boolean {
    const key = this.firstSet(keys);
    const value = key === undefined ? String(byDefault) : this.valueOf(key).trim().toLowerCase();
    if (key !== undefined && value !== 'true' && value !== 'false') {
      throw this.wrong(key, 'is neither true nor false', 'write true or false');
    }
    return value === 'true';
  }

  /** A whole number from 1. */
  public count(key: string, byDefault: number): number {
    return this.integer([key], byDefault, 2 ** 31 - 1, 'is not a number of cores', 'write a whole number from 1');
  }

  /** A port: the first of the keys that is set. */
  public port(keys: readonly string[], byDefault: number): number {
    return this.integer(keys, byDefault, 65_535, 'is not a port that a Service can have', 'write a number from 1 to 65535');
  }

  /** A size in MiB. */
  public mebibytes(key: string): number | undefined {
    const value = this.text(key);
    return value === undefined ? undefined : parseMebibytes(value, this.properties.fieldOf(key));
  }

  /** A part of the memory, such as 0.1. */
  public factor(key: string): number | undefined {
    const value = this.text(key);
    return value === undefined ? undefined : parseOverheadFactor(value, this.properties.fieldOf(key));
  }

  /** The parts of a comma-separated list, without blanks and empty parts. */
  public list(key: string): string[] {
    return (this.text(key) ?? '').split(',').map(part => part.trim()).filter(part => part !== '');
  }

  private integer(keys: readonly string[], byDefault: number, maximum: number, reason: string, remedy: string): number {
    const key = this.firstSet(keys);
    if (key === undefined) {
      return byDefault;
    }
    const text = this.valueOf(key).trim();
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : NaN;
    if (!(value >= 1 && value <= maximum)) {
      throw this.wrong(key, reason, remedy);
    }
    return value;
  }

  private firstSet(keys: readonly string[]): string | undefined {
    return keys.find(key => this.properties.has(key));
  }

  private valueOf(key: string): string {
    const value = this.properties.get(key)!;
    if (value.includes('${')) {
      throw this.wrong(key, 'refers to a variable, which only the driver can resolve', 'write the value itself');
    }
    return value;
  }

  private wrong(key: string, reason: string, remedy: string): SubmissionError {
    return new SubmissionError({ field: this.properties.fieldOf(key), value: this.properties.get(key), reason, remedy });
  }
}
