import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_CREATED_BY, LABEL_SUBMISSION_ID } from '../../../../api/labels';
import type { ObjectMeta } from '../../../../kube/objects';
import type { OwnMetadata } from '../../../owned/own-metadata';
import { ownerOf } from '../../../../model/ownership';
import type { SparkApplication } from '../../../../model/spark-application';

/** Returns the operator's labels for an application's objects other than pods. */
export function ownedLabels({ metadata, status }: SparkApplication): Record<string, string> {
  return {
    [LABEL_APP_NAME]: metadata.name,
    [LABEL_APP_UID]: metadata.uid,
    [LABEL_CREATED_BY]: 'true',
    ...status?.submissionID && { [LABEL_SUBMISSION_ID]: status.submissionID },
  };
}

/**
 * Returns an object's metadata: name, namespace, owner, and the user's labels and annotations. The
 * operator's labels override the user's.
 */
export function metadataOf(application: SparkApplication, name: string, { labels, annotations }: OwnMetadata = {}): ObjectMeta {
  return {
    name,
    namespace: application.metadata.namespace,
    labels: { ...labels, ...ownedLabels(application) },
    ...annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } },
    ownerReferences: [ownerOf(application)],
  };
}
