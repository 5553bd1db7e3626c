import { SubmissionError } from '../errors';
import type { ReadonlySparkProperties, SparkProperties } from './spark-conf';
import type { Dependencies } from '../../api/dependencies';

/** Spark property of each kind of dependency, as spark-submit's options set it. */
const PROPERTY_OF: { readonly [field in keyof Required<Dependencies>]: string } = {
  jars: 'spark.jars',
  packages: 'spark.jars.packages',
  excludePackages: 'spark.jars.excludes',
  repositories: 'spark.jars.repositories',
  pyFiles: 'spark.submit.pyFiles',
  files: 'spark.files',
  archives: 'spark.archives',
};

/**
 * Kinds whose properties are lists of URIs. Packages are coordinates, which the driver resolves.
 */
const URI_LISTS = [PROPERTY_OF.jars, PROPERTY_OF.files, PROPERTY_OF.pyFiles, PROPERTY_OF.archives];

/** Sets the properties for `deps`. A non-empty list replaces that of `sparkConf`. */
export function setDependencies(properties: SparkProperties, deps: Dependencies | undefined): void {
  for (const [field, key] of Object.entries(PROPERTY_OF) as [keyof Dependencies, string][]) {
    const list = deps?.[field] ?? [];
    if (list.length > 0) {
      properties.set(key, list.join(','), `spec.deps.${field}`);
    }
  }
}

/**
 * Checks Maven coordinates as Spark does in the driver (MavenUtils.extractMavenCoordinates).
 *
 * @throws SubmissionError for the first that Spark rejects
 */
export function checkPackages(properties: ReadonlySparkProperties): void {
  for (const [key, parts] of [[PROPERTY_OF.packages, 3], [PROPERTY_OF.excludePackages, 2]] as const) {
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
