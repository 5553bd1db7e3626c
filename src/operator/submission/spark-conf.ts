import type { PropertyEntry } from './spark-properties';

/** A property's value and where it was written. */
interface Property {
  readonly value: string;
  readonly field: string;
}

/**
 * Spark properties of one application. Each remembers the field that it comes from, so that an error names what the user
 * wrote and not what became of it.
 */
export class SparkProperties {
  /** Properties that were written as properties: each is its own field. */
  public static of(properties: { readonly [key: string]: string }): SparkProperties {
    const result = new SparkProperties();
    for (const [key, value] of Object.entries(properties)) {
      result.set(key, value, key);
    }
    return result;
  }

  private readonly properties = new Map<string, Property>();

  /** Sets a property; an earlier value is replaced. */
  public set(key: string, value: string, field: string): void {
    this.properties.set(key, { value, field });
  }

  /** Sets a property unless it has a value. */
  public setIfMissing(key: string, value: string, field: string): void {
    if (!this.has(key)) {
      this.set(key, value, field);
    }
  }

  /** Whether the property is set; an empty value counts. */
  public has(key: string): boolean {
    return this.properties.has(key);
  }

  /** The value of a property. */
  public get(key: string): string | undefined {
    return this.properties.get(key)?.value;
  }

  /** Where a property was written, such as `spec.driver.memory`; the key itself if it was not. */
  public fieldOf(key: string): string {
    return this.properties.get(key)?.field ?? key;
  }

  /** The properties whose keys start with `prefix`, without it, sorted. */
  public withPrefix(prefix: string): PropertyEntry[] {
    return this.entries()
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]);
  }

  /** All properties, sorted by key. */
  public entries(): PropertyEntry[] {
    return [...this.properties]
      .map(([key, property]): PropertyEntry => [key, property.value])
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }

  /** The same properties, to be changed without changing these. */
  public copy(): SparkProperties {
    const result = new SparkProperties();
    for (const [key, { value, field }] of this.properties) {
      result.set(key, value, field);
    }
    return result;
  }
}

/** Properties that are only read. */
export type ReadonlySparkProperties = Omit<SparkProperties, 'set' | 'setIfMissing'>;
