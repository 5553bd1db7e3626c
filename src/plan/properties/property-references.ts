/** Why a reference cannot be resolved, as SubmissionError words it. */
export interface UnresolvedReference {
  readonly reason: string;
  readonly remedy: string;
}

/** Limits of one pass over the properties of an application. Real ones have a few dozen short references. */
export const REFERENCE_LIMITS = {
  /** References that are replaced. */
  substitutions: 10_000,
  /** Characters of all values that had references, after they were resolved. */
  characters: 2 ** 20,
  /** Properties that refer to each other in a row. Spark itself runs out of stack with a few thousand. */
  depth: 100,
} as const;

const REMEDY = 'write the value itself';

/** Where a reference is in a text: `${name}` or `${prefix:name}`. */
interface Reference {
  readonly begin: number;
  readonly end: number;
  readonly prefix?: string;
  readonly name: string;
}

/**
 * Puts the values of other Spark properties into a value, as Spark does when it reads a property that it knows: for
 * `${spark.some.key}` the value of that property, and so on (org.apache.spark.internal.config.ConfigReader). Names without the
 * prefix `spark.` stay as they are. It does not resolve environment variables and system properties, which belong to the process
 * that runs spark-submit, or a property that is not set, for which Spark might have a default.
 *
 * Each property is resolved once, and the work and its results have limits: a few levels of forty references each would otherwise
 * cost minutes.
 */
export class PropertyReferences {
  private readonly resolved = new Map<string, string>();
  private readonly unresolved = new Map<string, UnresolvedReference>();
  private substitutions = 0;
  private characters = 0;

  /** @param get the value of a property as it is written */
  constructor(private readonly get: (key: string) => string | undefined) {}

  /** @returns the value of a property with its references resolved, or why one of them cannot be; undefined if it is not set */
  public resolve(key: string): string | UnresolvedReference | undefined {
    const known = this.resolved.get(key) ?? this.unresolved.get(key);
    if (known !== undefined) return known;
    const value = this.get(key);
    if (value === undefined) return undefined;
    const result = this.replaceAll(value, []);
    if (typeof result === 'string') this.resolved.set(key, result);
    else this.unresolved.set(key, result);
    return result;
  }

  private replaceAll(text: string, used: readonly string[]): string | UnresolvedReference {
    if (!text.includes('${')) return text;
    const parts: string[] = [];
    let end = 0;
    for (const reference of referencesIn(text)) {
      const value = this.valueOf(reference, text, used);
      if (typeof value !== 'string') return value;
      const part = text.slice(end, reference.begin) + value;
      this.characters += part.length;
      if (this.characters > REFERENCE_LIMITS.characters) {
        return { reason: `has references that make the properties longer than ${REFERENCE_LIMITS.characters} characters`, remedy: REMEDY };
      }
      parts.push(part);
      end = reference.end;
    }
    return parts.join('') + text.slice(end);
  }

  private valueOf({ begin, end, prefix, name }: Reference, text: string, used: readonly string[]): string | UnresolvedReference {
    if (++this.substitutions > REFERENCE_LIMITS.substitutions) {
      return { reason: `needs more than ${REFERENCE_LIMITS.substitutions} references to be resolved`, remedy: REMEDY };
    }
    const reference = text.slice(begin, end);
    if (prefix === 'env' || prefix === 'system') {
      return { reason: `refers to ${reference}, which only the machine knows that runs spark-submit`, remedy: REMEDY };
    }
    if (prefix !== undefined || !name.startsWith('spark.')) return reference;
    if (used.includes(name)) return { reason: `refers to itself by way of ${reference}`, remedy: REMEDY };
    if (used.length >= REFERENCE_LIMITS.depth) {
      return { reason: `refers to a property by way of more than ${REFERENCE_LIMITS.depth} others`, remedy: REMEDY };
    }
    const known = this.resolved.get(name);
    if (known !== undefined) return known;
    const value = this.get(name);
    if (value === undefined) return { reason: `refers to ${name}, which is not set`, remedy: `set it, or ${REMEDY}` };
    const resolved = this.replaceAll(value, [...used, name]);
    // The reason of a failure depends on the properties that led here.
    if (typeof resolved === 'string') this.resolved.set(name, resolved);
    return resolved;
  }
}

/** `${name}` and `${prefix:name}`, as ConfigReader's pattern has them. */
const REFERENCE = /\$\{(?:([A-Za-z0-9_]+?):)?([^ \t\n\v\f\r]+?)\}/y;
const SPACE = /[ \t\n\v\f\r]/g;

/** The references in a text. The pattern is tried only where it matches: elsewhere it would read the rest of the text each time. */
function* referencesIn(text: string): Generator<Reference> {
  let space = -1;
  for (let begin = text.indexOf('${'); begin >= 0;) {
    // A name has at least one character.
    const brace = text.indexOf('}', begin + 3);
    if (brace < 0) return;
    if (space < begin + 2) space = firstFrom(SPACE, text, begin + 2);
    if (space > brace) {
      REFERENCE.lastIndex = begin;
      const [matched, prefix, name] = REFERENCE.exec(text)!;
      yield { begin, end: begin + matched.length, prefix, name: name! };
      begin = text.indexOf('${', begin + matched.length);
    } else {
      begin = text.indexOf('${', begin + 1);
    }
  }
}

/** The place of the first match of a pattern; the end of all texts if there is none. */
function firstFrom(pattern: RegExp, text: string, begin: number): number {
  pattern.lastIndex = begin;
  return pattern.exec(text)?.index ?? Infinity;
}
