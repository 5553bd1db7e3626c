import { UsageError } from '../../text/usage-error';
import { knownFields } from '../../rules/known-fields';
import { propertyOf, type Schema } from '../../rules/schema';

/** Value that replaces one of a manifest. */
export interface Override {
  /**
   * Path below `spec`, such as `executor.instances` or `sparkConf.spark.sql.shuffle.partitions`.
   */
  readonly path: string;
  readonly value: string;
}

/**
 * Parses the value of `--override`: `path=value`, several separated by commas. A comma in a value
 * is written as `\,`.
 *
 * @throws {UsageError} if one of them is invalid
 */
export function overridesIn(text: string | undefined): Override[] {
  if (text === undefined) return [];
  return text.split(/(?<!\\),/).map((entry) => {
    const plain = entry.replaceAll('\\,', ',');
    const equals = plain.indexOf('=');
    const path = plain.slice(0, equals).trim().replace(/^spec\./, '');
    if (equals < 0 || path === '') {
      throw new UsageError(
        `--override=${text}: ${JSON.stringify(plain)} is not FIELD=VALUE; `
          + 'write for example executor.instances=3, and \\, for a comma in a value',
      );
    }
    return { path, value: plain.slice(equals + 1) };
  });
}

/**
 * Returns a specification with other values in some fields: strings, numbers, booleans, entries of
 * maps, and entries of lists of strings. The key of a map is the rest of the path after the name of
 * the map, with its dots.
 *
 * @param schema schema of the specification
 * @throws {UsageError} if the field does not exist, or has another type
 */
export function overridden(spec: unknown, overrides: readonly Override[], schema: Schema): unknown {
  return overrides.reduce((value, { path, value: text }) => withValue(value, schema, path, { path, text }), spec);
}

interface Wanted {
  readonly path: string;
  readonly text: string;
}

function withValue(value: unknown, schema: Schema, rest: string, wanted: Wanted): unknown {
  if (schema.properties && rest !== '') {
    const [, name, index, more = ''] = /^([^.[]+)(?:\[(\d+)\])?(?:\.(.*))?$/s.exec(rest) ?? [];
    const property = name === undefined ? undefined : propertyOf(schema, name);
    if (!property) throw refused(wanted, `is not a field; ${knownFields(name ?? rest, Object.keys(schema.properties))}`);
    const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    const inner = index === undefined
      ? withValue(fields[name!], property, more, wanted)
      : withItem(fields[name!], property, Number(index), more, wanted);
    return { ...fields, [name!]: inner };
  }
  if (schema.additionalProperties && rest !== '') {
    return { ...(value as object | undefined), [rest]: scalar(schema.additionalProperties, wanted) };
  }
  if (rest !== '') throw refused(wanted, 'is not a field: its parent has no known fields');
  return scalar(schema, wanted);
}

function withItem(value: unknown, schema: Schema, index: number, rest: string, wanted: Wanted): unknown[] {
  const list = Array.isArray(value) ? [...value] : [];
  if (schema.type !== 'array' || rest !== '') throw refused(wanted, 'is not an entry of a list of strings: change the manifest');
  if (index > list.length) {
    throw refused(
      wanted,
      `is out of range: the list has ${list.length} ${list.length === 1 ? 'entry' : 'entries'}, and the next is [${list.length}]`,
    );
  }
  list[index] = scalar(schema.items ?? {}, wanted);
  return list;
}

function scalar({ type }: Schema, wanted: Wanted): unknown {
  const { text } = wanted;
  switch (type) {
    case 'string': return text;
    case 'integer':
      if (!/^-?\d{1,15}$/.test(text)) throw refused(wanted, `(${text}) must be a whole number`);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw refused(wanted, `(${text}) must be true or false`);
      return text === 'true';
    case 'array': throw refused(wanted, 'is a list: name one of its entries, such as arguments[0], or change the manifest');
    // Quantities have no type.
    case undefined: return text;
    default: throw refused(wanted, 'is an object: name one of its fields, or change the manifest');
  }
}

function refused({ path, text }: Wanted, reason: string): UsageError {
  return new UsageError(`--override=${path}=${text}: spec.${path} ${reason}`);
}
