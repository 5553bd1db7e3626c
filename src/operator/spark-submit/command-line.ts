import { mayHoldSecret } from '../../text/secret-names';
import { withoutSecrets } from '../../text/redaction';

/**
 * spark-submit's command for the log, without secrets: of variables and Hadoop's settings only the names, and of the
 * application's own arguments only how many there are, as nobody knows what they mean. Not for a shell: it may be cut.
 *
 * @param args as `sparkSubmitArguments` makes them: options with one value each, the application's file, its arguments
 */
export function commandLine(command: string, args: readonly string[]): string {
  const resource = resourceIndex(args);
  const shown = args.slice(0, resource + 1).map((arg, index) => quoted(args[index - 1] === '--conf' ? withoutSecretValue(arg) : arg));
  const hidden = Math.max(args.length - resource - 1, 0);
  const line = withoutSecrets([command, ...shown].join(' '));
  return hidden === 0 ? line : `${line} # and ${hidden} argument${hidden === 1 ? '' : 's'}`;
}

/** Where the options end. */
function resourceIndex(args: readonly string[]): number {
  let index = 0;
  while (args[index]?.startsWith('--')) {
    index += 2;
  }
  return index;
}

function withoutSecretValue(property: string): string {
  const [key] = property.split('=', 1) as [string];
  return mayHoldSecret(key) ? `${key}=***` : `${key}=${withoutSecrets(property.slice(key.length + 1))}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./*{}[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''").replaceAll('\n', ' ')}'`;
}
