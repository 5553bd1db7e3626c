import { createHash } from 'node:crypto';
import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_CREATED_BY, LABEL_SUBMISSION_ID } from '../../../api/labels';
import type { ObjectMeta } from '../../kube/objects';
import type { StringMap } from '../../kubernetes-objects';
import { MAX_DNS_LABEL_LENGTH } from '../../submission/names';
import { ownerOf } from '../../submission/ownership';
import type { SparkApplication } from '../model';

const HASH_LENGTH = 8;

/**
 * The name of an object that is called after its application: `<application>-<suffix>`, as kubeflow/spark-operator names it. A name of more than 63
 * characters is cut and gets a hash, by the same rule. So does the name of a Service that would be none, as Services have no dots in their names, and
 * begin with a letter.
 */
export function objectName(kind: string, application: string, suffix: string): string {
  const name = `${application}-${suffix}`;
  if (name.length <= MAX_DNS_LABEL_LENGTH && (kind !== 'Service' || /^[a-z][a-z0-9-]*$/.test(name))) return name;
  // Not for security: the names have to be the same as kubeflow's.
  const hash = createHash('md5').update(name).digest('hex').slice(0, HASH_LENGTH);
  const label = application.replaceAll('.', '-').replace(/^(?=[0-9])/, 'x');
  return `${label.slice(0, MAX_DNS_LABEL_LENGTH - suffix.length - HASH_LENGTH - 2)}-${hash}-${suffix}`;
}

/** The operator's labels of what belongs to an application besides its pods. */
export function ownedLabels({ metadata, status }: SparkApplication): Record<string, string> {
  return {
    [LABEL_APP_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_CREATED_BY]: 'true',
    ...status?.submissionID && { [LABEL_SUBMISSION_ID]: status.submissionID },
  };
}

/** Labels and annotations of users. */
export interface OwnMetadata {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** What an object says about itself: where it is, whose it is, and the labels and annotations of its user, over whose labels the operator's win. */
export function metadataOf(application: SparkApplication, name: string, { labels, annotations }: OwnMetadata = {}): ObjectMeta {
  return {
    name,
    namespace: application.metadata.namespace,
    labels: { ...labels, ...ownedLabels(application) },
    ...annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } },
    ownerReferences: [ownerOf(application)],
  };
}
