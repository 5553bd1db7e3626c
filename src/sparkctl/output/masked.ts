import { isObject } from '../../model/is-object';
import { withoutSecrets } from '../../text/redaction';
import { mayHoldSecret } from '../../text/secret-names';

/** Maps whose values can all be secrets. */
const SECRET_MAPS: readonly string[] = ['hadoopConf', 'envVars'];

/** Maps whose values are secrets if their names are those of secrets. */
const NAMED_MAPS: readonly string[] = ['sparkConf', 'annotations', 'volumeAttributes'];

/** Name of lists of environment variables: `{name, value}`. */
const ENV = 'env';

const MASK = '***';

/** Suffix of a masked value that differs from the previous one. */
const CHANGED = ' (changed)';

/**
 * Returns an object or a part of it with `***` in place of secrets: values of environment variables
 * and of Hadoop's settings, values with the name of a secret, and secrets within texts.
 *
 * @param before previous version; a masked value that differs from it ends with ` (changed)`
 * @default - none
 * @param field name of the field that holds the value
 */
export function masked(value: unknown, before?: unknown, field = ''): unknown {
  if (Array.isArray(value)) return maskedList(value, Array.isArray(before) ? before : [], field);
  if (!isObject(value)) return maskedText(value, before, typeof value === 'string' ? withoutSecrets(value) : value);
  const old = isObject(before) ? before : {};
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [
    name, isSecret(field, name) ? maskedText(item, old[name], MASK) : masked(item, old[name], name),
  ]));
}

function isSecret(map: string, name: string): boolean {
  return SECRET_MAPS.includes(map) || (NAMED_MAPS.includes(map) && mayHoldSecret(name));
}

/** Returns the mask of a value, with the suffix if it would hide a change. */
function maskedText(value: unknown, before: unknown, mask: unknown): unknown {
  if (mask === value || before === undefined || before === value) return mask;
  const looksEqual = mask === MASK || (typeof before === 'string' && withoutSecrets(before) === mask);
  return looksEqual ? `${String(mask)}${CHANGED}` : mask;
}

function maskedList(items: readonly unknown[], before: readonly unknown[], field: string): unknown[] {
  return items.map((item, index) => {
    if (typeof item === 'string') {
      const flag = items[index - 1];
      // The value after an option such as `--password`.
      if (isSecretFlag(flag)) return maskedText(item, before.includes(flag) ? before[before.indexOf(flag) + 1] : undefined, MASK);
      const text = withoutSecrets(item);
      const old = before.includes(item) ? item : before.find((each) => typeof each === 'string' && withoutSecrets(each) === text);
      return maskedText(item, old, text);
    }
    const name = nameOf(item);
    const old = name === undefined ? before[index] : before.find((each) => nameOf(each) === name);
    if (field !== ENV || !isObject(item) || item.value === undefined) return masked(item, old);
    return { ...item, value: maskedText(item.value, isObject(old) ? old.value : undefined, MASK) };
  });
}

function isSecretFlag(word: unknown): boolean {
  return typeof word === 'string' && /^--?[\w.-]+$/.test(word) && mayHoldSecret(word);
}

function nameOf(item: unknown): unknown {
  return isObject(item) ? item.name : undefined;
}
