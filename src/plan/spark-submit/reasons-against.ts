import { dependencyUris } from '../properties/dependencies';
import { NO_RESOURCE } from '../properties/main-application';
import type { SubmissionReason, SubmitterInput } from '../native/reasons-against';
import { filePropertyReasons, fileReasons, isAllowedFile, isReadByHadoop, submitterReads, type SubmitterReads } from './files';
import { foreignReference } from './references';
import { storageSettingReasons } from './storage-settings';

/** What users may have spark-submit do in the operator's container, in the operator's name. */
export interface SparkSubmitPermissions {
  /** Folders of the operator's container whose files applications may use. Their files end up where any user can read them. */
  readonly folders: readonly string[];
  /**
   * Whether applications with Maven packages may be submitted. spark-submit loads them, and with them runs code of their authors
   * with the rights of the operator.
   */
  readonly packages: boolean;
  /**
   * Whether the operator has a configuration of Hadoop (`hasHadoopConfiguration`). spark-submit then may open storage to fetch tokens for any
   * application that has no login of its own. Default: false.
   */
  readonly hadoop?: boolean;
}

/**
 * What an application must not have spark-submit do. It runs as the operator and with the operator's files: it would hand
 * out any file that an application names, such as the operator's token, in a ConfigMap, a Secret or an upload, and it loads
 * packages into itself. Only who may create applications in any namespace, and read the operator's secrets, may do that.
 * Pure; all reasons, not only the first.
 */
export function reasonsAgainstSparkSubmit(input: SubmitterInput, { folders, packages, hadoop = false }: SparkSubmitPermissions): SubmissionReason[] {
  const reasons: SubmissionReason[] = [];
  const { properties, application } = input;
  const reads = submitterReads(input, hadoop);
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
    reasons.push(...propertyReasons([key, value, properties.fieldOf(key)], reads, { folders, packages }));
  }
  return reasons;
}

/** Given by the operator itself, with the application's fields; a user's would be fetched in the operator's network. */
const TEMPLATES = ['spark.kubernetes.driver.podTemplateFile', 'spark.kubernetes.executor.podTemplateFile'];

type PropertyWithField = readonly [key: string, value: string, field: string];

function propertyReasons([key, value, field]: PropertyWithField, reads: SubmitterReads, { folders, packages }: SparkSubmitPermissions): SubmissionReason[] {
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
  const files = [...filePropertyReasons(key, value, field, reads, folders), ...(reads.storage ? storageSettingReasons(key, value, field) : [])];
  if (files.length > 0) {
    return files;
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
  if (key === 'spark.kubernetes.context') {
    return [{ field, value, reason: 'is a context of the kubeconfig of the operator, and with it another identity', remedy: 'remove it' }];
  }
  const reason = foreignReference(key, value);
  return reason === undefined ? [] : [{ field, reason, remedy: 'write the value itself' }];
}
