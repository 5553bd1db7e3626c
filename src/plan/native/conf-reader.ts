import { SubmissionError } from '../errors';
import { javaInt, javaTrim, scalaBoolean, sparkList } from '../properties/java-values';
import { parseMebibytes, parseOverheadFactor } from '../memory';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { SparkVersion } from '../versions';

/**
 * Reads Spark properties by type. A value that is not of the type is a SubmissionError that names the field in which the user
 * wrote it.
 *
 * Spark reads most properties as entries of its configuration (ConfigEntry): references to other properties are resolved, and
 * blanks around numbers do not count. The methods whose names start with `raw` are for those that it reads as they are.
 */
export class ConfReader {
  constructor(private readonly properties: ReadonlySparkProperties, private readonly version: SparkVersion) {}

  /** Whether one of the keys is set; an empty value counts. */
  public has(...keys: string[]): boolean {
    return this.firstSet(keys) !== undefined;
  }

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
    return key === undefined ? byDefault : this.asBoolean(key, javaTrim(this.valueOf(key)));
  }

  /** `true` or `false`, without blanks. */
  public rawBoolean(key: string, byDefault: boolean): boolean {
    const value = this.properties.get(key);
    return value === undefined ? byDefault : this.asBoolean(key, value);
  }

  /** A whole number from 1. */
  public rawCount(key: string, what: string): number | undefined {
    const value = this.properties.get(key);
    return value === undefined ? undefined : this.asInteger(key, value, 1, 2 ** 31 - 1, `is not a number of ${what}`);
  }

  /** A whole number up to a maximum. */
  public integer(key: string, maximum = 2 ** 31 - 1): number | undefined {
    return this.has(key) ? this.asInteger(key, javaTrim(this.valueOf(key)), -(2 ** 31), maximum, 'is not a number that Spark takes here') : undefined;
  }

  /** A port. */
  public port(key: string, byDefault: number): number {
    return this.has(key) ? this.asPort(key, javaTrim(this.valueOf(key))) : byDefault;
  }

  /** A port, without blanks. */
  public rawPort(key: string, byDefault: number): number {
    const value = this.properties.get(key);
    return value === undefined ? byDefault : this.asPort(key, value);
  }

  /** A size in MiB: the first of the keys that is set. Spark takes negative ones, too. */
  public mebibytes(...keys: string[]): number | undefined {
    const key = this.firstSet(keys);
    if (key === undefined) {
      return undefined;
    }
    const value = this.valueOf(key);
    return value.startsWith('-') ? -this.asMebibytes(key, value.slice(1)) : this.asMebibytes(key, value);
  }

  /** Refuses a size that is none, or nothing. */
  public rawPositiveSize(key: string): void {
    const value = this.properties.get(key);
    if (value !== undefined) {
      this.asMebibytes(key, value);
      if (!/[1-9]/.test(value)) {
        throw this.wrong(key, 'is no memory at all', 'write a size such as 1g');
      }
    }
  }

  /** A part of the memory, such as 0.1. */
  public factor(key: string): number | undefined {
    const value = this.text(key);
    return value === undefined ? undefined : parseOverheadFactor(value, this.properties.fieldOf(key));
  }

  /** The parts of a comma-separated list, without blanks and empty parts. */
  public list(key: string): string[] {
    return sparkList(this.text(key) ?? '');
  }

  /** The error for a property: what is wrong with it, as the rest of a sentence, and what to do instead. */
  public wrong(key: string, reason: string, remedy: string): SubmissionError {
    return new SubmissionError({ field: this.properties.fieldOf(key), value: this.properties.get(key), reason, remedy });
  }

  private asBoolean(key: string, text: string): boolean {
    const value = scalaBoolean(text);
    if (value === undefined) {
      throw this.wrong(key, 'is neither true nor false', 'write true or false');
    }
    return value;
  }

  private asPort(key: string, text: string): number {
    return this.asInteger(key, text, 1, 65_535, 'is not a port that a Service can have');
  }

  private asInteger(key: string, text: string, minimum: number, maximum: number, reason: string): number {
    const value = javaInt(text);
    if (value === undefined || value < minimum || value > maximum) {
      throw this.wrong(key, reason, minimum < 0 ? `write a whole number up to ${maximum}` : `write a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  }

  private asMebibytes(key: string, text: string): number {
    return parseMebibytes(text, this.properties.fieldOf(key), this.version.features.binaryUnits);
  }

  private firstSet(keys: readonly string[]): string | undefined {
    return keys.find(key => this.properties.has(key));
  }

  private valueOf(key: string): string {
    const value = this.properties.resolved(key)!;
    if (typeof value === 'string') return value;
    throw this.wrong(key, value.reason, value.remedy);
  }
}
