import { SubmissionError } from '../errors';
import { javaInt, javaTrim, scalaBoolean, sparkList } from '../properties/java-values';
import { parseMebibytes, parseOverheadFactor } from '../memory';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import type { SparkVersion } from '../versions';

/**
 * Reader of Spark properties by type. For a value of another type, it throws a SubmissionError that
 * names the field of the user.
 *
 * Spark reads most properties as entries of its configuration (ConfigEntry): it resolves references
 * to other properties, and ignores spaces around numbers. Methods whose names start with `raw` read
 * properties without that.
 */
export class ConfReader {
  constructor(private readonly properties: ReadonlySparkProperties, private readonly version: SparkVersion) {}

  /** Whether one of the keys is set, even to an empty value. */
  public has(...keys: string[]): boolean {
    return this.firstSet(keys) !== undefined;
  }

  /** Returns the value of the first key that is set. */
  public text(...keys: string[]): string | undefined {
    const key = this.firstSet(keys);
    return key === undefined ? undefined : this.valueOf(key);
  }

  /** Returns one of the allowed values. */
  public oneOf(key: string, allowed: readonly string[], byDefault: string): string {
    const value = this.text(key) ?? byDefault;
    if (!allowed.includes(value)) {
      throw this.wrong(key, 'is not one of the values that Spark knows', `write one of ${allowed.join('; ')}`);
    }
    return value;
  }

  /** Returns the boolean of the first key that is set. */
  public boolean(keys: readonly string[], byDefault: boolean): boolean {
    const key = this.firstSet(keys);
    return key === undefined ? byDefault : this.asBoolean(key, javaTrim(this.valueOf(key)));
  }

  /** Returns a boolean; its value cannot have spaces. */
  public rawBoolean(key: string, byDefault: boolean): boolean {
    const value = this.properties.get(key);
    return value === undefined ? byDefault : this.asBoolean(key, value);
  }

  /** Returns a whole number of at least 1. */
  public rawCount(key: string, what: string): number | undefined {
    const value = this.properties.get(key);
    return value === undefined ? undefined : this.asInteger(key, value, 1, 2 ** 31 - 1, `is not a number of ${what}`);
  }

  /** Returns a whole number up to a maximum. */
  public integer(key: string, maximum = 2 ** 31 - 1): number | undefined {
    return this.has(key)
      ? this.asInteger(key, javaTrim(this.valueOf(key)), -(2 ** 31), maximum, 'is not a number that Spark accepts here')
      : undefined;
  }

  /** Returns a port. */
  public port(key: string, byDefault: number): number {
    return this.has(key) ? this.asPort(key, javaTrim(this.valueOf(key))) : byDefault;
  }

  /** Returns a port; its value cannot have spaces. */
  public rawPort(key: string, byDefault: number): number {
    const value = this.properties.get(key);
    return value === undefined ? byDefault : this.asPort(key, value);
  }

  /** Returns the size in MiB of the first key that is set. Spark also accepts negative sizes. */
  public mebibytes(...keys: string[]): number | undefined {
    const key = this.firstSet(keys);
    if (key === undefined) {
      return undefined;
    }
    const value = this.valueOf(key);
    return value.startsWith('-') ? -this.asMebibytes(key, value.slice(1)) : this.asMebibytes(key, value);
  }

  /** Checks that a size is valid and greater than 0. */
  public rawPositiveSize(key: string): void {
    const value = this.properties.get(key);
    if (value !== undefined) {
      this.asMebibytes(key, value);
      if (!/[1-9]/.test(value)) {
        throw this.wrong(key, 'is 0', 'write a size such as 1g');
      }
    }
  }

  /** Returns a fraction of the memory, such as 0.1. */
  public factor(key: string): number | undefined {
    const value = this.text(key);
    return value === undefined ? undefined : parseOverheadFactor(value, this.properties.fieldOf(key));
  }

  /** Returns the parts of a comma-separated list, without spaces and empty parts. */
  public list(key: string): string[] {
    return sparkList(this.text(key) ?? '');
  }

  /**
   * Returns the error for a property. The reason continues a sentence that starts with the field.
   */
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
      throw this.wrong(
        key, reason, minimum < 0 ? `write a whole number up to ${maximum}` : `write a whole number from ${minimum} to ${maximum}`,
      );
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
