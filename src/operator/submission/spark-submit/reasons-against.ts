import { posix } from 'node:path';
import { dependencyUris, isFileOfSubmitter } from '../dependencies';
import { NO_RESOURCE } from '../main-application';
import type { SubmissionReason, SubmitterInput } from '../reasons-against-native';
import type { ReadonlySparkProperties } from '../spark-conf';
import { foreignReference } from './references';

/** What users may have spark-submit do in the operator's container, in the operator's name. */
export interface SparkSubmitPermissions {
  /** Folders of the operator's container whose files applications may use. Their files end up where any user can read them. */
  readonly folders: readonly string[];
  /**
   * Whether applications with Maven packages may be submitted. spark-submit loads them, and with them runs code of their authors
   * with the rights of the operator.
   */
  readonly packages: boolean;
}

/**
 * What an application must not have spark-submit do. It runs as the operator and with the operator's files: it would hand
 * out any file that an application names, such as the operator's token, in a ConfigMap, a Secret or an upload, and it loads
 * packages into itself. Only who may create applications in any namespace, and read the operator's secrets, may do that.
 * Pure; all reasons, not only the first.
 */
export function reasonsAgainstSparkSubmit({ properties, application }: SubmitterInput, { folders, packages }: SparkSubmitPermissions): SubmissionReason[] {
  const reasons: SubmissionReason[] = [];
  const { type, resource, mainClass } = application;
  if (resource !== NO_RESOURCE) {
    reasons.push(...fileReasons(resource, 'spec.mainApplicationFile', folders));
  }
  if (type === 'java' && !mainClass && !isReadByHadoop(resource)) {
    reasons.push({ field: 'spec.mainClass', reason: 'is missing, and only the image has the jar that could name it', remedy: 'name the class with the main method' });
  }
  for (const { uri, field } of dependencyUris(properties)) {
    reasons.push(...fileReasons(uri, field, folders));
  }
  for (const [key, value] of properties.entries()) {
    reasons.push(...propertyReasons(key, value, properties, { folders, packages }));
  }
  return reasons;
}

/** Files that spark-submit reads, and hands out or uses as its own. */
const FILES = [
  'spark.jars.ivySettings',
  'spark.kerberos.keytab',
  'spark.kubernetes.kerberos.krb5.path',
  'spark.yarn.keytab',
  ...['driver', 'submission'].flatMap(who => ['caCertFile', 'clientCertFile', 'clientKeyFile', 'oauthTokenFile']
    .map(name => `spark.kubernetes.authenticate.${who}.${name}`)),
];

/** Given by the operator itself, with the application's fields; a user's would be fetched in the operator's network. */
const TEMPLATES = ['spark.kubernetes.driver.podTemplateFile', 'spark.kubernetes.executor.podTemplateFile'];

function propertyReasons(key: string, value: string, properties: ReadonlySparkProperties, { folders, packages }: SparkSubmitPermissions): SubmissionReason[] {
  const field = properties.fieldOf(key);
  if (value.trim() === '') {
    return [];
  }
  if (key === 'spark.jars.packages' && !packages) {
    return [{
      field,
      value,
      reason: 'would be loaded into the operator by spark-submit',
      remedy: 'put the jars into the image, or name them in spec.deps.jars',
    }];
  }
  if (FILES.includes(key)) {
    return fileReasons(value, field, folders);
  }
  if (TEMPLATES.includes(key)) {
    return [{ field, value, reason: 'is replaced by the template that the operator gives spark-submit', remedy: `write it into spec.${key.split('.')[2]!}.template` }];
  }
  if (key === 'spark.driver.defaultExtraClassPath' && !value.split(':').every(path => isAllowedFile(path, folders))) {
    return [{ field, value, reason: 'is a class path for the operator itself, too', remedy: 'use spark.driver.extraClassPath' }];
  }
  if (key === 'spark.kubernetes.trust.certificates' && value !== 'false') {
    return [{ field, value, reason: 'is not false, and could have spark-submit send the token of the operator to anybody', remedy: 'remove it' }];
  }
  const reason = foreignReference(key, value);
  return reason === undefined ? [] : [{ field, reason, remedy: 'write the value itself' }];
}

function fileReasons(uri: string, field: string, folders: readonly string[]): SubmissionReason[] {
  if (!isFileOfSubmitter(uri) || isAllowedFile(uri, folders)) {
    return [];
  }
  const where = folders.length === 0 ? 'applications may use none of its files' : `applications may only use files in ${folders.join(', ')} there`;
  return [{
    field,
    value: uri,
    reason: `is a file in the operator's container, and ${where}`,
    remedy: 'put it into the image and write local:///path, or upload it and write an https:, s3a:, gs: or hdfs: URI',
  }];
}

/** Whether a path, or a `file:` URI, lies in one of the folders, whatever it is decoded to. */
function isAllowedFile(uri: string, folders: readonly string[]): boolean {
  const path = uri.replace(/^file:(\/\/)?(?=\/)/, '').split('#')[0]!;
  // Only what means the same to a file system, a URI and a pattern: nothing escaped, no alternatives, no way up.
  if (!/^(\/[\w.@+=*-]+)+$/.test(path) || path.split('/').some(part => part === '.' || part === '..')) {
    return false;
  }
  return folders.some(folder => path.startsWith(posix.join(folder, '/')));
}

/** Whether spark-submit can open the file to look for its main class: Hadoop has no file system for `local:`. */
function isReadByHadoop(resource: string): boolean {
  return resource !== NO_RESOURCE && !/^local:/i.test(resource);
}
