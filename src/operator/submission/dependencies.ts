import { SubmissionError } from './errors';
import type { ReadonlySparkProperties, SparkProperties } from './spark-conf';
import type { Dependencies } from '../../api/spark-application';

/** The Spark property of each kind of dependency, as spark-submit's options set it. */
const PROPERTY_OF: { readonly [field in keyof Required<Dependencies>]: string } = {
  jars: 'spark.jars',
  packages: 'spark.jars.packages',
  excludePackages: 'spark.jars.excludes',
  repositories: 'spark.jars.repositories',
  pyFiles: 'spark.submit.pyFiles',
  files: 'spark.files',
  archives: 'spark.archives',
};

/** Those that are lists of URIs. Packages need no care: the driver resolves them. */
const URI_LISTS = [PROPERTY_OF.jars, PROPERTY_OF.files, PROPERTY_OF.pyFiles, PROPERTY_OF.archives];

/** What to do with a file that only the user has. */
const LOCAL_FILE_REMEDY = 'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI';

/** Sets the properties for `deps`. A list that is not empty replaces what `sparkConf` says. */
export function setDependencies(properties: SparkProperties, deps: Dependencies | undefined): void {
  for (const [field, key] of Object.entries(PROPERTY_OF) as [keyof Dependencies, string][]) {
    const list = deps?.[field] ?? [];
    if (list.length > 0) {
      properties.set(key, list.join(','), `spec.deps.${field}`);
    }
  }
}

/**
 * Refuses dependencies that spark-submit would have to upload or expand: the operator has no files of the user's, and no
 * file system of Hadoop's.
 *
 * @throws SubmissionError for the first of them
 */
export function refuseUnreachableDependencies(properties: ReadonlySparkProperties): void {
  for (const key of URI_LISTS) {
    for (const uri of (properties.get(key) ?? '').split(',').map(part => part.trim()).filter(part => part !== '')) {
      const field = properties.fieldOf(key);
      refuseLocalFile(uri, field);
      refuseGlob(uri, field);
    }
  }
}

/**
 * Refuses a URI that names a file of the machine that submits: `file:`, or no scheme
 * (org.apache.spark.deploy.k8s.KubernetesUtils.isLocalDependency). A scheme has two letters or more: `C:` is a disk.
 */
export function refuseLocalFile(uri: string, field: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):\S*$/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'file') {
    throw new SubmissionError({
      field,
      value: uri,
      reason: 'is a file of the machine that submits, where the operator has none of yours',
      remedy: LOCAL_FILE_REMEDY,
    });
  }
}

/** Refuses a pattern on a file system of Hadoop's; elsewhere Spark takes the characters as they are (DependencyUtils.resolveGlobPath). */
function refuseGlob(uri: string, field: string): void {
  const [path] = uri.split('#');
  if (!/^(local|https?|ftp):/i.test(uri) && /[*?[{]/.test(path!)) {
    throw new SubmissionError({
      field,
      value: uri,
      reason: 'is a pattern, which the operator cannot expand',
      remedy: 'name each file',
    });
  }
}
