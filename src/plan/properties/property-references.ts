/** Reason why a reference cannot be resolved, in the words of a SubmissionError. */
export interface UnresolvedReference {
  readonly reason: string;
  readonly remedy: string;
}

/** Limits for all properties of an application. Real ones have a few dozen short references. */
export const REFERENCE_LIMITS = {
  /** Maximum number of replaced references. */
  substitutions: 10_000,
  /** Maximum number of characters of all resolved values with references. */
  characters: 2 ** 20,
  /** Maximum depth of references. Spark itself has a stack overflow at a few thousand. */
  depth: 100,
} as const;

const REMEDY = 'write the value itself';

/** Range of a reference in a text: `${name}` or `${prefix:name}`. */
interface Reference {
  readonly begin: number;
  readonly end: number;
  readonly prefix?: string;
  readonly name: string;
}

/**
 * Resolves references in the values of properties, as Spark does when it reads a property that it
 * knows. `${spark.some.key}` is replaced by that property's value, recursively
 * (org.apache.spark.internal.config.ConfigReader).
 *
 * Names without the prefix `spark.` remain unchanged. It does not resolve environment variables and
 * system properties, which are those of the process that runs spark-submit. It does not resolve
 * properties that are not set, as Spark might have a default.
 *
 * Each property is resolved once, with limits of work and size: without them, a few levels of forty
 * references each would take minutes.
 */
export class PropertyReferences {
  private readonly resolved = new Map<string, string>();
  private readonly unresolved = new Map<string, UnresolvedReference>();
  private substitutions = 0;
  private characters = 0;

  /** @param get returns the unresolved value of a property */
  constructor(private readonly get: (key: string) => string | undefined) {}

  /**
   * Returns the resolved value of a property, or the reason why it cannot be resolved; undefined if
   * it is not set.
   */
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
      return { reason: `refers to ${reference}, which only the machine that runs spark-submit knows`, remedy: REMEDY };
    }
    if (prefix !== undefined || !name.startsWith('spark.')) return reference;
    if (used.includes(name)) return { reason: `refers to itself through ${reference}`, remedy: REMEDY };
    if (used.length >= REFERENCE_LIMITS.depth) {
      return { reason: `refers to a property through more than ${REFERENCE_LIMITS.depth} others`, remedy: REMEDY };
    }
    const known = this.resolved.get(name);
    if (known !== undefined) return known;
    const value = this.get(name);
    if (value === undefined) return { reason: `refers to ${name}, which is not set`, remedy: `set it, or ${REMEDY}` };
    const resolved = this.replaceAll(value, [...used, name]);
    // The reason depends on the properties that led here.
    if (typeof resolved === 'string') this.resolved.set(name, resolved);
    return resolved;
  }
}

/** Pattern of `${name}` and `${prefix:name}`, as in ConfigReader. */
const REFERENCE = /\$\{(?:([A-Za-z0-9_]+?):)?([^ \t\n\v\f\r]+?)\}/y;
const SPACE = /[ \t\n\v\f\r]/g;

/**
 * Returns the references in a text. It only tries the pattern where it matches: elsewhere, each
 * attempt would scan the rest of the text.
 */
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

/** Returns the index of the first match of a pattern; Infinity if there is none. */
function firstFrom(pattern: RegExp, text: string, begin: number): number {
  pattern.lastIndex = begin;
  return pattern.exec(text)?.index ?? Infinity;
}
