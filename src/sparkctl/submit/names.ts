import { isDnsLabel } from '../../rules/names';
import { UsageError } from '../../text/usage-error';

/** Maximum length of the user's part of a name: names of the driver's objects are longer. */
const MAX_PART = 40;

/**
 * Returns the name of a SparkApplication: that of the command line, else one made of the name for
 * users. As with spark-submit, another submission of the same name gets another suffix.
 *
 * @param suffix random letters and digits
 * @throws {UsageError} if the given name is invalid
 */
export function applicationName(given: string | undefined, name: string, suffix: string): string {
  if (given !== undefined) {
    if (!isDnsLabel(given)) throw new UsageError(`--application ${given}: write lower-case letters, digits and -, at most 63`);
    return given;
  }
  const part = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, MAX_PART).replace(/^[^a-z]+|-+$/g, '');
  return `${part || 'spark'}-${suffix}`;
}
