import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/is-object';
import { withoutSecrets } from '../../text/redaction';
import { mayHoldSecret } from '../../text/secret-names';
import { masked } from '../output/masked';
import { quoted } from '../quote';

/** Fields that are maps of users, whose names can look like fields. */
const MAPS = /\.(?:envVars|hadoopConf|sparkConf|annotations|labels)$/;

/**
 * Returns a line for each changed field, such as `spec.driver.memory: 4g (before: 1g)`, with `***`
 * in place of secrets.
 *
 * @param path path of the values
 */
export function changeLines(before: unknown, after: unknown, path: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if ((isObject(before) || before === undefined) && isObject(after)) {
    const old = before ?? {};
    // Properties of Spark have dots in their names.
    const inner = (name: string) => (name.includes('.') || MAPS.test(path) ? `${path}[${name}]` : `${path}.${name}`);
    return [...new Set([...Object.keys(old), ...Object.keys(after)])].flatMap((name) => changeLines(old[name], after[name], inner(name)));
  }
  const [now, then] = [after, before].map((value) => valueText(value, path));
  return [`${path}: ${now ?? 'removed'} (${then === undefined ? 'not set before' : `before: ${then}`})`];
}

function valueText(value: unknown, path: string): string | undefined {
  if (value === undefined) return undefined;
  if (mayHoldSecret(path)) return '***';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? 'none' : withoutSecrets(value.map(quoted).join(' '));
  }
  return withoutSecrets(typeof value === 'string' ? value : JSON.stringify(masked(value, undefined, path.split('.').at(-1))));
}
