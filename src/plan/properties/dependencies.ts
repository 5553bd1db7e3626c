import { SubmissionError } from '../errors';
import type { ReadonlySparkProperties } from './spark-conf';

/**
 * Properties that are lists of URIs. Packages are coordinates, which the driver resolves.
 */
const URI_LISTS = ['spark.jars', 'spark.files', 'spark.submit.pyFiles', 'spark.archives'];

/**
 * Checks Maven coordinates as Spark does in the driver (MavenUtils.extractMavenCoordinates).
 *
 * @throws SubmissionError for the first that Spark rejects
 */
export function checkPackages(properties: ReadonlySparkProperties): void {
  for (const [key, parts] of [['spark.jars.packages', 3], ['spark.jars.excludes', 2]] as const) {
    const wrong = (properties.get(key) ?? '').split(',').map((part) => part.trim())
      .filter((part) => part !== '' && !part.includes('${'))
      .find((part) => !hasParts(part, parts));
    if (wrong === undefined) continue;
    throw new SubmissionError({
      field: properties.fieldOf(key), value: wrong, reason: 'is not a Maven coordinate',
      remedy: `write ${parts === 3 ? 'group:artifact:version, such as org.apache.spark:spark-avro_2.13:4.1.1' : 'group:artifact'}`,
    });
  }
}

function hasParts(coordinate: string, count: number): boolean {
  const parts = coordinate.split(/[:/]/);
  return parts.length === count && parts.every((part) => part.trim() !== '');
}

/** URI of a dependency, and its field. */
export interface DependencyUri {
  readonly uri: string;
  readonly field: string;
}

/**
 * Returns the jars, files, Python files and archives of an application, in this order, without its
 * main file.
 */
export function dependencyUris(properties: ReadonlySparkProperties): DependencyUri[] {
  return URI_LISTS.flatMap(key => (properties.get(key) ?? '').split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(uri => ({ uri, field: properties.fieldOf(key) })));
}

/**
 * Characters that java.net.URI accepts after the scheme: no spaces and delimiters, at most one `#`.
 * `%` needs two hexadecimal digits, and `[` and `]` surround an IPv6 address.
 */
const AFTER_SCHEME = /^(\/\/([^\s"<>\\^`{|}[\]#%/?]*@)?\[[0-9a-f:.]+\](?=[:/?#]|$))?([^\s"<>\\^`{|}[\]#%]|%[0-9a-f]{2})+(#([^\s"<>\\^`{|}[\]#%]|%[0-9a-f]{2})*)?$/i;

/**
 * Whether Spark treats a text as a URI (java.net.URI). A scheme has at least two letters: `C:` is a
 * drive. Other texts are paths (Utils.resolveURI).
 */
export function isUri(text: string): boolean {
  const match = /^[a-z][a-z0-9+.-]+:(.*)$/is.exec(text);
  return match !== null && AFTER_SCHEME.test(match[1]!);
}

/**
 * Whether a URI refers to a file on the submitting machine: `file:`, or a path
 * (KubernetesUtils.isLocalDependency).
 */
export function isFileOfSubmitter(uri: string): boolean {
  return !isUri(uri) || /^file:/i.test(uri);
}

/**
 * Whether a dependency is a pattern on a Hadoop file system, which spark-submit expands. Elsewhere,
 * Spark uses the characters unchanged (DependencyUtils.resolveGlobPath).
 */
export function isPattern(uri: string): boolean {
  const [path] = uri.split('#');
  return !/^(local|https?|ftp):/i.test(uri) && /[*?[{]/.test(path!);
}
