import { PropertyReferences, type UnresolvedReference } from './property-references';
import type { PropertyEntry } from '../../text/java-properties';
import { overridden, type Problem } from '../../model/problem';

/** Source of properties without a field. */
export const OPERATOR = 'the operator';

/** Value of a property, and its source. */
interface Property {
  readonly value: string;
  readonly field: string;
  /** Whether the field does not set the value. @default false */
  readonly isDefault?: boolean;
}

/**
 * Spark properties of an application. Each knows its source field, so that errors name that field
 * and not the derived property. If a field replaces the value of another one, there is a warning.
 */
export class SparkProperties {
  /** Creates properties that are their own source fields. */
  public static of(properties: { readonly [key: string]: string }): SparkProperties {
    const result = new SparkProperties();
    for (const [key, value] of Object.entries(properties)) {
      result.set(key, value, key);
    }
    return result;
  }

  private readonly properties = new Map<string, Property>();
  private readonly overrides: Problem[] = [];
  /** Sorted entries, cached: sorting at each read would be most of the work of a submission. */
  private sorted: readonly PropertyEntry[] | undefined;
  private references: PropertyReferences | undefined;

  /** Values that another field has replaced, in chronological order. */
  public get overridden(): readonly Problem[] {
    return this.overrides;
  }

  /**
   * Sets a property. Replaces a previous value, with a warning if it is different and of another
   * field.
   */
  public set(key: string, value: string, field: string): void {
    const before = this.properties.get(key);
    if (before && before.value !== value && before.field !== field) {
      this.overrides.push(overridden(before.field, field));
    }
    this.properties.set(key, { value, field });
    this.changed();
  }

  /** Sets a property that has no value yet. */
  public setIfMissing(key: string, value: string, field: string): void {
    if (!this.has(key)) {
      this.set(key, value, field);
    }
  }

  /** Sets the default of a field, unless the property has a value already. */
  public setDefault(key: string, value: string, field: string): void {
    if (this.has(key)) return;
    this.properties.set(key, { value, field, isDefault: true });
    this.changed();
  }

  /** Removes a property, with a warning that a field takes precedence over it. */
  public remove(key: string, field: string): void {
    const before = this.properties.get(key);
    if (before) {
      this.overrides.push(overridden(before.field, field));
      this.properties.delete(key);
      this.changed();
    }
  }

  /**
   * Removes the properties that fields set, so that their defaults apply. The operator's own have
   * no defaults, and stay.
   *
   * @returns whether there were any
   */
  public discard(...fields: readonly string[]): boolean {
    const discarded = new Set(fields);
    const keys = [...this.properties].filter(([, { field }]) => field !== OPERATOR && discarded.has(field)).map(([key]) => key);
    for (const key of keys) this.properties.delete(key);
    if (keys.length > 0) this.changed();
    return keys.length > 0;
  }

  /** Whether the property is set, even to an empty value. */
  public has(key: string): boolean {
    return this.properties.has(key);
  }

  /** Returns the value of a property. */
  public get(key: string): string | undefined {
    return this.properties.get(key)?.value;
  }

  /**
   * Returns the value of a property with resolved references, as Spark reads a property that it
   * knows. Returns the reason if a reference cannot be resolved, and undefined if the property is
   * not set.
   */
  public resolved(key: string): string | UnresolvedReference | undefined {
    this.references ??= new PropertyReferences(name => this.get(name));
    return this.references.resolve(key);
  }

  /**
   * Returns the source of a property, such as `spec.driver.memory`; the key itself if there is
   * none.
   */
  public fieldOf(key: string): string {
    return this.properties.get(key)?.field ?? key;
  }

  /**
   * Returns the source of a property and, if the value is a default, the value: `spec.driver.cores
   * (default 1)`.
   */
  public sourceOf(key: string): string {
    const { value, isDefault } = this.properties.get(key) ?? {};
    return `${this.fieldOf(key)}${isDefault ? ` (default ${value})` : ''}`;
  }

  /** Returns the properties whose keys start with `prefix`, without the prefix, sorted. */
  public withPrefix(prefix: string): PropertyEntry[] {
    const entries = this.entries();
    const found: PropertyEntry[] = [];
    for (let index = firstFrom(entries, prefix); index < entries.length && entries[index]![0].startsWith(prefix); index++) {
      const [key, value] = entries[index]!;
      found.push([key.slice(prefix.length), value]);
    }
    return found;
  }

  /** Returns all properties, sorted by key. */
  public entries(): readonly PropertyEntry[] {
    return this.sorted ??= [...this.properties]
      .map(([key, property]): PropertyEntry => [key, property.value])
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }

  /** Returns a copy, without the replaced values. */
  public copy(): SparkProperties {
    const result = new SparkProperties();
    for (const [key, property] of this.properties) {
      result.properties.set(key, property);
    }
    return result;
  }

  private changed(): void {
    this.sorted = undefined;
    this.references = undefined;
  }
}

/** Returns the index of the first sorted entry whose key is not before `text`. */
function firstFrom(entries: readonly PropertyEntry[], text: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (entries[middle]![0] < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Read-only properties. */
export type ReadonlySparkProperties = Omit<SparkProperties, 'set' | 'setIfMissing' | 'setDefault' | 'remove'>;
