import { withoutSecrets } from '../../redaction';

/** Keys whose values can be secrets: Spark's default of `spark.redaction.regex`, and what is like it. */
const SECRET_KEY = /secret|passw|token|credential|access[._-]?key|api[._-]?key|private[._-]?key/i;

/** A command for the log, as one could type it, without secrets. Not for a shell: it may be cut. */
export function commandLine(command: string, args: readonly string[]): string {
  const shown = args.map((arg, index) => quoted(args[index - 1] === '--conf' ? withoutSecretValue(arg) : arg));
  return withoutSecrets([command, ...shown].join(' '));
}

function withoutSecretValue(property: string): string {
  const [key] = property.split('=', 1) as [string];
  return SECRET_KEY.test(key) ? `${key}=***` : `${key}=${withoutSecrets(property.slice(key.length + 1))}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*{}[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''").replaceAll('\n', ' ')}'`;
}
