import { mayHoldSecret } from '../../text/secret-names';
import { withoutSecrets } from '../../text/redaction';
import type { SubmitRequest } from './request';

/** Returns what `--verbose` prints: the submission as it is understood, without secrets. */
export function verboseText({ resource, mainClass, arguments: args, properties }: SubmitRequest): string {
  const settings = [...properties].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value, origin }]) => (
    `  ${key}=${mayHoldSecret(key) ? '***' : withoutSecrets(value)}  (${withoutKey(origin, key)})\n`
  ));
  return [
    `application: ${withoutSecrets(resource)}\n`, ...(mainClass === undefined ? [] : [`class: ${mainClass}\n`]), `arguments: ${args.length}\n`,
    'Spark properties:\n', ...settings,
  ].join('');
}

/** Returns an origin without the key that the line begins with. */
function withoutKey(origin: string, key: string): string {
  return origin === `--conf ${key}` ? '--conf' : origin.startsWith(`${key} in `) ? origin.slice(key.length + 1) : origin;
}
