import { dependencyUris, isFileOfSubmitter } from '../properties/dependencies';
import { NO_RESOURCE, type MainApplication } from '../properties/main-application';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import { LOCAL_FILE, obstaclesOf, type SubmissionReason, type SubmitterInput } from '../native/reasons-against';

/**
 * Returns all reasons why spark-submit cannot submit an application. They only explain failures:
 * spark-submit runs with the service account of the driver, and the API server enforces its
 * permissions. Pure.
 */
export function reasonsAgainstSparkSubmit({ properties, application }: SubmitterInput): SubmissionReason[] {
  return [
    ...fileReasons(properties, application), ...classReasons(application), ...obstaclesOf(properties, 'spark-submit'),
  ];
}

const UPLOAD_PATH = 'spark.kubernetes.file.upload.path';

/** Finds files that spark-submit would upload from the image in which it runs. */
function fileReasons(properties: ReadonlySparkProperties, { resource }: MainApplication): SubmissionReason[] {
  if (/^(?!file:|local:)[a-z][a-z0-9+.-]+:/i.test(properties.get(UPLOAD_PATH) ?? '')) return [];
  const { reason } = LOCAL_FILE;
  const remedy = `${LOCAL_FILE.remedy}, or set ${UPLOAD_PATH} to upload the file of the image`;
  return [...(resource === NO_RESOURCE ? [] : [{ uri: resource, field: 'spec.mainApplicationFile' }]), ...dependencyUris(properties)]
    .filter(({ uri }) => isFileOfSubmitter(uri))
    .map(({ uri, field }) => ({ field, value: uri, reason, remedy }));
}

/**
 * Finds main classes that spark-submit cannot find: it reads them from the jar, and Hadoop has no
 * file system for `local:` jars.
 */
function classReasons({ type, resource, mainClass }: MainApplication): SubmissionReason[] {
  if (type !== 'java' || mainClass || (resource !== NO_RESOURCE && !/^local:/i.test(resource))) return [];
  return [{
    field: 'spec.mainClass', reason: 'is missing, and spark-submit does not open a local: jar to look for it',
    remedy: 'name the class with the main method',
  }];
}
